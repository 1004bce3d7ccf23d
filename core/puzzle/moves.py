"""Moves: one tile slides one cell, and the move is named by the direction of the tile.

A sequence of moves is a flat uint8 array of codes. ``code ^ 1`` is the opposite move.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias, overload

import numpy as np
from numpy.typing import NDArray

from tilework.core.errors import MoveError

if TYPE_CHECKING:
    from tilework.core.puzzle.board import Size
    from tilework.core.puzzle.packing import MappedMoves, PackedMoves

Moves = NDArray[np.uint8]


# Moves that support slicing: an array, or moves that are unpacked when read
MoveSequence: TypeAlias = "Moves | PackedMoves | MappedMoves"

UP, DOWN, LEFT, RIGHT = range(4)
LETTERS = "UDLR"

NO_MOVES: Moves = np.zeros(0, dtype=np.uint8)
NO_MOVES.flags.writeable = False

_LETTER_TABLE = LETTERS.encode().ljust(256)  # for `bytes.translate`
_CHUNK = 1 << 18
_NO_CODE = 255
_CODES = np.full(256, _NO_CODE, dtype=np.uint8)
for _letters in (LETTERS, LETTERS.lower()):
    _CODES[np.frombuffer(_letters.encode(), dtype=np.uint8)] = range(4)


def blank_steps(width: int) -> tuple[int, int, int, int]:
    """Return by move code the change of the blank's cell, opposite to the tile's direction."""
    return (width, -width, 1, -1)


@overload
def legal_moves(blank: int, width: int, height: int) -> int: ...
@overload
def legal_moves(blank: NDArray[np.int64], width: int, height: int) -> NDArray[np.int64]: ...
def legal_moves(blank: Any, width: int, height: int) -> Any:
    """Return the legal moves for a blank's cell, or for each of several: bit m for move m."""
    row, column = divmod(blank, width)
    return (
        (row + 1 < height) << UP
        | (row > 0) << DOWN
        | (column + 1 < width) << LEFT
        | (column > 0) << RIGHT
    )


def from_letters(text: str) -> Moves:
    """Parse moves written as ``UDLR``, in upper or lower case."""
    moves = _CODES[np.frombuffer(text.encode("ascii", "replace"), dtype=np.uint8)]
    if moves.size and moves.max() == _NO_CODE:
        index = int(np.argmax(moves == _NO_CODE))
        raise MoveError(
            "move-letter",
            "move {position} is {letter!r}; moves are U, D, L and R",
            position=index + 1,
            letter=text[index],
        )
    return moves


def to_letters(moves: MoveSequence) -> str:
    chunks = (moves[start : start + _CHUNK] for start in range(0, len(moves), _CHUNK))
    return b"".join([chunk.tobytes().translate(_LETTER_TABLE) for chunk in chunks]).decode()


def reverse_moves(moves: Moves) -> Moves:
    """Return the moves that undo these: the opposite moves, last first."""
    return moves[::-1] ^ np.uint8(1)


@lru_cache(maxsize=64)
def move_tables(size: Size) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    """Return the blank's step by move, and the legal moves by cell (bit m for move m)."""
    steps = np.array(blank_steps(size.width), dtype=np.int64)
    legal = legal_moves(np.arange(size.cells), *size)
    return steps, legal.astype(np.uint8)


@lru_cache(maxsize=64)
def neighbor_table(size: Size) -> NDArray[np.int8]:
    """Return by blank cell and move the cell of the moved tile; -1 for none.

    Shape (cells, 4), for up to 128 cells.
    """
    steps, legal = move_tables(size)
    cells = np.arange(size.cells)[:, None] + steps
    return np.where(legal[:, None] >> np.arange(4) & 1, cells, -1).astype(np.int8)
