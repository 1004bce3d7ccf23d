"""Shortest solutions, read off a table of distances."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from tilework.core.errors import DamagedFileError
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import Moves
from tilework.core.solver.distances.table import DistanceTable
from tilework.core.solver.kernels.distances.descent import descend

LONGEST: Final = 80
"""Moves that a board with such a table needs at most: 6 × 2 needs so many, 4 × 3 needs 53."""


def way_down(table: DistanceTable, entries: NDArray[np.uint8], board: Board) -> Moves:
    """Return a shortest solution.

    Parameters
    ----------
    table : DistanceTable
    entries : uint8 array, shape (table.length,), read-only
    board : Board
        One that can reach the table's goal.

    Raises
    ------
    DamagedFileError
        Where the entries lead nowhere.
    """
    moves, numbers = np.empty(LONGEST, dtype=np.uint8), np.empty(LONGEST, dtype=np.int64)
    number = table.number(board)
    goal = table.number(table.goal)
    count = descend(
        entries, number, goal, table.weights, table.parities, table.neighbors, moves, numbers
    )
    if count < 0:
        raise DamagedFileError(
            "distances-way",
            "{name}: no entries lead from {cells} to the goal",
            name=table.title,
            cells=board.cells.tolist(),
        )
    return moves[:count]
