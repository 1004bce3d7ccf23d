"""Manhattan distance with linear conflicts, towards any goal."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tilework.core.puzzle.board import Board
from tilework.core.solver.kernels.depth_first.lines import estimate_lines


class LineConflicts:
    """Tables that estimate boards towards one goal.

    Attributes
    ----------
    goal_rows, goal_columns : int64 arrays, shape (cells,)
        By tile, where it belongs.
    """

    def __init__(self, goal: Board) -> None:
        belongs = np.argsort(goal.cells).astype(np.int64)
        self.goal_rows, self.goal_columns = np.divmod(belongs, goal.width)
        self._width = goal.width
        self._lines = goal.width + goal.height

    def estimate(self, cells: NDArray[np.integer]) -> int:
        """Return a lower bound on the moves from a flat board to the goal."""
        distance, conflicts = self.parts(cells)
        return distance + int(conflicts.sum())

    def parts(self, cells: NDArray[np.integer]) -> tuple[int, NDArray[np.int64]]:
        """Return a flat board's Manhattan distance and, by line, rows first, its conflicts."""
        conflicts = np.empty(self._lines, dtype=np.int64)
        distance, _ = estimate_lines(
            cells.astype(np.int64), self.goal_rows, self.goal_columns, self._width, conflicts
        )
        return int(distance), conflicts
