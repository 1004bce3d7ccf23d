"""One search from the command line: options, progress line, Ctrl-C."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tilework.core.cli.interrupts import interruptible
from tilework.core.cli.progress_line import ProgressLine, describe
from tilework.core.cli.solve.paying_builds import PayingBuilds
from tilework.core.cli.solve.sliding import SlideSearch
from tilework.core.cli.solve.textbook import Textbook
from tilework.core.errors import OptionError
from tilework.core.lab.names import PUBLISHED_NAMES
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.metric import Metric
from tilework.core.search.limits import Limits, StopReason
from tilework.core.services.jobs.methods import (
    check_metric,
    check_target,
    limit_unused,
    method_of,
    solvers_names,
)
from tilework.core.solver.names import Algorithm, Heuristic
from tilework.core.solver.options import A_STAR_CELLS
from tilework.core.solver.result import Progress, ProgressListener, SearchResult
from tilework.core.solver.target import Target, TargetKind


@dataclass(frozen=True, slots=True)
class SolverSearch:
    """What the solver is to search with."""

    algorithm: Algorithm
    heuristic: Heuristic

    @property
    def heuristic_name(self) -> str | None:
        """What solutions call the heuristic, where it was chosen by the caller."""
        chosen = self.heuristic
        return None if chosen is Heuristic.AUTO else PUBLISHED_NAMES.get(chosen, chosen)

    @property
    def takes_databases(self) -> bool:
        """Whether pattern databases may serve it."""
        return self.algorithm in (Algorithm.AUTO, Algorithm.IDA_STAR) and self.heuristic in (
            Heuristic.AUTO,
            Heuristic.PATTERN_DATABASE,
        )


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """What to search for, how, and how long.

    Attributes
    ----------
    time_limit : float or None
        Seconds for each board.
    node_limit : int or None
        Nodes generated for each board.
    how : SolverSearch, Textbook or SlideSearch
        What searches.
    threads : int
        Processors to use: for each board, or for as many boards that take one each.
    builds : PayingBuilds or None
        What may build pattern databases beside the searches.
    databases : Path or None
        Folder of the pattern databases; this user's by default.
    """

    target: Target
    time_limit: float | None
    node_limit: int | None
    how: SolverSearch | Textbook | SlideSearch
    threads: int
    builds: PayingBuilds | None = None
    databases: Path | None = None

    def searches_beside(self, board: Board) -> bool:
        """Whether the search of a board uses one processor, so that others may run beside it.

        Textbook searches in plain Python would only take turns.
        """
        return isinstance(self.how, SolverSearch) and board.size.cells <= A_STAR_CELLS

    def search_beside(
        self, board: Board, goal: Board, cancelled: Callable[[], bool]
    ) -> SearchResult:
        """Solve one board on one thread of several, without a word meanwhile."""
        how = self.how
        assert isinstance(how, SolverSearch)  # noqa: S101 - as `searches_beside` says
        result = self._solved(board, goal, how, cancelled)
        if self.builds is not None and how.takes_databases:
            self.builds.searched(goal, result.statistics.seconds, _say)
        return result

    def search(self, board: Board, goal: Board) -> SearchResult:
        """Solve one board in this process, with a progress line on a terminal.

        The first Ctrl-C ends the search with the bounds it has (``was_interrupted`` tells); a
        second one raises KeyboardInterrupt.
        """
        how = self.how
        if isinstance(how, Textbook):
            return how.search(board, goal, self.time_limit, self.node_limit)
        if isinstance(how, SlideSearch):
            return how.search(board, goal, self.target, self.time_limit, self.node_limit)
        builds = self.builds if how.takes_databases else None
        beside = str if builds is None else builds.note
        distance = board.manhattan(goal)
        with ProgressLine(sys.stderr, beside, distance) as line, interruptible() as cancelled:
            told_s = 0.0

            def tell(progress: Progress) -> None:
                nonlocal told_s
                line(progress)
                if builds is not None:
                    builds.searched(goal, progress.seconds - told_s, line.say)
                    told_s = progress.seconds
                    builds.stand_back()

            try:
                result = self._solved(board, goal, how, cancelled, tell)
                if builds is not None:
                    builds.searched(goal, result.statistics.seconds - told_s, line.say)
                return result
            except KeyboardInterrupt:
                if line.last is not None:
                    print(f"\n{describe(line.last, distance)}", file=sys.stderr)
                raise

    def _solved(
        self,
        board: Board,
        goal: Board,
        how: SolverSearch,
        cancelled: Callable[[], bool],
        progress: ProgressListener | None = None,
    ) -> SearchResult:
        from tilework.core.solver.solve import solve

        return solve(
            board,
            goal,
            target=self.target,
            limits=Limits(self.time_limit, self.node_limit, cancelled=cancelled),
            algorithm=how.algorithm,
            heuristic=how.heuristic,
            progress=progress,
            pdb_folder=self.databases,
            threads=self.threads,
        )


def _say(words: str) -> None:
    print(words, file=sys.stderr, flush=True)


def search_of(
    algorithm: str,
    heuristic: str,
    *,
    metric: Metric,
    target: Target,
    weight: float | None,
    beam_width: int | None,
    mebibytes: int | None,
) -> SolverSearch | Textbook | SlideSearch:
    """Return the search that names stand for.

    Raises
    ------
    OptionError
        If they do not go together, or one of the numbers does not go with them.
    """
    check_metric(metric, algorithm, heuristic)
    method = method_of(algorithm, heuristic, weight, beam_width)
    if method is not None:
        check_target(algorithm, target)
        return Textbook(method) if mebibytes is None else Textbook(method, mebibytes)
    if mebibytes is not None:
        raise limit_unused(algorithm, "--memory-limit")
    if metric is Metric.SLIDES:
        return SlideSearch()
    return SolverSearch(*solvers_names(algorithm, heuristic))


def target_of(kind: TargetKind | None, gap: float | None) -> Target:
    """Combine ``--target`` and ``--gap``; a gap alone asks for that gap.

    Raises
    ------
    OptionError
        If a gap comes with another target, or the target ``gap`` without one.
    """
    if gap is None:
        if kind is TargetKind.GAP:
            raise OptionError("gap-missing", "the target gap needs --gap, as in --gap 0.1 for 10%")
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
    """Whether Ctrl-C ended this search."""
    return result.stopped_by is StopReason.CANCELLED
