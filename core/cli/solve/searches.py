"""One search from the command line: by the solver, by slides, or out of the textbook."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from tilework.core.cli.exit_codes import interruptible
from tilework.core.cli.lab.options import MEBIBYTES, check_fits, run_shown
from tilework.core.cli.solve.background_builds import BackgroundBuilds
from tilework.core.cli.terminal import ProgressLine, describe
from tilework.core.errors import OptionError
from tilework.core.lab.method import Method
from tilework.core.lab.names import PUBLISHED_NAMES
from tilework.core.lab.result import RunResult
from tilework.core.model.methods import (
    check_metric,
    check_target,
    limit_unused,
    method_of,
    solvers_names,
)
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.metric import BoundProof, Metric
from tilework.core.search.limits import Limits, StopReason
from tilework.core.solver.options import A_STAR_CELLS
from tilework.core.solver.result import Progress, ProgressListener, SearchResult, SlidesResult
from tilework.core.solver.target import Algorithm, Heuristic, Target, TargetKind


@dataclass(frozen=True, slots=True)
class SolverSearch:
    algorithm: Algorithm
    heuristic: Heuristic

    @property
    def heuristic_name(self) -> str | None:
        """What solutions call the heuristic, where it was chosen by the caller."""
        chosen = self.heuristic
        return None if chosen is Heuristic.AUTO else PUBLISHED_NAMES.get(chosen, chosen)

    @property
    def takes_databases(self) -> bool:
        return self.algorithm in (Algorithm.AUTO, Algorithm.IDA_STAR) and self.heuristic in (
            Heuristic.AUTO,
            Heuristic.PATTERN_DATABASE,
        )


@dataclass(frozen=True, slots=True)
class SearchOptions:
    target: Target
    time_limit: float | None  # seconds for each board
    node_limit: int | None  # nodes generated for each board
    how: SolverSearch | Textbook | SlideSearch  # what searches
    threads: int  # processors to use: for each board, or for as many boards that take one each
    builds: BackgroundBuilds | None = None  # what may build pattern databases beside the searches
    databases: Path | None = None  # folder of the pattern databases; this user's by default

    def searches_beside(self, board: Board) -> bool:
        """Whether a search takes one processor; textbook searches would only take turns."""
        return isinstance(self.how, SolverSearch) and board.size.cells <= A_STAR_CELLS

    def search_beside(
        self, board: Board, goal: Board, cancelled: Callable[[], bool]
    ) -> SearchResult:
        how = self.how
        assert isinstance(how, SolverSearch)  # noqa: S101 - as `searches_beside` says
        result = self._solved(board, goal, how, cancelled)
        if self.builds is not None and how.takes_databases:
            self.builds.searched(goal, result.statistics.seconds, _say)
        return result

    def search(self, board: Board, goal: Board) -> SearchResult:
        """Solve one board; the first Ctrl-C ends the search with its bounds, another raises."""
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
                    builds.searched(goal, progress.seconds - told_s, line.print_line)
                    told_s = progress.seconds
                    builds.stand_back()

            try:
                result = self._solved(board, goal, how, cancelled, tell)
                if builds is not None:
                    builds.searched(goal, result.statistics.seconds - told_s, line.print_line)
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
    """Combine ``--target`` and ``--gap``; a gap alone asks for that gap."""
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
        """There is none to choose."""

    def search(
        self, board: Board, goal: Board, target: Target, seconds: float | None, nodes: int | None
    ) -> SlidesResult:
        """Search; the first Ctrl-C ends it with the bounds it has, a second one raises."""
        with ProgressLine(sys.stderr) as line, interruptible() as interrupted:
            from tilework.core.solver.slides.find import find_slides

            limits = Limits(seconds, nodes, cancelled=interrupted)
            return find_slides(board, goal, target=target, limits=limits, progress=line)


_MEBIBYTE: Final = 2**20


@dataclass(frozen=True, slots=True)
class TextbookResult(SearchResult):
    """A textbook search's result; its bound is a proved length, else the Manhattan distance."""

    run: RunResult | None = None  # with its figures

    @property
    def figures(self) -> dict[str, Any]:
        """What the run did, by the names that the HTTP interface has."""
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
    mebibytes: int = MEBIBYTES  # what its nodes may take

    @property
    def heuristic_name(self) -> str | None:
        chosen = self.method.heuristic
        return None if chosen is None else PUBLISHED_NAMES.get(chosen, chosen)

    def search(
        self, board: Board, goal: Board, seconds: float | None, nodes: int | None
    ) -> TextbookResult:
        """Search; the first Ctrl-C ends it, a second one raises."""
        check_fits(board.size)
        limits = Limits(seconds, nodes, self.mebibytes * _MEBIBYTE)
        found = run_shown(board, goal, self.method, limits)
        proved = len(found.moves) if found.moves is not None and found.optimal else None
        return TextbookResult(
            lower_bound=board.manhattan(goal) if proved is None else proved,
            moves=found.moves,
            algorithm=self.method.text,
            statistics=found.statistics,
            stopped_by=found.stopped_by,
            bound_proof=BoundProof.MANHATTAN if proved is None else BoundProof.SEARCH,
            run=found,
        )
