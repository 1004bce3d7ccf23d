"""Searches of the command line."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from tilework.core.cli.console import ProgressLine, interruptible
from tilework.core.cli.lab.runs import MEBIBYTES, check_fits, run_with_progress
from tilework.core.cli.solve.background_builds import BackgroundBuilds
from tilework.core.errors import OptionError
from tilework.core.lab.methods import PUBLISHED_NAMES, Method
from tilework.core.model.search_names import check_shortens, find_method
from tilework.core.model.textbook_result import TextbookResult
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.metric import Metric
from tilework.core.puzzle.moves import MoveSequence
from tilework.core.search.limits import Limits
from tilework.core.solver.result import Progress, ProgressListener, SearchResult
from tilework.core.solver.strategy import A_STAR_CELLS, check_metric
from tilework.core.solver.target import Algorithm, Heuristic, Target, TargetKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """How boards are solved: by a textbook search, for slides, or by the solver."""

    method: Method | None = None  # of a textbook search
    mebibytes: int = MEBIBYTES  # memory limit for the nodes of a textbook search
    metric: Metric = Metric.MOVES
    algorithm: Algorithm = Algorithm.AUTO
    heuristic: Heuristic = Heuristic.AUTO
    target: Target
    time_limit: float | None  # seconds for each board
    node_limit: int | None  # nodes generated for each board
    threads: int  # processors to use
    builds: BackgroundBuilds  # builds pattern databases in the background
    known: MoveSequence | None = None  # a solution to shorten

    @property
    def heuristic_name(self) -> str | None:
        """The heuristic that the user chose, if any."""
        name = self.heuristic if self.method is None else self.method.heuristic
        return None if name in (None, Heuristic.AUTO) else PUBLISHED_NAMES.get(name, name)

    @property
    def _uses_databases(self) -> bool:
        return self.algorithm in (Algorithm.AUTO, Algorithm.IDA_STAR) and self.heuristic in (
            Heuristic.AUTO,
            Heuristic.PATTERN_DATABASE,
        )

    def is_parallel(self, board: Board) -> bool:
        """Whether several such boards can be solved in parallel, one processor each."""
        is_by_solver = self.method is None and self.metric is Metric.MOVES
        return is_by_solver and board.size.cells <= A_STAR_CELLS

    def solve_in_thread(
        self, board: Board, goal: Board, cancelled: Callable[[], bool]
    ) -> SearchResult:
        """Solve a board for which `is_parallel` is true."""
        result = self._solve(board, goal, cancelled, threads=1)
        if self._uses_databases:
            self.builds.add_search(goal, result.statistics.seconds, _print_error)
        return result

    def solve(self, board: Board, goal: Board) -> SearchResult:
        """Solve a board; the first Ctrl-C ends the search, the second raises KeyboardInterrupt."""
        if self.method is not None:
            return self._run(self.method, board, goal)
        if self.metric is Metric.SLIDES:
            from tilework.core.solver.slides.find import find_slides

            with ProgressLine() as line, interruptible() as cancelled:
                limits = self._limits(cancelled)
                return find_slides(board, goal, target=self.target, limits=limits, progress=line)
        builds = self.builds if self._uses_databases else None
        suffix = str if builds is None else builds.describe_progress
        with ProgressLine(suffix, board.manhattan(goal)) as line, interruptible() as cancelled:
            reported_s = 0.0

            def add_search(seconds: float) -> None:
                nonlocal reported_s
                if builds is not None:
                    builds.add_search(goal, seconds - reported_s, line.print_line)
                    reported_s = seconds

            def report(progress: Progress) -> None:
                line(progress)
                add_search(progress.seconds)
                if builds is not None:
                    builds.yield_processors()

            result = self._solve(board, goal, cancelled, report, threads=self.threads)
            add_search(result.statistics.seconds)
            return result

    def _solve(
        self,
        board: Board,
        goal: Board,
        cancelled: Callable[[], bool],
        progress: ProgressListener | None = None,
        *,
        threads: int,
    ) -> SearchResult:
        from tilework.core.solver.solve import solve

        return solve(
            board,
            goal,
            target=self.target,
            limits=self._limits(cancelled),
            algorithm=self.algorithm,
            heuristic=self.heuristic,
            progress=progress,
            threads=threads,
            known=self.known,
        )

    def shortening(self, moves: MoveSequence) -> Search:
        """Return a search for shorter solutions than a given one."""
        check_shortens(self.method, self.metric)
        return replace(self, known=moves)

    def _run(self, method: Method, board: Board, goal: Board) -> TextbookResult:
        check_fits(board.size)
        limits = Limits(self.time_limit, self.node_limit, self.mebibytes << 20)
        run = run_with_progress(board, goal, method, limits)
        return TextbookResult.of(board, goal, run)

    def _limits(self, cancelled: Callable[[], bool]) -> Limits:
        return Limits(self.time_limit, self.node_limit, cancelled=cancelled)


def _print_error(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def make_target(kind: TargetKind | None, gap: float | None) -> Target:
    """Combine ``--target`` and ``--gap``; a gap alone implies the target gap."""
    if gap is None:
        if kind is TargetKind.GAP:
            raise OptionError(
                "gap-missing", "the target gap requires --gap, as in --gap 0.1 for 10%"
            )
        return Target(kind or TargetKind.OPTIMAL)
    if kind not in (None, TargetKind.GAP):
        raise OptionError(
            "gap-and-target",
            "--gap {gap:g} and --target {target} contradict each other",
            gap=gap,
            target=kind,
        )
    return Target(TargetKind.GAP, gap)


def make_search(
    algorithm: str,
    heuristic: str,
    *,
    metric: Metric,
    target: Target,
    mebibytes: int | None,
    **options: Any,
) -> Search:
    """Return the search of these names; see `Search` for the other options."""
    check_metric(metric, algorithm, heuristic)
    method = find_method(algorithm, heuristic, target)
    if method is None:
        if mebibytes is not None:
            raise OptionError(
                "limit-unused",
                "{algorithm} takes no {name}; only textbook searches do",
                algorithm=algorithm,
                name="--memory-limit",
            )
        return Search(
            metric=metric,
            algorithm=Algorithm(algorithm),
            heuristic=Heuristic(heuristic),
            target=target,
            **options,
        )
    mebibytes = MEBIBYTES if mebibytes is None else mebibytes
    return Search(method=method, mebibytes=mebibytes, target=target, **options)
