"""Moves: one tile slides one cell, and the move is named by the way the tile goes.

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


# Moves that are read by slices of consecutive ones: an array, or unpacked as they are needed
MoveSequence: TypeAlias = "Moves | PackedMoves | MappedMoves"

UP, DOWN, LEFT, RIGHT = range(4)
LETTERS = "UDLR"

NO_MOVES: Moves = np.zeros(0, dtype=np.uint8)
NO_MOVES.flags.writeable = False

_LETTER_BYTES = np.frombuffer(LETTERS.encode(), dtype=np.uint8)
_PIECE = 1 << 18
_NO_CODE = 255
_CODES = np.full(256, _NO_CODE, dtype=np.uint8)
for _letters in (LETTERS, LETTERS.lower()):
    _CODES[np.frombuffer(_letters.encode(), dtype=np.uint8)] = range(4)


def blank_steps(width: int) -> tuple[int, int, int, int]:
    """How the blank's cell index changes by each move code: against the way the tile goes."""
    return (width, -width, 1, -1)


@overload
def legal_moves(blank: int, width: int, height: int) -> int: ...
@overload
def legal_moves(blank: NDArray[np.int64], width: int, height: int) -> NDArray[np.int64]: ...
def legal_moves(blank: Any, width: int, height: int) -> Any:
    """Return the set of moves that a blank on a cell allows, or by each of several cells.

    Bit m is set where the move with code m is possible: a tile comes from below to go up.
    """
    row, column = divmod(blank, width)
    return (
        (row + 1 < height) << UP
        | (row > 0) << DOWN
        | (column + 1 < width) << LEFT
        | (column > 0) << RIGHT
    )


def from_letters(text: str) -> Moves:
    """Read ``UDLR`` letters (upper or lower case) as moves."""
    moves = _CODES[np.frombuffer(text.encode("ascii", "replace"), dtype=np.uint8)]
    if moves.size and moves.max() == _NO_CODE:
        place = int(np.argmax(moves == _NO_CODE))
        raise MoveError(
            "move-letter",
            "move {place} is {letter!r}; moves are U, D, L and R",
            place=place + 1,
            letter=text[place],
        )
    return moves


def to_letters(moves: MoveSequence) -> str:
    # As an index a move takes eight bytes for a moment.
    pieces = (moves[start : start + _PIECE] for start in range(0, len(moves), _PIECE))
    return b"".join([_LETTER_BYTES[piece].tobytes() for piece in pieces]).decode()


def reversed_moves(moves: Moves) -> Moves:
    """The moves that undo these: opposite ways, last first."""
    return moves[::-1] ^ np.uint8(1)


@lru_cache(maxsize=64)
def move_tables(size: Size) -> tuple[NDArray[np.int64], NDArray[np.uint8]]:
    """Return the blank's step by move, and by cell the set of legal moves (bit m for move m)."""
    ways = np.array(blank_steps(size.width), dtype=np.int64)
    legal = legal_moves(np.arange(size.cells), *size)
    return ways, legal.astype(np.uint8)


@lru_cache(maxsize=64)
def neighbor_table(size: Size) -> NDArray[np.int8]:
    """Return the cell whose tile makes each move when the blank is on a cell; -1 for none.

    Shape (cells, 4), for up to 128 cells.
    """
    ways, legal = move_tables(size)
    cells = np.arange(size.cells)[:, None] + ways
    return np.where(legal[:, None] >> np.arange(4) & 1, cells, -1).astype(np.int8)
