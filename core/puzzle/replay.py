"""Replay of moves, which decides whether they are a solution."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray

from tilework.core.errors import MoveError, ReplayError
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.moves import LETTERS, Moves, MoveSequence

CHUNK_MOVES = 1 << 15

# For larger boards a list of Python integers would take gigabytes; an array is slower but compact
_LIST_CELLS = 1 << 20

_MAX_QUOTED_CELLS = 25

# For this many moves, a compiled loop is worth loading Numba (about a second, once per process)
KERNEL_MOVES = 1 << 20

# Changes of the blank's row and column, by move code
_ROW_STEPS = np.array([1, -1, 0, 0], dtype=np.int32)
_COLUMN_STEPS = np.array([0, 0, 1, -1], dtype=np.int32)


@contextmanager
def replaying_input() -> Iterator[None]:
    """Raise MoveError for moves that are wrong: they are input, so it is not an internal error."""
    try:
        yield
    except ReplayError as error:
        raise MoveError(error.message) from None


def blank_path(board: Board, moves: MoveSequence) -> Iterator[NDArray[np.int32]]:
    """Yield, in chunks, the blank's cell after each move."""
    blank = board.blank
    for start in range(0, len(moves), CHUNK_MOVES):
        path = _path(board.size, blank, moves[start : start + CHUNK_MOVES], start)
        blank = int(path[-1])
        yield path


def _path(size: Size, blank: int, chunk: Moves, start: int) -> NDArray[np.int32]:
    """Return the blank's cell after each move of a chunk; ``start`` is the number of its first."""
    width, height = size
    row, column = divmod(blank, width)
    try:
        rows = np.cumsum(_ROW_STEPS.take(chunk), dtype=np.int32)
        columns = np.cumsum(_COLUMN_STEPS.take(chunk), dtype=np.int32)
    except IndexError:
        index = int(np.argmax(chunk > 3))
        raise ReplayError(
            "move-code",
            "move {position} has the code {code}; codes go from 0 to 3",
            position=start + index + 1,
            code=chunk[index],
        ) from None
    rows += row
    columns += column
    # As an unsigned number, a negative one is larger than any side.
    illegal = (rows.view(np.uint32) >= height) | (columns.view(np.uint32) >= width)
    if illegal.any():
        index = int(illegal.argmax())
        raise ReplayError(
            "illegal-move",
            "move {position}, {letter}, is illegal: no tile can slide that way",
            position=start + index + 1,
            letter=LETTERS[chunk[index]],
        )
    rows *= width
    rows += columns
    return rows


def apply(board: Board, moves: MoveSequence, *, compiled: bool | None = None) -> Board:
    """Return the board after the moves.

    Parameters
    ----------
    compiled : bool, optional
        Whether to use the compiled loop; by default, for `KERNEL_MOVES` moves or more.
    """
    return next(boards_along(board, moves, max(1, len(moves)), compiled=compiled), board)


def boards_along(
    board: Board, moves: MoveSequence, stride: int, *, compiled: bool | None = None
) -> Iterator[Board]:
    """Yield the board after every ``stride`` moves, and the last board."""
    if compiled is None:
        compiled = len(moves) >= KERNEL_MOVES
    position = 0
    for cells, blank, count in (_replay_compiled if compiled else _replay_plain)(board, moves):
        position += count
        if position % stride == 0 or position == len(moves):
            cells[blank] = 0
            yield Board.trusted(np.array(cells, dtype=np.int32), board.size, blank)


def _replay_plain(
    board: Board, moves: MoveSequence
) -> Iterator[tuple[list[int] | array[int] | NDArray[np.int32], int, int]]:
    """Yield, after each chunk, the cells, the blank's cell, and the chunk's length."""
    cells = _mutable(board)
    blank = board.blank
    for path in blank_path(board, moves):
        for cell in path.tolist():
            cells[blank] = cells[cell]
            blank = cell
        yield cells, blank, len(path)


def _replay_compiled(
    board: Board, moves: MoveSequence
) -> Iterator[tuple[list[int] | array[int] | NDArray[np.int32], int, int]]:
    """Like `_replay_plain`, with a kernel."""
    from tilework.core.puzzle.board_kernel import slide

    cells, blank = board.cells.copy(), board.blank
    for start in range(0, len(moves), CHUNK_MOVES):
        chunk = np.ascontiguousarray(moves[start : start + CHUNK_MOVES])
        after = int(slide(cells, *board.size, blank, chunk))
        if after < 0:
            _path(board.size, blank, chunk, start)
        blank = after
        yield cells, blank, len(chunk)


def moved_tiles(board: Board, moves: MoveSequence) -> Iterator[list[int]]:
    """Yield, in chunks, the tile that each move slides."""
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


def replay(start: Board, moves: MoveSequence, goal: Board) -> None:
    replay_boards(start, moves, goal, max(1, len(moves)))


def replay_boards(start: Board, moves: MoveSequence, goal: Board, stride: int) -> list[Board]:
    """Replay a solution; return the board after every ``stride`` moves, and the last board."""
    boards = list(boards_along(start, moves, stride))
    if (boards[-1] if boards else start) != goal:
        raise ReplayError(
            "replay",
            "the {count}-move solution of {start} does not end at {goal}",
            count=len(moves),
            start=_in_one_line(start),
            goal=_in_one_line(goal),
        )
    return boards


def _in_one_line(board: Board) -> str:
    """Return the rows as users write them; of a large board, the beginning."""
    shown = list(map(str, board.cells[:_MAX_QUOTED_CELLS].tolist()))
    rows = [
        " ".join(shown[first : first + board.width]) for first in range(0, len(shown), board.width)
    ]
    return " / ".join(rows) + ("" if len(shown) == board.cells.size else " …")


def _mutable(board: Board) -> list[int] | array[int]:
    if board.cells.size <= _LIST_CELLS:
        cells: list[int] = board.cells.tolist()
        return cells
    return array("i", board.cells.tobytes())
