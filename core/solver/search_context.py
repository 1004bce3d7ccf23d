"""What one call of `solve` knows so far, what that took, and what it may still take."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from tilework.core.puzzle.board import Board
from tilework.core.puzzle.metric import BoundProof
from tilework.core.puzzle.moves import Moves
from tilework.core.puzzle.replay import replay
from tilework.core.search.limits import Limits, Statistics, StopReason, search_clock
from tilework.core.solver.heuristics.lower_bound import Bound, distance_bound
from tilework.core.solver.options import A_STAR_CELLS
from tilework.core.solver.result import FoundListener, Progress, ProgressListener, SearchResult
from tilework.core.solver.strategy import Stage
from tilework.core.solver.target import Algorithm, Heuristic, Target

_LEAST_S_FOR_GROUPS = 1.0  # with less time than that left, all of it is for solutions


@dataclass
class SearchContext:
    """The request, the bounds known so far, and the limits of the stage that is under way."""

    board: Board
    goal: Board
    target: Target
    limits: Limits
    heuristic: Heuristic
    progress: ProgressListener | None
    pdb_folder: Path | None
    found: FoundListener | None = None
    threads: int = 1
    moves: Moves | None = None
    lower: int = 0
    bound: Bound | None = None
    algorithm: str = Algorithm.CONSTRUCTIVE
    statistics: Statistics = field(default_factory=Statistics)
    stopped_by: StopReason | None = None
    began: float = field(default_factory=search_clock)
    _told: int | None = None
    _stage_seconds: float | None = None
    _stage_nodes: int | None = None

    def begin(self, stage: Stage) -> None:
        self.stopped_by = None
        self._stage_seconds = self._stage_nodes = None
        left = self.limits_left()
        unlimited = left.seconds is None and left.nodes is None
        nodes = stage.default_nodes if unlimited else None
        for bound in (stage.nodes, left.nodes and int(stage.share * left.nodes)):
            if bound is not None:
                nodes = bound if nodes is None else min(nodes, bound)
        if nodes is not None:
            self._stage_nodes = self.statistics.generated + nodes
        if left.seconds is not None:
            self._stage_seconds = self.seconds() + stage.share * left.seconds

    def end(self) -> None:
        """End a stage; that it was stopped by a limit of its own does not count."""
        self._stage_seconds = self._stage_nodes = None
        if (self.stopped_by is StopReason.NODES and self.limits.nodes is None) or (
            self.stopped_by is StopReason.TIME and self.limits.seconds is None
        ):
            self.stopped_by = None

    def is_settled(self) -> bool:
        """Whether the bounds are good enough, or nobody waits for better ones."""
        return self.is_good_enough() or self.stopped_by is StopReason.CANCELLED

    def is_used_up(self) -> bool:
        """Whether nothing more may be taken."""
        left = self.limits_left()
        return left.seconds == 0 or left.nodes == 0

    def goes_on(self) -> bool:
        """Whether the stage goes on."""
        return self.stopped_by in (None, StopReason.MEMORY) and not self.is_good_enough()

    def take(self, found: SearchResult) -> None:
        self.statistics += found.statistics
        self.stopped_by = found.stopped_by
        self.lower = max(self.lower, found.lower_bound)
        if found.moves is not None:
            self.better(found.moves, found.algorithm)
        elif self.moves is None:
            self.algorithm = found.algorithm

    def better(self, moves: Moves, algorithm: str) -> None:
        if self.moves is not None and len(self.moves) <= len(moves):
            return
        self.moves, self.algorithm = moves, algorithm
        self.tell(moves, algorithm)

    def tell(self, moves: Moves, algorithm: str) -> None:
        """Tell the caller of a solution, if it is shorter than all those before."""
        if self._told is not None and self._told <= len(moves):
            return
        self._told = len(moves)
        if self.found is not None:
            self.found(self.lower, moves, algorithm)

    def distance(self) -> int:
        """Return the bound that every board has, from the tiles' distances."""
        if self.bound is None:
            conflicts = self.heuristic is not Heuristic.MANHATTAN
            self.bound = distance_bound(self.board, self.goal, conflicts=conflicts)
        return self.bound.value

    def look_for_groups(self) -> None:
        """Raise the bound by groups of tiles, where no search soon finds as much."""
        left = self.limits_left().seconds
        if (
            self.board.size.cells > A_STAR_CELLS
            and self.heuristic is Heuristic.AUTO
            and self.goes_on()
            and (left is None or left >= _LEAST_S_FOR_GROUPS)
        ):
            # Here, so that its kernels are loaded, or compiled, only where there is a use for them.
            from tilework.core.solver.heuristics.lower_bound import best_lower_bound

            limits = Limits(left, cancelled=self.limits.cancelled)
            self.bound = best_lower_bound(self.board, self.goal, limits)
            self.lower = max(self.lower, self.bound.value)

    def upper(self) -> int | None:
        return None if self.moves is None else len(self.moves)

    def is_good_enough(self) -> bool:
        return self.target.is_met_by(self.lower, self.upper())

    def seconds(self) -> float:
        return search_clock() - self.began

    def limits_left(self) -> Limits:
        """Return what the stage may take from now on."""
        limits, seconds, nodes = self.limits, self.limits.seconds, self.limits.nodes
        if self._stage_seconds is not None:
            seconds = self._stage_seconds
        if self._stage_nodes is not None:
            nodes = self._stage_nodes
        held = Limits(seconds, nodes, limits.memory_bytes, limits.cancelled)
        return held.after(self.seconds(), self.statistics.generated)

    def report(self, nodes: int, lower: int = 0) -> None:
        """Report progress: nodes of a search that has not ended yet, and a bound from it."""
        if self.progress is not None:
            self.progress(
                Progress(
                    max(self.lower, lower),
                    self._told,
                    self.statistics.generated + nodes,
                    self.seconds(),
                )
            )

    def listener(self) -> ProgressListener | None:
        """Return what a search reports its own progress to, if anybody wants to know."""
        if self.progress is None:
            return None
        return lambda search: self.report(search.nodes, search.lower_bound)

    def result(self) -> SearchResult:
        """Replay the solution and put the bounds together."""
        if self.moves is not None:
            replay(self.board, self.moves, self.goal)
        if self.is_good_enough():
            self.stopped_by = None
        elif self.stopped_by is None:
            # They may have been used up between two searches.
            left = self.limits_left()
            if left.nodes == 0:
                self.stopped_by = StopReason.NODES
            elif left.seconds == 0:
                self.stopped_by = StopReason.TIME
        done = self.statistics
        return SearchResult(
            self.lower,
            self.moves,
            str(self.algorithm),
            Statistics(done.expanded, done.generated, self.seconds(), done.max_frontier),
            self.stopped_by,
            self._bound_proof(),
        )

    def _bound_proof(self) -> BoundProof:
        if self.bound is not None and self.bound.value >= self.lower:
            return self.bound.proof
        return BoundProof.SEARCH
