"""Following a strategy in one process: its steps, and the bounds that each of them improves."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from core.formats.bound_proof import BoundProof
from core.puzzle.board import Board
from core.puzzle.moves import DOWN, LEFT, NO_MOVES, RIGHT, UP, Moves
from core.puzzle.replay import replay
from core.search.limits import Limits, StopReason
from core.search.statistics import Statistics
from core.solver.heuristics.lower_bound import Bound, distance_bound
from core.solver.large.constructive import construct
from core.solver.names import Algorithm, Heuristic
from core.solver.optimal.a_star import a_star
from core.solver.optimal.ida_star import ida_star
from core.solver.optimal.subtrees import Subtrees
from core.solver.options import A_STAR_CELLS
from core.solver.result import FoundListener, Progress, ProgressListener, SearchResult
from core.solver.strategy import NEARBY_MOVES, Stage, Step, aimed_width, aims_beams
from core.solver.target import Target

if TYPE_CHECKING:
    from core.solver.large.outcome import Outcome
    from core.solver.large.widening import WideningBeams

_LEAST_S_FOR_GROUPS = 1.0
"""With less time than that left, all of it is for solutions."""


@dataclass
class Run:
    """One call of `solve`: the request, the bounds known so far, the steps that improve them."""

    board: Board
    goal: Board
    target: Target
    limits: Limits
    heuristic: Heuristic
    progress: ProgressListener | None
    pdb_folder: Path | None
    found: FoundListener | None = None
    moves: Moves | None = None
    lower: int = 0
    bound: Bound | None = None
    algorithm: Algorithm = Algorithm.CONSTRUCTIVE
    statistics: Statistics = field(default_factory=Statistics)
    stopped_by: StopReason | None = None
    subtrees: Subtrees = field(default_factory=Subtrees)
    began: float = field(default_factory=time.perf_counter)

    def follow(self, stages: Sequence[Stage]) -> None:
        """Take step after step until the bounds are good enough."""
        steps: dict[Step, Callable[[Stage], None]] = {
            Step.SLIDE: self._slide,
            Step.NEARBY: self._look_nearby,
            Step.CONSTRUCT: self._construct,
            Step.A_STAR: self._a_star,
            Step.ESTIMATE: self._estimate,
            Step.BEAMS: self._beams_alone,
            Step.IDA_STAR: self._ida_star_alone,
            Step.DEEPEN: self._deepen,
        }
        for stage in stages:
            if not self._goes_on():
                return
            self.stopped_by = None
            steps[stage.step](stage)
        if len(stages) > 1 and self.stopped_by is None and self._limits_left().nodes == 0:
            self.stopped_by = StopReason.NODES

    def _slide(self, _stage: Stage) -> None:
        """Solve a board one cell wide or high, where there is only one way: towards the goal."""
        way = self.goal.blank - self.board.blank
        # The tile goes against the blank.
        against = (LEFT, RIGHT) if self.board.height == 1 else (UP, DOWN)
        self.lower = abs(way)
        self._better(np.full(abs(way), against[way < 0], dtype=np.uint8), Algorithm.CONSTRUCTIVE)

    def _construct(self, _stage: Stage) -> None:
        """Find some solution, and a bound from the tiles' distances."""
        self.lower = max(self.lower, self._distance())
        limits = self._limits_left()
        if self.found is not None:
            # Its time depends on the size alone, so that a solution is found in any case.
            limits = replace(limits, seconds=None)
        found = construct(self.board, self.goal, _optimally, limits)
        if isinstance(found, StopReason):
            self.stopped_by = found
        else:
            self._better(found, Algorithm.CONSTRUCTIVE)
        self._look_for_groups()

    def _look_for_groups(self) -> None:
        """A better bound than the tiles' distances, where a search does not soon find as much."""
        left = self._limits_left().seconds
        if (
            self.board.size.cells > A_STAR_CELLS
            and self.heuristic is Heuristic.AUTO
            and self._goes_on()
            and (left is None or left >= _LEAST_S_FOR_GROUPS)
        ):
            # Here, so that its kernels are loaded, or compiled, only where there is a use for them.
            from core.solver.heuristics.best_bound import best_lower_bound

            limits = Limits(left, cancelled=self.limits.cancelled)
            self.bound = best_lower_bound(self.board, self.goal, limits)
            self.lower = max(self.lower, self.bound.value)

    def _a_star(self, stage: Stage) -> None:
        self._take(
            a_star(
                self.board,
                self.goal,
                heuristic=self.heuristic,
                limits=self._limits_left(self.limits.memory_bytes or stage.memory_bytes),
                progress=self._listener(),
            )
        )

    def _look_nearby(self, stage: Stage) -> None:
        """A short optimal search of a board too large for a long one, where the goal is near."""
        # Here, so that its kernel is loaded, or compiled, only where there is a use for it.
        from core.solver.optimal.nearby import nearby

        left = self._limits_left()
        nodes = stage.nodes if left.nodes is None else min(left.nodes, stage.nodes or left.nodes)
        # If it fails there must be time left for some solution.
        seconds = None if left.seconds is None else left.seconds / 2
        limits = replace(left, nodes=nodes, seconds=seconds)
        found = nearby(self.board, self.goal, NEARBY_MOVES, limits)
        if found is None:
            return
        self._take(found)
        if self.stopped_by is not StopReason.CANCELLED:
            # The constructive solver needs no nodes, and has the other half of the time.
            self.stopped_by = None

    def _estimate(self, _stage: Stage) -> None:
        """Use IDA*'s estimate, a better bound than the tiles' distances, without any search."""
        self._ida_star(0)

    def _beams_alone(self, stage: Stage) -> None:
        """Beams, each wider than the last, as long as one takes no more nodes than are left."""
        self.lower = max(self.lower, self._distance())
        nodes = stage.nodes or 0
        while self._goes_on() and self._beams.has_next:
            upper = self._upper()
            cost = self._beams.cost(self.lower, upper)
            if cost > nodes:
                break
            nodes -= cost
            self._take_beam(self._beams.search(upper, self._limits_left()))
            if self.progress is not None:
                self.progress(
                    Progress(self.lower, self._upper(), self.statistics.generated, self._seconds())
                )

    def _ida_star_alone(self, _stage: Stage) -> None:
        self._ida_star(None)

    def _deepen(self, _stage: Stage) -> None:
        """IDA*; on large boards one threshold at a time, with a beam aimed at it before each.

        Most nodes are under the last threshold: a solution of the optimal length spares them.
        """
        if not aims_beams(self.board.size.cells):
            self._ida_star(self._upper())
            return
        while self._goes_on():
            self._ida_star(self.lower + 1)
            if not self._goes_on():
                return
            width = aimed_width(self.statistics.generated, self.lower)
            if width is not None and self._beams.has_next:
                self._take_beam(self._beams.aim(self.lower, width, self._limits_left()))

    def _ida_star(self, upper_bound: int | None) -> None:
        self._take(
            ida_star(
                self.board,
                self.goal,
                self._limits_left(),
                self.pdb_folder,
                self._listener(),
                known_bound=self.lower,
                upper_bound=upper_bound,
                heuristic=self.heuristic,
                subtrees=self.subtrees,
            )
        )

    def result(self) -> SearchResult:
        """Replay the solution and put the bounds together."""
        if self.moves is not None:
            replay(self.board, self.moves, self.goal)
        if self._is_good_enough():
            self.stopped_by = None
        done = self.statistics
        return SearchResult(
            self.lower,
            self.moves,
            self.algorithm.value,
            Statistics(done.expanded, done.generated, self._seconds(), done.max_frontier),
            self.stopped_by,
            self._bound_proof(),
        )

    def _bound_proof(self) -> BoundProof:
        if self.bound is not None and self.bound.value >= self.lower:
            return self.bound.proof
        return BoundProof.SEARCH

    def _take(self, found: SearchResult) -> None:
        self.statistics += found.statistics
        self.stopped_by = found.stopped_by
        self.lower = max(self.lower, found.lower_bound)
        if found.moves is not None:
            self._better(found.moves, Algorithm(found.algorithm))
        elif self.moves is None:
            self.algorithm = Algorithm(found.algorithm)

    def _better(self, moves: Moves, algorithm: Algorithm) -> None:
        """Keep a solution if it is the best so far."""
        if self.moves is not None and len(self.moves) <= len(moves):
            return
        self.moves, self.algorithm = moves, algorithm
        if self.found is not None:
            self.found(self.lower, moves, algorithm)

    @cached_property
    def _beams(self) -> WideningBeams:
        # Here, so that their kernels are loaded, or compiled, only where there is a use for them.
        from core.solver.large.widening import WideningBeams

        return WideningBeams(self.board, self.goal, self.pdb_folder)

    def _take_beam(self, found: Outcome) -> None:
        effort = Statistics(generated=found.nodes)
        self._take(SearchResult(self.lower, found.moves, Algorithm.BEAM, effort, found.stopped_by))

    def _distance(self) -> int:
        if self.bound is None:
            conflicts = self.heuristic is not Heuristic.MANHATTAN
            self.bound = distance_bound(self.board, self.goal, conflicts=conflicts)
        return self.bound.value

    def _upper(self) -> int | None:
        return None if self.moves is None else len(self.moves)

    def _is_good_enough(self) -> bool:
        return self.target.met_by(self.lower, self._upper())

    def _goes_on(self) -> bool:
        """Whether to go on: a step that filled its memory does not stop the others."""
        return self.stopped_by in (None, StopReason.MEMORY) and not self._is_good_enough()

    def _seconds(self) -> float:
        return time.perf_counter() - self.began

    def _limits_left(self, memory_bytes: int | None = None) -> Limits:
        limits = self.limits
        return Limits(
            None if limits.seconds is None else max(0.0, limits.seconds - self._seconds()),
            None if limits.nodes is None else max(0, limits.nodes - self.statistics.generated),
            limits.memory_bytes if memory_bytes is None else memory_bytes,
            limits.cancelled,
        )

    def _listener(self) -> ProgressListener | None:
        if (listener := self.progress) is None:
            return None
        nodes_before = self.statistics.generated

        def tell(search: Progress) -> None:
            listener(
                Progress(
                    max(self.lower, search.lower_bound),
                    self._upper(),
                    nodes_before + search.nodes,
                    self._seconds(),
                )
            )

        return tell


def _optimally(board: Board, goal: Board) -> Moves:
    """Solve the few cells that the constructive solver leaves over."""
    moves = a_star(board, goal).moves
    return NO_MOVES if moves is None else moves
