"""Searches of the command line: by the solver, by slides, or a textbook search."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from tilework.core.cli.exit_codes import interruptible
from tilework.core.cli.lab.options import MEBIBYTES, check_fits, run_with_progress
from tilework.core.cli.solve.background_builds import BackgroundBuilds
from tilework.core.cli.solve.method_names import (
    check_target,
    find_method,
    solver_names,
    unused_limit_error,
)
from tilework.core.cli.terminal import ProgressLine, describe_progress
from tilework.core.errors import OptionError
from tilework.core.lab.methods import PUBLISHED_NAMES, Method
from tilework.core.lab.result import RunResult
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.metric import BoundProof, Metric
from tilework.core.search.limits import Limits, StopReason
from tilework.core.solver.options import A_STAR_CELLS, check_metric
from tilework.core.solver.result import Progress, ProgressListener, SearchResult, SlidesResult
from tilework.core.solver.target import Algorithm, Heuristic, Target, TargetKind


@dataclass(frozen=True, slots=True)
class SolverSearch:
    algorithm: Algorithm
    heuristic: Heuristic

    @property
    def heuristic_name(self) -> str | None:
        """The heuristic that the user chose, if any."""
        name = self.heuristic
        return None if name is Heuristic.AUTO else PUBLISHED_NAMES.get(name, name)

    @property
    def uses_databases(self) -> bool:
        return self.algorithm in (Algorithm.AUTO, Algorithm.IDA_STAR) and self.heuristic in (
            Heuristic.AUTO,
            Heuristic.PATTERN_DATABASE,
        )


@dataclass(frozen=True, slots=True)
class SearchOptions:
    target: Target
    time_limit: float | None  # seconds for each board
    node_limit: int | None  # nodes generated for each board
    searcher: SolverSearch | Textbook | SlideSearch  # the kind of search
    threads: int  # processors to use
    builds: BackgroundBuilds | None = None  # builds pattern databases in the background
    databases: Path | None = None  # folder of the pattern databases

    def is_parallel(self, board: Board) -> bool:
        """Whether several such boards can be solved in parallel, one processor each."""
        return isinstance(self.searcher, SolverSearch) and board.size.cells <= A_STAR_CELLS

    def search_in_thread(
        self, board: Board, goal: Board, cancelled: Callable[[], bool]
    ) -> SearchResult:
        searcher = self.searcher
        assert isinstance(searcher, SolverSearch)  # noqa: S101 - ensured by `is_parallel`
        result = self._solve(board, goal, searcher, cancelled, threads=1)
        if self.builds is not None and searcher.uses_databases:
            self.builds.add_search(goal, result.statistics.seconds, _print_error)
        return result

    def search(self, board: Board, goal: Board) -> SearchResult:
        """Solve a board; the first Ctrl-C ends the search, the second raises KeyboardInterrupt."""
        searcher = self.searcher
        if isinstance(searcher, Textbook):
            return searcher.search(board, goal, self.time_limit, self.node_limit)
        if isinstance(searcher, SlideSearch):
            return searcher.search(board, goal, self.target, self.time_limit, self.node_limit)
        builds = self.builds if searcher.uses_databases else None
        suffix = str if builds is None else builds.describe_progress
        distance = board.manhattan(goal)
        with ProgressLine(sys.stderr, suffix, distance) as line, interruptible() as cancelled:
            reported_s = 0.0

            def report(progress: Progress) -> None:
                nonlocal reported_s
                line(progress)
                if builds is not None:
                    builds.add_search(goal, progress.seconds - reported_s, line.print_line)
                    reported_s = progress.seconds
                    builds.yield_processors()

            try:
                result = self._solve(board, goal, searcher, cancelled, report, threads=self.threads)
                if builds is not None:
                    builds.add_search(goal, result.statistics.seconds - reported_s, line.print_line)
                return result
            except KeyboardInterrupt:
                if line.last is not None:
                    print(f"\n{describe_progress(line.last, distance)}", file=sys.stderr)
                raise

    def _solve(
        self,
        board: Board,
        goal: Board,
        searcher: SolverSearch,
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
            limits=Limits(self.time_limit, self.node_limit, cancelled=cancelled),
            algorithm=searcher.algorithm,
            heuristic=searcher.heuristic,
            progress=progress,
            pdb_folder=self.databases,
            threads=threads,
        )


def _print_error(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def make_search(
    algorithm: str,
    heuristic: str,
    *,
    metric: Metric,
    target: Target,
    weight: float | None,
    beam_width: int | None,
    mebibytes: int | None,
) -> SolverSearch | Textbook | SlideSearch:
    check_metric(metric, algorithm, heuristic)
    method = find_method(algorithm, heuristic, weight, beam_width)
    if method is not None:
        check_target(algorithm, target)
        return Textbook(method) if mebibytes is None else Textbook(method, mebibytes)
    if mebibytes is not None:
        raise unused_limit_error(algorithm, "--memory-limit")
    if metric is Metric.SLIDES:
        return SlideSearch()
    return SolverSearch(*solver_names(algorithm, heuristic))


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


def was_interrupted(result: SearchResult) -> bool:
    return result.stopped_by is StopReason.CANCELLED


@dataclass(frozen=True, slots=True)
class SlideSearch:
    @property
    def heuristic_name(self) -> None:
        """None, because there is no choice."""

    def search(
        self, board: Board, goal: Board, target: Target, seconds: float | None, nodes: int | None
    ) -> SlidesResult:
        """Search until Ctrl-C; a second Ctrl-C raises KeyboardInterrupt."""
        with ProgressLine(sys.stderr) as line, interruptible() as interrupted:
            from tilework.core.solver.slides.find import find_slides

            limits = Limits(seconds, nodes, cancelled=interrupted)
            return find_slides(board, goal, target=target, limits=limits, progress=line)


_MEBIBYTE: Final = 2**20


@dataclass(frozen=True, slots=True)
class TextbookResult(SearchResult):
    """The result of a textbook search; its bound is a proven length or the Manhattan distance."""

    run: RunResult | None = None  # with its statistics

    @property
    def figures(self) -> dict[str, Any]:
        """The statistics of the run, by the names of the API."""
        if self.run is None:
            return {}
        return {
            "method": self.run.method.text,
            "optimal": True if self.run.optimal else None,
            "stopped_by": self.run.stopped_by,
            **asdict(self.run.statistics),
        }


@dataclass(frozen=True, slots=True)
class Textbook:
    method: Method
    mebibytes: int = MEBIBYTES  # memory limit of its nodes

    @property
    def heuristic_name(self) -> str | None:
        name = self.method.heuristic
        return None if name is None else PUBLISHED_NAMES.get(name, name)

    def search(
        self, board: Board, goal: Board, seconds: float | None, nodes: int | None
    ) -> TextbookResult:
        """Search until Ctrl-C; a second Ctrl-C raises KeyboardInterrupt."""
        check_fits(board.size)
        limits = Limits(seconds, nodes, self.mebibytes * _MEBIBYTE)
        result = run_with_progress(board, goal, self.method, limits)
        optimum = len(result.moves) if result.moves is not None and result.optimal else None
        return TextbookResult(
            lower_bound=board.manhattan(goal) if optimum is None else optimum,
            moves=result.moves,
            algorithm=self.method.text,
            statistics=result.statistics,
            stopped_by=result.stopped_by,
            bound_proof=BoundProof.MANHATTAN if optimum is None else BoundProof.SEARCH,
            run=result,
        )
