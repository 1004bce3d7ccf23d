"""The constructive solver: solves any board line by line, quickly but with many moves."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from tilework.core.puzzle.arrangement import inverse
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.moves import Moves
from tilework.core.search.limits import Limits, StopReason, search_clock
from tilework.core.solver.kernels import constructive as kernel
from tilework.core.solver.kernels.constructive import line_move_limit, solve_line
from tilework.core.solver.optimal.a_star import a_star

RESIDUAL_CELLS = 9  # of the last rectangle, which is solved optimally within a millisecond

# For the moves, one byte each; enough for boards of about 1,000×1,000
DEFAULT_MEMORY_BYTES = 2 << 30

# Maximum number of moves between two checks of the limits. Usually there are a tenth as many, which
# take a few milliseconds.
CHUNK_MOVES = 1 << 20


def construct(board: Board, goal: Board, limits: Limits | None = None) -> Moves | StopReason:
    """Solve the outer lines one by one, always across the longer side, and then the last rectangle.

    The number of moves and the time grow with cells × (width + height). The memory limit applies to
    the moves, which are not replayed.
    """
    limits = limits or Limits()
    started = search_clock()
    memory = DEFAULT_MEMORY_BYTES if limits.memory_bytes is None else limits.memory_bytes
    # No nodes are expanded, and memory for the moves is reserved line by line.
    line_limits = Limits(seconds=limits.seconds, cancelled=limits.cancelled)

    def stopped_by() -> StopReason | None:
        return line_limits.check(search_clock() - started)

    construction = _Construction(board, goal, memory)
    while construction.unsolved.cells > RESIDUAL_CELLS:
        if (reason := construction.solve_line(stopped_by)) is not None:
            return reason
    return construction.solve_residual()


class _Construction:
    """The board during the construction, and its unsolved rectangle."""

    def __init__(self, board: Board, goal: Board, memory_bytes: int) -> None:
        self.memory_bytes = memory_bytes
        self.width = board.width
        self.cells = inverse(goal.cells)[board.cells]
        self.positions = inverse(self.cells)
        self.blank_goal = goal.blank
        self.out = np.empty(min(1 << 12, memory_bytes), dtype=np.uint8)
        self.length = 0
        self.top = self.left = 0
        self.unsolved = board.size

    def solve_line(self, stopped_by: Callable[[], StopReason | None]) -> StopReason | None:
        """Solve the outer line, across the longer side, that is farther from the blank's goal."""
        by_columns = self.unsolved.width > self.unsolved.height
        across, along = (
            (self.unsolved.width, self.unsolved.height)
            if by_columns
            else (self.unsolved.height, self.unsolved.width)
        )
        row, column = divmod(self.blank_goal, self.width)
        goal_line = column - self.left if by_columns else row - self.top
        at_far_side = goal_line < across / 2
        blank_row, blank_column = divmod(int(self.positions[self.blank_goal]), self.width)
        row, column = blank_row - self.top, blank_column - self.left
        blank_line, offset = (column, row) if by_columns else (row, column)
        # Start at the end of the line that is nearer to the blank.
        is_reversed = offset > along / 2
        line_step, cell_step = (1, self.width) if by_columns else (self.width, 1)
        corner = self.top * self.width + self.left
        base = (
            corner + (across - 1) * line_step * at_far_side + (along - 1) * cell_step * is_reversed
        )
        view = np.empty(kernel.VIEW_SIZE, dtype=np.int64)
        view[kernel.BASE] = base
        view[kernel.ROW_STEP] = -line_step if at_far_side else line_step
        view[kernel.COLUMN_STEP] = -cell_step if is_reversed else cell_step
        view[kernel.ROWS] = across
        view[kernel.COLUMNS] = along
        view[kernel.WIDTH] = self.width
        view[kernel.BLANK_ROW] = across - 1 - blank_line if at_far_side else blank_line
        view[kernel.BLANK_COLUMN] = along - 1 - offset if is_reversed else offset
        view[kernel.LENGTH] = self.length
        columns = max(1, CHUNK_MOVES // line_move_limit(across, along, 1))
        for start in range(0, along, columns):
            end = start + columns
            if not self._make_room(line_move_limit(across, along, min(columns, along))):
                return StopReason.MEMORY
            self.length = int(solve_line(self.cells, self.positions, self.out, view, start, end))
            if (reason := stopped_by()) is not None:
                return reason
        if by_columns:
            self.left += not at_far_side
            self.unsolved = Size(across - 1, along)
        else:
            self.top += not at_far_side
            self.unsolved = Size(along, across - 1)
        return None

    def solve_residual(self) -> Moves | StopReason:
        """Solve the last rectangle optimally; return all moves, or `StopReason.MEMORY`."""
        moves = a_star(*self._extract_residual()).moves
        assert moves is not None  # noqa: S101 -- the search has no limits
        if not self._make_room(len(moves)):
            return StopReason.MEMORY
        self.out[self.length : self.length + len(moves)] = moves[:]
        self.length += len(moves)
        return self.out[: self.length]

    def _extract_residual(self) -> tuple[Board, Board]:
        grid = self.cells.reshape(-1, self.width)
        bottom, right = self.top + self.unsolved.height, self.left + self.unsolved.width
        labels = grid[self.top : bottom, self.left : right].reshape(-1)
        goal_grid = np.arange(grid.size, dtype=np.int32).reshape(grid.shape)
        goal_labels = goal_grid[self.top : bottom, self.left : right].reshape(-1)
        return self._renumber(labels), self._renumber(goal_labels)

    def _renumber(self, labels: NDArray[np.int32]) -> Board:
        """Return a board with the labels renumbered as 1, 2, …, and 0 for the blank."""
        tiles = np.searchsorted(np.sort(labels), labels)
        blank = tiles[labels == self.blank_goal]
        return Board(
            np.where(tiles < blank, tiles + 1, np.where(tiles == blank, 0, tiles)), *self.unsolved
        )

    def _make_room(self, count: int) -> bool:
        """Make room for more moves; return False if that exceeds the memory limit."""
        min_size = self.length + count
        if min_size > self.memory_bytes:
            return False
        if min_size > self.out.size:
            size = min(max(min_size, 2 * self.out.size), self.memory_bytes)
            enlarged = np.empty(size, dtype=np.uint8)
            enlarged[: self.length] = self.out[: self.length]
            self.out = enlarged
        return True
