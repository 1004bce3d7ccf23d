"""Replaying a solution: the one judge of whether it is one."""

from __future__ import annotations

import numpy as np

from core.errors import ReplayError
from core.puzzle.board import Board
from core.puzzle.moves import LETTERS, Moves, blank_steps


def apply(board: Board, moves: Moves) -> Board:
    """Return the board after the moves.

    Raises
    ------
    ReplayError
        At the first move that no tile can make, with its place.
    """
    width, height = board.size
    row_steps = np.array([1, -1, 0, 0], dtype=np.int64)
    column_steps = np.array([0, 0, 1, -1], dtype=np.int64)
    blank_row, blank_column = divmod(board.blank, width)
    rows = blank_row + np.cumsum(row_steps[moves])
    columns = blank_column + np.cumsum(column_steps[moves])
    illegal = (rows < 0) | (rows >= height) | (columns < 0) | (columns >= width)
    if illegal.any():
        place = int(np.argmax(illegal))
        raise ReplayError(f"move {place + 1} ({LETTERS[moves[place]]}) pushes a tile from outside")
    cells = board.cells.tolist()
    blank = board.blank
    steps = blank_steps(width)
    for code in moves.tolist():
        tile_cell = blank + steps[code]
        cells[blank] = cells[tile_cell]
        blank = tile_cell
    cells[blank] = 0
    return Board(cells, width, height)


def replay(start: Board, moves: Moves, goal: Board) -> None:
    """Check that the moves lead from start to goal.

    Raises
    ------
    ReplayError
        If a move is illegal or the last board is not the goal.
    """
    if apply(start, moves) != goal:
        raise ReplayError(f"{len(moves)} moves from {start!r} do not end at {goal!r}")
