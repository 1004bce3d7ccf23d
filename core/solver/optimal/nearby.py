"""IDA* for boards of any size whose goal is near, in a window around the blank's paths.

In a solution of at most T moves, the blank stays on cells c with
``distance(start, c) + distance(c, goal) <= T``, where start and goal are the blank's cells, and no
tile outside moves. So a misplaced tile outside proves that there is no such solution; otherwise
only a rectangle around these cells must be searched, whose size depends only on T.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tilework.core.puzzle.arrangement import difference, inverse, rearrangement
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import NO_MOVES, Moves, legal_moves
from tilework.core.search.limits import Limits, Statistics, StopReason, search_clock
from tilework.core.solver.kernels.constants import EXHAUSTED, FOUND, MAX_NEARBY_MOVES, OUT_OF_BUDGET
from tilework.core.solver.kernels.line_conflicts import distance
from tilework.core.solver.kernels.nearby import (
    BLANK,
    CONFLICTS,
    DEPTH,
    DISTANCE,
    EXPANDED,
    GENERATED,
    STATE_SIZE,
    UNDO_SIZE,
    search_nearby,
)
from tilework.core.solver.result import SearchResult
from tilework.core.solver.target import Algorithm

MAX_MOVES = MAX_NEARBY_MOVES  # highest threshold, so that no window has more than 161×161 cells
_CHUNK = 1 << 15  # nodes between two checks of the limits: a few milliseconds
Cells = NDArray[np.int64]


def solve_nearby(
    board: Board, goal: Board, max_distance: int, limits: Limits | None = None
) -> SearchResult | None:
    """Find a shortest solution, if the goal is near.

    Parameters
    ----------
    board, goal : Board; of the same size, which can be any; the goal must be reachable
    max_distance : int; boards at a greater Manhattan distance are not searched; at most
        `MAX_MOVES`
    limits : Limits, optional; memory is not checked, because `MAX_MOVES` bounds it

    Returns
    -------
    SearchResult or None
        None if the goal is not near. The lower bound is always proven. There are no moves if a
        limit was reached or no solution has at most `MAX_MOVES` moves. Moves are not replayed.

    Notes
    -----
    R. Korf, "Depth-first iterative-deepening: an optimal admissible tree search", Artificial
    Intelligence 27 (1985).
    """
    limits = limits or Limits()
    started = search_clock()
    generated = expanded = 0

    def result(
        lower_bound: int, moves: Moves | None, stopped_by: StopReason | None = None
    ) -> SearchResult:
        statistics = Statistics(expanded, generated, search_clock() - started)
        engine = f"{board.width}x{board.height} lines"
        return SearchResult(
            lower_bound, moves, Algorithm.IDA_STAR, statistics, stopped_by, engine=engine
        )

    misplaced = difference(board.cells, goal.cells, max_distance + 1)
    if misplaced is None:
        return None
    if misplaced.size == 0:
        return result(0, NO_MOVES)
    goal_cells = misplaced[rearrangement(board.cells, goal.cells, misplaced)]
    if _measure_manhattan(board, misplaced, goal_cells) > max_distance:
        return None
    # The blank must visit every misplaced cell. All bounds have the parity of the solutions.
    path_lengths = _measure_distances(misplaced, board.blank, board.width)
    path_lengths += _measure_distances(misplaced, goal.blank, board.width)
    threshold = int(path_lengths.max())
    while threshold <= MAX_MOVES:
        window = _Window(board, goal, misplaced, goal_cells, threshold)
        if window.estimate > threshold:
            threshold = window.estimate
            continue
        previous = generated, expanded
        status = OUT_OF_BUDGET
        stopped_by: StopReason | None = None
        while status == OUT_OF_BUDGET and stopped_by is None:
            status = window.search(limits.budget(_CHUNK, generated))
            generated = previous[0] + window.generated
            expanded = previous[1] + window.expanded
            stopped_by = limits.check(search_clock() - started, generated)
        if status == FOUND:
            return result(threshold, window.moves)
        if status == EXHAUSTED:
            threshold += 2
        if stopped_by is not None:
            return result(threshold, None, stopped_by)
    return result(threshold, None)


def _measure_manhattan(board: Board, misplaced: Cells, goal_cells: Cells) -> int:
    tiles = board.cells[misplaced] != 0
    return int(_measure_distances(misplaced[tiles], goal_cells[tiles], board.width).sum())


def _measure_distances(cells: Cells, others: Cells | int, width: int) -> Cells:
    rows, columns = np.divmod(cells, width)
    other_rows, other_columns = np.divmod(others, width)
    distances: Cells = np.abs(rows - other_rows) + np.abs(columns - other_columns)
    return distances


class _Window:
    """The rectangle that solutions of up to ``threshold`` moves can change, and its search."""

    def __init__(
        self, board: Board, goal: Board, misplaced: Cells, goal_cells: Cells, threshold: int
    ) -> None:
        self._board_width = board.width
        row, column = divmod(board.blank, board.width)
        goal_row, goal_column = divmod(goal.blank, board.width)
        # Half of the moves beyond the blank's shortest path lead away from it, half back to it.
        margin = (threshold - abs(row - goal_row) - abs(column - goal_column)) // 2
        self._top = max(0, min(row, goal_row) - margin)
        self._left = max(0, min(column, goal_column) - margin)
        height = min(board.height, max(row, goal_row) + margin + 1) - self._top
        self._width = min(board.width, max(column, goal_column) + margin + 1) - self._left
        self._threshold = threshold
        self._misplaced = self._to_window(misplaced)
        self._goal_blank = int(self._to_window(goal.blank))
        self._cells = np.arange(height * self._width, dtype=np.int64)
        self._rows, self._columns = np.divmod(self._cells, self._width)
        self._legal = legal_moves(self._cells, self._width, height).astype(np.uint8)
        self._cells[self._misplaced] = self._to_window(goal_cells)
        self._path = np.zeros(threshold + 1, dtype=np.uint8)
        self._untried = np.zeros(threshold + 1, dtype=np.uint8)
        self._undo_values = np.zeros((threshold + 1, UNDO_SIZE), dtype=np.int64)
        self._conflicts = np.zeros(height + self._width, dtype=np.int64)
        self._tails = np.zeros(max(height, self._width), dtype=np.int64)
        self._state = np.zeros(STATE_SIZE, dtype=np.int64)
        self._state[BLANK] = self._to_window(board.blank)
        tile_distance, conflicts = self._estimate()
        self._state[DISTANCE], self._state[CONFLICTS] = tile_distance, conflicts
        self.estimate = int(tile_distance + conflicts)

    def _estimate(self) -> tuple[int, int]:
        """Return the Manhattan distance and the linear conflicts of the window."""
        goals = np.arange(self._cells.size, dtype=np.int32)
        goals[: self._goal_blank + 1] = np.roll(goals[: self._goal_blank + 1], 1)
        tiles = inverse(goals)[self._cells]
        tiles[self._state[BLANK]] = 0
        distances: tuple[int, int] = distance(tiles, goals, self._width, True, self._conflicts)
        return distances

    def search(self, nodes: int) -> int:
        return int(
            search_nearby(
                self._cells, self._rows, self._columns, self._legal, self._misplaced,
                self._goal_blank, self._threshold, nodes, self._path, self._untried,
                self._undo_values, self._conflicts, self._tails, self._state,
            )
        )  # fmt: skip

    @property
    def moves(self) -> Moves:
        return self._path[: self._state[DEPTH]].copy()

    @property
    def generated(self) -> int:
        return int(self._state[GENERATED])

    @property
    def expanded(self) -> int:
        return int(self._state[EXPANDED])

    def _to_window(self, cells: Cells | int) -> Cells:
        rows, columns = np.divmod(np.asarray(cells, dtype=np.int64), self._board_width)
        window_cells: Cells = (rows - self._top) * self._width + columns - self._left
        return window_cells
