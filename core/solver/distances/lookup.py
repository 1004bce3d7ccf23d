"""Shortest solutions from stored distance tables."""

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
from tilework.core.solver.kernels.distances import follow_distances
from tilework.core.solver.pdb.files import default_folder
from tilework.core.solver.pdb.store import open_cached

# Moves of the longest optimal solution of a board with a table: 80 on 6×2 boards, 53 on 4×3
MAX_SOLUTION_MOVES: Final = 80

logger = logging.getLogger(__name__)


def follow_table(table: DistanceTable, entries: NDArray[np.uint8], board: Board) -> Moves:
    """Return a shortest solution."""
    moves = np.empty(MAX_SOLUTION_MOVES, dtype=np.uint8)
    numbers = np.empty(MAX_SOLUTION_MOVES, dtype=np.int64)
    number = table.number(board)
    goal = table.number(table.goal)
    count = follow_distances(
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


def look_up(board: Board, goal: Board, pdb_folder: Path | None = None) -> Moves | None:
    """Return a shortest solution, replayed; None if there is no table for the board."""
    if not has_table(board.size):
        return None
    folder = pdb_folder or default_folder()
    if not folder.is_dir():
        return None
    form = canonicalize(board, goal, reversible=False)
    table = DistanceTable(form.goal.size, form.goal.blank)
    if (file := open_cached(table, folder)) is None:
        return None
    try:
        canonical = follow_table(table, file.entries, form.board)
        file.confirm()
    except DamagedFileError as error:
        logger.warning("%s; ignoring the file", error)
        return None
    moves = form.transform.from_canonical(canonical)
    replay(board, moves, goal)
    return moves
