"""Moves and boards as bytes for storage.

Moves: the count as 8 little-endian bytes, then zlib over two bits a move, four moves a byte, the
first in the lowest bits. Long solutions have their chunks in
`tilework.core.puzzle.packed_moves`. Boards: width and height as 2 little-endian bytes each, then
zlib over the tiles in the least of 1, 2 or 4 bytes each.
"""

from __future__ import annotations

import zlib

import numpy as np
from numpy.typing import NDArray

from tilework.core.errors import BoardError, MoveError
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import Moves

COUNT_BYTES = 8
_SIDE_BYTES = 2
_LEVEL = 6


def pack(moves: Moves) -> bytes:
    """Pack moves, two bits each, compressed."""
    return len(moves).to_bytes(COUNT_BYTES, "little") + pack_body(moves)


def unpack(packed: bytes) -> Moves:
    """Read what `pack` wrote.

    Raises
    ------
    MoveError
        If the bytes are damaged.
    """
    if len(packed) < COUNT_BYTES:
        raise _damaged(packed)
    return unpack_body(packed[COUNT_BYTES:], count_of(packed))


def count_of(packed: bytes) -> int:
    """Return how many moves `pack` wrote, without unpacking them."""
    return int.from_bytes(packed[:COUNT_BYTES], "little")


def pack_body(moves: Moves) -> bytes:
    """Pack moves without their count."""
    return zlib.compress(two_bits(moves), _LEVEL)


def unpack_body(body: bytes, count: int) -> Moves:
    """Read what `pack_body` wrote.

    Raises
    ------
    MoveError
        If the bytes are damaged, or hold another number of moves.
    """
    quads = _inflated(body, -(-count // 4))
    if quads is None:
        raise _damaged(body)
    moves = np.empty((len(quads), 4), dtype=np.uint8)
    for place in range(4):
        np.right_shift(quads, np.uint8(2 * place), out=moves[:, place])
    moves &= np.uint8(3)
    return moves.reshape(-1)[:count]


def two_bits(moves: Moves) -> bytes:
    """Write moves four a byte, the first in the lowest bits; what is left of the last byte is 0."""
    quads = np.zeros(-(-len(moves) // 4), dtype=np.uint8)
    for place in range(4):
        part = moves[place::4]
        quads[: len(part)] |= part << np.uint8(2 * place)
    return quads.tobytes()


def pack_board(board: Board) -> bytes:
    """Pack a board, compressed."""
    head = b"".join(side.to_bytes(_SIDE_BYTES, "little") for side in board.size)
    body = np.ascontiguousarray(board.cells, dtype=_tile_type(board.size.cells))
    return head + zlib.compress(body.tobytes(), _LEVEL)


def unpack_board(packed: bytes) -> Board:
    """Read what `pack_board` wrote.

    Raises
    ------
    BoardError
        If the bytes are damaged.
    """
    width = int.from_bytes(packed[:_SIDE_BYTES], "little")
    height = int.from_bytes(packed[_SIDE_BYTES : 2 * _SIDE_BYTES], "little")
    kind = _tile_type(width * height)
    tiles = _inflated(packed[2 * _SIDE_BYTES :], width * height * kind.itemsize)
    if tiles is None:
        raise BoardError("packed-board", "the packed board is damaged ({size} B)", size=len(packed))
    return Board(tiles.view(kind).astype(np.int32), width, height)


def _damaged(packed: bytes) -> MoveError:
    return MoveError("packed-moves", "the packed moves are damaged ({size} B)", size=len(packed))


def _tile_type(cells: int) -> np.dtype[np.unsignedinteger]:
    return np.dtype("u1" if cells <= 1 << 8 else "<u2" if cells <= 1 << 16 else "<u4")


def _inflated(body: bytes, size: int) -> NDArray[np.uint8] | None:
    """Decompress to exactly that many bytes, and never to more; None if that is not possible."""
    inflater = zlib.decompressobj()
    try:
        plain = inflater.decompress(body, size + 1)
    except (zlib.error, OverflowError):
        return None
    if len(plain) != size or not inflater.eof:
        return None
    return np.frombuffer(plain, dtype=np.uint8)
