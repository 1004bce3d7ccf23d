"""Shortest solutions from the tables of distances that this host has."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tilework.core.errors import DamagedFileError
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.canonical import canonicalize
from tilework.core.puzzle.moves import Moves
from tilework.core.puzzle.replay import replay
from tilework.core.solver.distances.table import DistanceTable, has_table
from tilework.core.solver.kernels.distances import descend
from tilework.core.solver.pdb.files import default_folder
from tilework.core.solver.pdb.store import open_cached

# Moves that a board with such a table needs at most: 6 × 2 needs so many, 4 × 3 needs 53
LONGEST: Final = 80


def way_down(table: DistanceTable, entries: NDArray[np.uint8], board: Board) -> Moves:
    """Return a shortest solution."""
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


logger = logging.getLogger(__name__)


def look_up(board: Board, goal: Board, pdb_folder: Path | None = None) -> Moves | None:
    """Return a shortest solution, replayed; None where no table has the board."""
    if not has_table(board.size):
        return None
    folder = pdb_folder or default_folder()
    if not folder.is_dir():
        return None
    form = canonicalize(board, goal)
    table = DistanceTable(form.goal.size, form.goal.blank)
    if (file := open_cached(table, folder)) is None:
        return None
    try:
        found = way_down(table, file.entries, form.board)
        file.confirm()
    except DamagedFileError as error:
        logger.warning("%s; it is not used", error)
        return None
    moves = form.transform.from_canonical(found)
    replay(board, moves, goal)
    return moves
