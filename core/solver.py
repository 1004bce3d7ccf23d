"""solve(): plan, search, replay, in this process."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from core.errors import BoardError, UnsolvableError
from core.heuristics.lower_bound import lower_bound
from core.kernels.constants import MAX_CELLS
from core.kernels.packed import PACKED_CELLS
from core.large.constructive import construct
from core.optimal.a_star import a_star
from core.optimal.choice import heuristics_for
from core.optimal.ida_star import ida_star
from core.optimal.options import check_options
from core.puzzle.board import Board, Size
from core.puzzle.goals import blank_last
from core.puzzle.moves import DOWN, LEFT, NO_MOVES, RIGHT, UP, Moves
from core.puzzle.replay import replay
from core.puzzle.solvability import explain, is_solvable
from core.search.catalogue import Algorithm, Heuristic
from core.search.limits import Limits, StopReason
from core.search.result import Progress, ProgressListener, SearchResult, Statistics
from core.search.target import Target

INSTANT_CELLS = 9
"""Boards of up to so many cells are solved optimally in under a millisecond, whatever is asked."""

NEARBY_MOVES = 80
NEARBY_NODES = 500_000
"""How far a board of over 36 cells may be from its goal to be searched, and how long."""

HANDOVER_BYTES = 8 << 20
"""Memory after which A* hands over to IDA* where nobody says: reached in about 50 ms."""


def solve(
    board: Board,
    goal: Board,
    *,
    target: Target | None = None,
    limits: Limits | None = None,
    algorithm: Algorithm = Algorithm.AUTO,
    heuristic: Heuristic = Heuristic.AUTO,
    progress: ProgressListener | None = None,
    databases: Path | None = None,
) -> SearchResult:
    """Find the best solution that the target asks for and the limits allow.

    Parameters
    ----------
    board, goal : Board
        Of one size, at least one cell.
    target : Target, optional
        The optimum where left out.
    limits : Limits, optional
        None where left out: an optimal search of a large board may then take years.
    algorithm : Algorithm
        ``AUTO`` plans: boards of up to nine cells go to A*. Others get a constructive solution,
        then, up to 16 cells, A* until its memory is full (not 4×4, whose pattern databases are
        better), then, up to 36 cells, IDA*; beyond, a short IDA* where the goal seems near. The
        other values run that algorithm alone.
    heuristic : Heuristic
        What ``algorithm`` is to search with. Without an algorithm, ``AUTO`` chooses among those
        that know the heuristic.
    progress : callable, optional
        Called some times a second.
    databases : Path, optional
        Folder of the pattern databases; the user's cache folder by default.

    Returns
    -------
    SearchResult
        Its solution was replayed. ``stopped_by`` is None where the plan came to its end, also
        where that leaves a gap (boards of over 36 cells).

    Raises
    ------
    BoardError
        For a goal of another size.
    UnsolvableError
        Where no moves lead to the goal.
    OptionError
        For an algorithm or a heuristic that cannot take a board of this size.
    """
    if board.size != goal.size:
        raise BoardError(f"a goal of {goal.size} does not fit a board of {board.size}")
    if not is_solvable(board, goal):
        raise UnsolvableError(
            f"no moves lead from this {board.size} board to its goal", explain(board, goal).words
        )
    check_options(goal, algorithm, heuristic)
    run = _Run(board, goal, target or Target(), limits or Limits(), heuristic, progress, databases)
    if 1 in board.size:
        run.slide()
    elif algorithm is Algorithm.CONSTRUCTIVE:
        run.construct()
    elif algorithm is Algorithm.A_STAR:
        run.a_star(run.limits.memory_bytes)
    elif algorithm is Algorithm.IDA_STAR:
        run.ida_star()
    else:
        run.plan()
    return run.result()


@dataclass
class _Run:
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
    began: float = field(default_factory=time.perf_counter)

    def plan(self) -> None:
        """Go from the quickest step to the strongest until the bounds are good enough."""
        cells = self.board.size.cells
        steps: list[Callable[[], None]] = []
        if cells > INSTANT_CELLS:
            steps.append(self.construct)
        if cells <= PACKED_CELLS and not self._prefers_databases():
            steps.append(self.a_star_briefly)
        if cells <= MAX_CELLS and self._suits_ida_star():
            steps.append(self.ida_star)
        if cells > MAX_CELLS:
            steps.append(self.look_nearby)
        for step in steps:
            if self.stopped_by not in (None, StopReason.MEMORY) or self._is_good_enough():
                return
            self.stopped_by = None
            step()

    def slide(self) -> None:
        """Solve a board one cell wide or high, where there is only one way: towards the goal."""
        way = self.goal.blank - self.board.blank
        # The tile goes against the blank.
        against = (LEFT, RIGHT) if self.board.height == 1 else (UP, DOWN)
        self.moves = np.full(abs(way), against[way < 0], dtype=np.uint8)
        self.lower = abs(way)

    def construct(self) -> None:
        """Find some solution, and a bound from the tiles' distances."""
        self.lower = self._distance()
        found = construct(self.board, self.goal, _optimally, self._limits_left())
        if isinstance(found, StopReason):
            self.stopped_by = found
        else:
            self.moves = found

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
        if self.lower > NEARBY_MOVES:
            return
        own = self.limits
        nodes = NEARBY_NODES if own.nodes is None else min(own.nodes, NEARBY_NODES)
        self.limits = replace(own, nodes=nodes)
        self.ida_star()
        self.limits = own
        if self.stopped_by is StopReason.NODES and nodes != own.nodes:
            self.stopped_by = None

    def ida_star(self) -> None:
        self._take(
            ida_star(
                self.board,
                self.goal,
                self._limits_left(),
                self.databases,
                self._listener(),
                known_bound=self.lower,
                heuristic=self.heuristic,
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

    def _distance(self) -> int:
        if self.board == self.goal:
            return 0
        conflicts = self.heuristic is not Heuristic.MANHATTAN
        return lower_bound(self.board, self.goal, conflicts=conflicts)

    def _is_good_enough(self) -> bool:
        return self.target.met_by(self.lower, None if self.moves is None else len(self.moves))

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
                    None if self.moves is None else len(self.moves),
                    nodes_before + search.nodes,
                    self._seconds(),
                )
            )

        return tell


def _optimally(board: Board, goal: Board) -> Moves:
    """Solve the few cells that the constructive solver leaves over."""
    moves = a_star(board, goal).moves
    return NO_MOVES if moves is None else moves


def warm_up(databases: Path | None = None) -> None:
    """Load or compile every kernel, and load or build the 4×4 databases.

    Numba keeps what it compiled on disk, so that only a host's first process takes long.
    """
    for size, algorithm in _EVERY_KERNEL:
        goal = blank_last(size)
        solve(next(goal.neighbors()), goal, algorithm=algorithm, databases=databases)


_EVERY_KERNEL = (
    (Size(3, 3), Algorithm.A_STAR),
    (Size(4, 4), Algorithm.IDA_STAR),
    (Size(5, 5), Algorithm.IDA_STAR),
    (Size(5, 5), Algorithm.CONSTRUCTIVE),
)
