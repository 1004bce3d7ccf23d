"""A* for boards of up to 16 cells."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from tilework.core.errors import UnsolvableError
from tilework.core.puzzle.arrangement import inverse
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import Moves, neighbor_table
from tilework.core.search.limits import Limits, Statistics, search_clock
from tilework.core.solver.heuristics.lower_bounds import lower_bound
from tilework.core.solver.kernels import a_star as kernel
from tilework.core.solver.kernels.line_conflicts import PACKED_CELLS
from tilework.core.solver.result import Progress, ProgressListener, SearchResult
from tilework.core.solver.target import Algorithm, Heuristic

CHUNK = 200_000
FIRST_NODES = 4_096
GROWTH = 4
NODE_BYTES = 8 + 4 + 4 + 4 + 2 * 4  # in four arrays, and two slots of the table
UNCOMPILED_CELLS = 9  # largest board that is solved within 0.1 s before kernels are compiled
DEFAULT_MEMORY_BYTES = 512 << 20

# A power of two above any path length, by maximum number of cells
_SIDES = ((9, 64), (12, 256), (PACKED_CELLS, 512))


def a_star(
    board: Board,
    goal: Board,
    *,
    heuristic: Heuristic = Heuristic.AUTO,
    limits: Limits | None = None,
    progress: ProgressListener | None = None,
) -> SearchResult:
    """Search for a shortest solution; if a limit is reached, return the proven lower bound.

    Parameters
    ----------
    board, goal : Board; of the same size, 2 to 16 cells; the goal must be reachable
    heuristic : Heuristic; Manhattan, or linear conflict (also for ``AUTO``)
    limits : Limits, optional; memory is that of the nodes and the table, by default 512 MiB

    Returns
    -------
    SearchResult; ``lower_bound`` is the minimum f of the frontier. ``moves`` are not replayed.

    Notes
    -----
    Hart, Nilsson, Raphael, "A formal basis for the heuristic determination of minimum cost
    paths", 1968. Both heuristics are consistent, so no closed node is reopened.
    """
    search = _Search(board, goal, heuristic is not Heuristic.MANHATTAN)
    limits = limits or Limits()
    if limits.memory_bytes is None:
        limits = replace(limits, memory_bytes=DEFAULT_MEMORY_BYTES)
    started = search_clock()
    stopped_by = None
    while stopped_by is None:
        # An expanded node has at most four children.
        status = search.expand((limits.budget(4 * CHUNK, search.generated) + 3) // 4)
        seconds = search_clock() - started
        if status == kernel.GOAL_REACHED:
            break
        if status == kernel.EXHAUSTED:
            raise UnsolvableError(
                "unreachable",
                "{goal} cannot be reached from {board}",
                goal=repr(goal),
                board=repr(board),
            )
        next_bytes = search.next_bytes if status == kernel.NO_ROOM else 0
        stopped_by = limits.check(seconds, search.generated, next_bytes)
        if status == kernel.NO_ROOM and stopped_by is None:
            search.enlarge()
        if progress is not None:
            progress(Progress(search.min_f, None, search.generated, seconds))
    return SearchResult(
        lower_bound=search.min_f,
        moves=search.path() if stopped_by is None else None,
        algorithm=Algorithm.A_STAR.value,
        statistics=search.statistics(search_clock() - started),
        stopped_by=stopped_by,
        engine=f"{board.width}x{board.height} {'lines' if search.conflicts else 'manhattan'}",
    )


class _Search:
    """The arrays of a search; see `tilework.core.solver.kernels.a_star`."""

    def __init__(self, board: Board, goal: Board, conflicts: bool) -> None:
        size = board.size
        is_small = size.cells <= UNCOMPILED_CELLS
        self._kernel = kernel.expand.call_on_small_input if is_small else kernel.expand
        self._fill_slots = kernel.fill_slots.call_on_small_input if is_small else kernel.fill_slots
        self.side = next(side for cells, side in _SIDES if size.cells <= cells)
        self.width = size.width
        self.conflicts = int(conflicts)
        self.neighbors = neighbor_table(size)
        self.distances, self.goals = _goal_tables(goal)
        self.states = np.empty(FIRST_NODES, dtype=np.int64)
        self.fields = np.empty(FIRST_NODES, dtype=np.int32)
        self.parents = np.empty(FIRST_NODES, dtype=np.int32)
        self.next_nodes = np.empty(FIRST_NODES, dtype=np.int32)
        self.heads = np.full(2 * self.side * self.side, -1, dtype=np.int32)
        self.control = np.zeros(kernel.CONTROL_SIZE, dtype=np.int64)
        start_h = lower_bound(board, goal, conflicts=conflicts)
        self.control[kernel.COUNT] = self.control[kernel.OPEN] = 1
        self.control[kernel.MAX_OPEN] = 1
        self.control[kernel.F] = start_h
        self.control[kernel.SIDE] = self.side
        self.states[0] = pack(board)
        self.fields[0] = board.blank << 9
        self.parents[0] = self.next_nodes[0] = -1
        self.heads[start_h * self.side] = 0
        self._make_table()

    def expand(self, budget: int) -> int:
        return int(
            self._kernel(
                self.states, self.fields, self.parents, self.next_nodes, self.slots, self.heads,
                self.control, self.neighbors, self.distances, self.goals, self.width,
                self.conflicts, budget,
            )
        )  # fmt: skip

    def enlarge(self) -> None:
        count = int(self.control[kernel.COUNT])
        new_size = self.states.size * GROWTH
        for name in ("states", "fields", "parents", "next_nodes"):
            array = getattr(self, name)
            enlarged = np.empty(new_size, dtype=array.dtype)
            enlarged[:count] = array[:count]
            setattr(self, name, enlarged)
        self._make_table()

    def _make_table(self) -> None:
        self.slots = np.zeros(2 * self.states.size, dtype=np.int32)
        self._fill_slots(self.states, self.slots, int(self.control[kernel.COUNT]))

    @property
    def next_bytes(self) -> int:
        """The bytes of the arrays after the next enlargement."""
        node_count: int = self.states.size
        return node_count * GROWTH * NODE_BYTES

    @property
    def generated(self) -> int:
        return int(self.control[kernel.GENERATED])

    @property
    def min_f(self) -> int:
        return int(self.control[kernel.F])

    def path(self) -> Moves:
        g = int(self.control[kernel.G])
        node = int(self.heads[self.min_f * self.side + g])
        moves = np.empty(g, dtype=np.uint8)
        for index in range(g - 1, -1, -1):
            moves[index] = (int(self.fields[node]) >> 13) & 3
            node = int(self.parents[node])
        return moves

    def statistics(self, seconds: float) -> Statistics:
        return Statistics(
            expanded=int(self.control[kernel.EXPANDED]),
            generated=self.generated,
            seconds=seconds,
            max_frontier=int(self.control[kernel.MAX_OPEN]),
        )


def pack(board: Board) -> int:
    """Return the board as a signed 64-bit integer (`kernels.line_conflicts`)."""
    tiles: list[int] = board.cells.tolist()
    packed = sum(tile << (4 * cell) for cell, tile in enumerate(tiles))
    return packed - (1 << 64) if packed >> 63 else packed


@lru_cache(maxsize=64)
def _goal_tables(goal: Board) -> tuple[NDArray[np.int8], NDArray[np.int64]]:
    """Return distances by tile and cell, shape (16, 16), and goal rows and columns, (2, 16)."""
    rows, columns = np.divmod(inverse(goal.cells).astype(np.int64), goal.width)
    goals = np.zeros((2, PACKED_CELLS), dtype=np.int64)
    goals[:, : rows.size] = rows, columns
    cell_rows, cell_columns = np.divmod(np.arange(goal.size.cells), goal.width)
    distances = np.zeros((PACKED_CELLS, PACKED_CELLS), dtype=np.int8)
    distances[: rows.size, : rows.size] = np.abs(rows[:, None] - cell_rows) + np.abs(
        columns[:, None] - cell_columns
    )
    distances[0] = 0
    return distances, goals
