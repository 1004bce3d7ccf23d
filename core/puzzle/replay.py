"""Replaying a solution, which decides whether it is one.

Whether each move stays on the board is decided for whole chunks of moves at once, by the
blank's path; only the sliding itself is a loop. Chunks keep the memory flat however long the
solution is.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from core.errors import ReplayError
from core.puzzle.board import Board
from core.puzzle.moves import LETTERS, Moves

CHUNK_MOVES = 1 << 15

# Above this a list of Python integers would take gigabytes; an array is slower but flat.
_LIST_CELLS = 1 << 20

# By move code: how the blank's row and column change.
_ROW_STEPS = np.array([1, -1, 0, 0], dtype=np.int32)
_COLUMN_STEPS = np.array([0, 0, 1, -1], dtype=np.int32)


def blank_path(board: Board, moves: Moves) -> Iterator[NDArray[np.int32]]:
    """Yield, in chunks, the blank's cell after each move.

    Raises
    ------
    ReplayError
        At the first move that no tile can make, with its place from 1.
    """
    width, height = board.size
    row, column = divmod(board.blank, width)
    for start in range(0, len(moves), CHUNK_MOVES):
        chunk = moves[start : start + CHUNK_MOVES]
        try:
            rows = np.cumsum(_ROW_STEPS.take(chunk), dtype=np.int32)
            columns = np.cumsum(_COLUMN_STEPS.take(chunk), dtype=np.int32)
        except IndexError:
            place = start + int(np.argmax(chunk > 3))
            raise ReplayError(
                "move-code",
                "move {place} has the code {code}; codes go from 0 to 3",
                place=place + 1,
                code=moves[place],
            ) from None
        rows += row
        columns += column
        # Read as unsigned, a negative number is larger than any side.
        illegal = (rows.view(np.uint32) >= height) | (columns.view(np.uint32) >= width)
        if illegal.any():
            place = start + int(illegal.argmax())
            letter = LETTERS[moves[place]]
            raise ReplayError(
                "illegal-move",
                "move {place}, {letter}, is illegal: no tile can slide that way",
                place=place + 1,
                letter=letter,
            )
        row, column = int(rows[-1]), int(columns[-1])
        rows *= width
        rows += columns
        yield rows


def apply(board: Board, moves: Moves) -> Board:
    """Return the board after the moves.

    Raises
    ------
    ReplayError
        At the first move that no tile can make, with its place.
    """
    cells = _mutable(board)
    blank = board.blank
    for path in blank_path(board, moves):
        for cell in path.tolist():
            cells[blank] = cells[cell]
            blank = cell
    cells[blank] = 0
    return Board.trusted(np.array(cells, dtype=np.int32), board.size, blank)


def moved_tiles(board: Board, moves: Moves) -> Iterator[list[int]]:
    """Yield, in chunks, the number of the tile that each move slides.

    Raises
    ------
    ReplayError
        As `apply`.
    """
    cells = _mutable(board)
    blank = board.blank
    for path in blank_path(board, moves):
        tiles = []
        for cell in path.tolist():
            tile = cells[cell]
            cells[blank] = tile
            tiles.append(tile)
            blank = cell
        yield tiles


def replay(start: Board, moves: Moves, goal: Board) -> None:
    """Check that the moves lead from start to goal.

    Raises
    ------
    ReplayError
        If a move is illegal or the last board is not the goal.
    """
    if apply(start, moves) != goal:
        raise ReplayError(
            "replay",
            "the {count}-move solution of {start} does not end at {goal}",
            count=len(moves),
            start=repr(start),
            goal=repr(goal),
        )


def _mutable(board: Board) -> list[int] | array[int]:
    if board.cells.size <= _LIST_CELLS:
        cells: list[int] = board.cells.tolist()
        return cells
    return array("i", board.cells.tobytes())
