"""The steps that solve a board, from the quickest to the strongest, for one process."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from core.heuristics.lower_bound import lower_bound
from core.kernels.constants import MAX_CELLS
from core.kernels.packed import PACKED_CELLS
from core.large.constructive import construct
from core.optimal.a_star import a_star
from core.optimal.choice import heuristics_for
from core.optimal.ida_star import ida_star
from core.optimal.subtrees import Subtrees
from core.puzzle.board import Board, Size
from core.puzzle.moves import DOWN, LEFT, NO_MOVES, RIGHT, UP, Moves
from core.puzzle.replay import replay
from core.search.catalogue import Algorithm, Heuristic
from core.search.limits import Limits, StopReason
from core.search.result import Progress, ProgressListener, SearchResult, Statistics
from core.search.target import Target

if TYPE_CHECKING:
    from core.large.beam import BeamOutcome
    from core.large.widening import WideningBeams

INSTANT_CELLS = 9
"""Boards of up to so many cells are solved optimally in under a millisecond, whatever is asked."""

NEARBY_MOVES = 80
NEARBY_NODES = 500_000
"""How far a board of over 36 cells may be from its goal to be searched first, and how long."""

BEAM_CELLS = 64
"""Beams on larger boards lose their way more often than not."""

BEAM_NODES = 10_000_000
"""What beams may take before anything is proved: about a second."""

BEAM_SHARE = 8
"""Before each threshold a beam may take the nodes spent so far, divided by this. One of them takes
five times as long as a node of IDA*, yet the next threshold has eight times the nodes."""

ALONE_NODES = 1_000_000_000
"""What beams may take where nothing else is asked for."""

HANDOVER_BYTES = 8 << 20
"""Memory after which A* hands over to IDA* where nobody says: reached in about 50 ms."""


@dataclass
class Run:
    """One call of `solve`: what is asked, the bounds known so far, the steps that better them."""

    board: Board
    goal: Board
    target: Target
    limits: Limits
    heuristic: Heuristic
    progress: ProgressListener | None
    databases: Path | None
    moves: Moves | None = None
    lower: int = 0
    algorithm: Algorithm = Algorithm.CONSTRUCTIVE
    statistics: Statistics = field(default_factory=Statistics)
    stopped_by: StopReason | None = None
    subtrees: Subtrees = field(default_factory=Subtrees)
    began: float = field(default_factory=time.perf_counter)

    def plan(self) -> None:
        """Go from the quickest step to the strongest until the bounds are good enough."""
        cells = self.board.size.cells
        steps: list[Callable[[], None]] = []
        if cells > MAX_CELLS:
            steps.append(self.look_nearby)
        if cells > INSTANT_CELLS:
            steps.append(self.construct)
        if cells <= PACKED_CELLS and not self._prefers_databases():
            steps.append(self.a_star_briefly)
        if PACKED_CELLS < cells <= MAX_CELLS and self._suits_ida_star():
            # With nothing to search, its estimate is a better bound than the tiles' distances.
            steps.append(lambda: self.ida_star(0))
        if PACKED_CELLS < cells <= BEAM_CELLS:
            steps.append(lambda: self.widen(BEAM_NODES))
        if cells <= MAX_CELLS and self._suits_ida_star():
            steps.append(self.deepen)
        for step in steps:
            if not self._goes_on():
                return
            self.stopped_by = None
            step()
        if self._limits_left().nodes == 0 and self.stopped_by is None:
            self.stopped_by = StopReason.NODES

    def slide(self) -> None:
        """Solve a board one cell wide or high, where there is only one way: towards the goal."""
        way = self.goal.blank - self.board.blank
        # The tile goes against the blank.
        against = (LEFT, RIGHT) if self.board.height == 1 else (UP, DOWN)
        self.moves = np.full(abs(way), against[way < 0], dtype=np.uint8)
        self.lower = abs(way)

    def construct(self) -> None:
        """Find some solution, and a bound from the tiles' distances."""
        self.lower = max(self.lower, self._distance())
        found = construct(self.board, self.goal, _optimally, self._limits_left())
        if isinstance(found, StopReason):
            self.stopped_by = found
        else:
            self.moves = found
            self.algorithm = Algorithm.CONSTRUCTIVE

    def a_star(self, memory_bytes: int | None) -> None:
        self._take(
            a_star(
                self.board,
                self.goal,
                heuristic=self.heuristic,
                limits=self._limits_left(memory_bytes),
                progress=self._listener(),
            )
        )

    def a_star_briefly(self) -> None:
        """A*, as long as it is the quicker search: IDA* goes on from its lower bound."""
        memory_bytes = self.limits.memory_bytes
        if memory_bytes is None and self._suits_ida_star():
            memory_bytes = HANDOVER_BYTES
        self.a_star(memory_bytes)

    def look_nearby(self) -> None:
        """A short optimal search of a board too large for a long one, where the goal is near."""
        # Here, so that its kernel is loaded, or compiled, only where there is a use for it.
        from core.optimal.nearby import nearby

        left = self._limits_left()
        nodes = NEARBY_NODES if left.nodes is None else min(left.nodes, NEARBY_NODES)
        # Where it is in vain there is to be time for some solution.
        seconds = None if left.seconds is None else left.seconds / 2
        limits = replace(left, nodes=nodes, seconds=seconds)
        found = nearby(self.board, self.goal, NEARBY_MOVES, limits)
        if found is None:
            return
        self._take(found)
        if self.stopped_by is not StopReason.CANCELLED:
            # The constructive solver needs no nodes, and has the other half of the time.
            self.stopped_by = None

    def beam(self) -> None:
        """Beams alone."""
        self.lower = self._distance()
        self.widen(ALONE_NODES)

    def widen(self, nodes: int) -> None:
        """Beams, each wider than the last, as long as one takes no more nodes than are left."""
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

    def deepen(self) -> None:
        """IDA*; on large boards one threshold at a time, with a beam aimed at it before each.

        Most nodes are under the last threshold: a solution of the optimal length spares them.
        """
        if self.board.size.cells <= PACKED_CELLS:
            self.ida_star(self._upper())
            return
        while self._goes_on():
            self.ida_star(self.lower + 1)
            nodes = self.statistics.generated // BEAM_SHARE
            if not self._goes_on():
                return
            found = self._beams.aim(self.lower, nodes, self._limits_left())
            if found is not None:
                self._take_beam(found)

    def ida_star(self, upper_bound: int | None) -> None:
        self._take(
            ida_star(
                self.board,
                self.goal,
                self._limits_left(),
                self.databases,
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
        )

    def _take(self, found: SearchResult) -> None:
        self.statistics += found.statistics
        self.stopped_by = found.stopped_by
        self.lower = max(self.lower, found.lower_bound)
        if self.moves is None or (found.moves is not None and len(found.moves) < len(self.moves)):
            self.moves = found.moves
            self.algorithm = Algorithm(found.algorithm)

    @cached_property
    def _beams(self) -> WideningBeams:
        # Here, so that their kernels are loaded, or compiled, only where there is a use for them.
        from core.large.widening import WideningBeams

        return WideningBeams(self.board, self.goal, self.databases)

    def _take_beam(self, found: BeamOutcome) -> None:
        effort = Statistics(generated=found.nodes)
        self._take(SearchResult(self.lower, found.moves, Algorithm.BEAM, effort, found.stopped_by))

    def _distance(self) -> int:
        if self.board == self.goal:
            return 0
        conflicts = self.heuristic is not Heuristic.MANHATTAN
        return lower_bound(self.board, self.goal, conflicts=conflicts)

    def _upper(self) -> int | None:
        return None if self.moves is None else len(self.moves)

    def _is_good_enough(self) -> bool:
        return self.target.met_by(self.lower, self._upper())

    def _goes_on(self) -> bool:
        """Whether to search on: what filled its memory leaves the others theirs."""
        return self.stopped_by in (None, StopReason.MEMORY) and not self._is_good_enough()

    def _prefers_databases(self) -> bool:
        if self.heuristic is Heuristic.AUTO:
            return self.board.size == Size(4, 4)
        return self.heuristic is Heuristic.PATTERN_DATABASE

    def _suits_ida_star(self) -> bool:
        return self.heuristic is Heuristic.AUTO or self.heuristic in heuristics_for(self.goal)

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
