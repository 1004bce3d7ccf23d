"""The state of one call to `solve`: bounds, statistics, and remaining limits."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from tilework.core.puzzle.board import Board
from tilework.core.puzzle.metric import BoundProof
from tilework.core.puzzle.moves import MoveSequence
from tilework.core.puzzle.replay import replay
from tilework.core.search.limits import Limits, Statistics, StopReason, search_clock
from tilework.core.solver.heuristics.lower_bounds import Bound, distance_bound
from tilework.core.solver.options import A_STAR_CELLS
from tilework.core.solver.result import Progress, ProgressListener, SearchResult, SolutionListener
from tilework.core.solver.strategy import Stage, Step
from tilework.core.solver.target import Algorithm, Heuristic, Target

_MIN_SECONDS_FOR_GROUPS = 1.0  # with less time left, groups are skipped to save time for solutions


@dataclass
class SearchContext:
    """The request, the current bounds, and the limits of the current stage."""

    board: Board
    goal: Board
    target: Target
    limits: Limits
    heuristic: Heuristic
    progress: ProgressListener | None
    pdb_folder: Path | None
    on_solution: SolutionListener | None = None
    threads: int = 1
    moves: MoveSequence | None = None
    lower: int = 0
    bound: Bound | None = None
    algorithm: str = Algorithm.CONSTRUCTIVE
    engine: str | None = None
    statistics: Statistics = field(default_factory=Statistics)
    stopped_by: StopReason | None = None
    started: float = field(default_factory=search_clock)
    _reported_length: int | None = None
    _stage_end_s: float | None = None
    _stage_end_nodes: int | None = None

    def begin_stage(self, stage: Stage) -> None:
        self.stopped_by = None
        self._stage_end_s = self._stage_end_nodes = None
        remaining = self.remaining_limits()
        unlimited = remaining.seconds is None and remaining.nodes is None
        # Threads improve solutions with beams of their own, each as wide as that of one thread.
        factor = self.threads if stage.step is Step.IMPROVE else 1
        limits = [stage.nodes and factor * stage.nodes]
        limits.append(remaining.nodes and int(stage.share * remaining.nodes))
        if unlimited and stage.default_nodes is not None:
            limits.append(factor * stage.default_nodes)
        nodes = [limit for limit in limits if limit is not None]
        if nodes:
            self._stage_end_nodes = self.statistics.generated + min(nodes)
        if remaining.seconds is not None:
            self._stage_end_s = self.seconds() + stage.share * remaining.seconds

    def end_stage(self) -> None:
        """End a stage, and reset the stop reason if only the stage's limit was reached."""
        self._stage_end_s = self._stage_end_nodes = None
        if (self.stopped_by is StopReason.NODES and self.limits.nodes is None) or (
            self.stopped_by is StopReason.TIME and self.limits.seconds is None
        ):
            self.stopped_by = None

    def is_finished(self) -> bool:
        """Whether the bounds are good enough, or the search is cancelled."""
        return self.is_good_enough() or self.stopped_by is StopReason.CANCELLED

    def has_reached_limits(self) -> bool:
        remaining = self.remaining_limits()
        return remaining.seconds == 0 or remaining.nodes == 0

    def should_continue(self) -> bool:
        """Whether the current stage continues."""
        return self.stopped_by in (None, StopReason.MEMORY) and not self.is_good_enough()

    def add_result(self, result: SearchResult) -> None:
        self.statistics += result.statistics
        self.engine = result.engine or self.engine
        self.stopped_by = result.stopped_by
        self.lower = max(self.lower, result.lower_bound)
        if result.moves is not None:
            self.add_solution(result.moves, result.algorithm)
        elif self.moves is None:
            self.algorithm = result.algorithm

    def add_solution(self, moves: MoveSequence, algorithm: str) -> None:
        if self.moves is not None and len(self.moves) <= len(moves):
            return
        self.moves, self.algorithm = moves, algorithm
        self.report_solution(moves, algorithm)

    def report_solution(self, moves: MoveSequence, algorithm: str, nodes: int = 0) -> None:
        """Report a solution to the caller if it is shorter than all earlier ones.

        ``nodes``: the nodes of a running search so far.
        """
        if self._reported_length is not None and self._reported_length <= len(moves):
            return
        self._reported_length = len(moves)
        if self.on_solution is not None:
            generated = self.statistics.generated + nodes
            statistics = Statistics(generated=generated, seconds=self.seconds())
            self.on_solution(
                SearchResult(self.lower, moves, algorithm, statistics, engine=self.engine)
            )

    def distance(self) -> int:
        """Return the lower bound that follows from the tiles' distances."""
        if self.bound is None:
            conflicts = self.heuristic is not Heuristic.MANHATTAN
            self.bound = distance_bound(self.board, self.goal, conflicts=conflicts)
        return self.bound.value

    def add_group_bound(self) -> None:
        """Raise the lower bound with tile groups, on boards where this is faster than IDA*."""
        remaining_s = self.remaining_limits().seconds
        if (
            self.board.size.cells > A_STAR_CELLS
            and self.heuristic is Heuristic.AUTO
            and self.should_continue()
            and (remaining_s is None or remaining_s >= _MIN_SECONDS_FOR_GROUPS)
        ):
            # Imported here, so that its kernels are loaded only when needed.
            from tilework.core.solver.heuristics.lower_bounds import best_lower_bound

            limits = Limits(remaining_s, cancelled=self.limits.cancelled)
            self.bound = best_lower_bound(self.board, self.goal, limits)
            self.lower = max(self.lower, self.bound.value)

    def upper(self) -> int | None:
        return None if self.moves is None else len(self.moves)

    def is_good_enough(self) -> bool:
        return self.target.is_met_by(self.lower, self.upper())

    def seconds(self) -> float:
        return search_clock() - self.started

    def remaining_limits(self) -> Limits:
        """Return the remaining limits of the current stage."""
        limits, seconds, nodes = self.limits, self.limits.seconds, self.limits.nodes
        if self._stage_end_s is not None:
            seconds = self._stage_end_s
        if self._stage_end_nodes is not None:
            nodes = self._stage_end_nodes
        stage_limits = Limits(seconds, nodes, limits.memory_bytes, limits.cancelled, limits.report)
        return stage_limits.after(self.seconds(), self.statistics.generated)

    def report_progress(self, nodes: int, lower: int = 0) -> None:
        """Report progress, with the nodes of a running search and its lower bound."""
        self.limits.report(self.statistics.generated + nodes)
        if self.progress is not None:
            self.progress(
                Progress(
                    max(self.lower, lower),
                    self._reported_length,
                    self.statistics.generated + nodes,
                    self.seconds(),
                )
            )

    def progress_listener(self) -> ProgressListener | None:
        """Return a listener for the progress of a search, if the caller listens to progress."""
        if self.progress is None:
            return None
        return lambda search: self.report_progress(search.nodes, search.lower_bound)

    def result(self) -> SearchResult:
        """Replay the solution and return it with the bounds."""
        if self.moves is not None:
            replay(self.board, self.moves, self.goal)
        if self.is_good_enough():
            self.stopped_by = None
        elif self.stopped_by is None:
            # A limit may have been reached between two searches.
            remaining = self.remaining_limits()
            if remaining.nodes == 0:
                self.stopped_by = StopReason.NODES
            elif remaining.seconds == 0:
                self.stopped_by = StopReason.TIME
        statistics = self.statistics
        return SearchResult(
            self.lower,
            self.moves,
            str(self.algorithm),
            Statistics(
                statistics.expanded, statistics.generated, self.seconds(), statistics.max_frontier
            ),
            self.stopped_by,
            self._bound_proof(),
            self.engine,
        )

    def _bound_proof(self) -> BoundProof:
        if self.bound is not None and self.bound.value >= self.lower:
            return self.bound.proof
        return BoundProof.SEARCH
