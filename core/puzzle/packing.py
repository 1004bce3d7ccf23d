"""Moves and boards as bytes for storage.

Moves: the count as 8 little-endian bytes, then two bits per move, compressed with zlib; the first
move of each byte is in its lowest bits. Long solutions are split into chunks. Boards: width and
height as 2 little-endian bytes each, then the tiles, compressed with zlib, in 1, 2 or 4 bytes each.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tilework.core.errors import BoardError, MoveError
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import NO_MOVES, Moves, MoveSequence

Quads: TypeAlias = NDArray[np.uint8]
"""Four moves per byte."""

COUNT_BYTES = 8
_SIDE_BYTES = 2
_LEVEL = 6


def pack(moves: Moves) -> bytes:
    """Pack moves, two bits each, and compress them."""
    return len(moves).to_bytes(COUNT_BYTES, "little") + pack_body(moves)


def unpack(packed: bytes) -> Moves:
    if len(packed) < COUNT_BYTES:
        raise _damage_error(packed)
    return unpack_body(packed[COUNT_BYTES:], packed_count(packed))


def packed_count(packed: bytes) -> int:
    """Return the number of packed moves without unpacking them."""
    return int.from_bytes(packed[:COUNT_BYTES], "little")


def pack_body(moves: Moves, level: int = _LEVEL) -> bytes:
    return zlib.compress(pack_two_bits(moves), level)


def unpack_body(body: bytes, count: int) -> Moves:
    return _unpack_two_bits(_inflate_moves(body, count), count)


def _inflate_moves(body: bytes, count: int) -> Quads:
    quads = _inflate(body, -(-count // 4))
    if quads is None:
        raise _damage_error(body)
    return quads


def _unpack_two_bits(quads: Quads, count: int) -> Moves:
    moves = np.empty((len(quads), 4), dtype=np.uint8)
    for index in range(4):
        np.right_shift(quads, np.uint8(2 * index), out=moves[:, index])
    moves &= np.uint8(3)
    return moves.reshape(-1)[:count]


def pack_two_bits(moves: Moves) -> bytes:
    """Pack four moves per byte, the first in the lowest bits; the last byte is padded with 0."""
    quads = np.zeros(-(-len(moves) // 4), dtype=np.uint8)
    for index in range(4):
        part = moves[index::4]
        quads[: len(part)] |= part << np.uint8(2 * index)
    return quads.tobytes()


def pack_board(board: Board) -> bytes:
    width, height = board.size
    header = width.to_bytes(_SIDE_BYTES, "little") + height.to_bytes(_SIDE_BYTES, "little")
    body = np.ascontiguousarray(board.cells, dtype=_tile_type(board.size.cells))
    return header + zlib.compress(body.tobytes(), _LEVEL)


def unpack_board(packed: bytes) -> Board:
    width = int.from_bytes(packed[:_SIDE_BYTES], "little")
    height = int.from_bytes(packed[_SIDE_BYTES : 2 * _SIDE_BYTES], "little")
    tile_type = _tile_type(width * height)
    tiles = _inflate(packed[2 * _SIDE_BYTES :], width * height * tile_type.itemsize)
    if tiles is None:
        raise BoardError("packed-board", "the packed board is damaged ({size} B)", size=len(packed))
    return Board(tiles.view(tile_type).astype(np.int32), width, height)


def _damage_error(packed: bytes) -> MoveError:
    return MoveError("packed-moves", "the packed moves are damaged ({size} B)", size=len(packed))


def _tile_type(cells: int) -> np.dtype[np.unsignedinteger]:
    return np.dtype("u1" if cells <= 1 << 8 else "<u2" if cells <= 1 << 16 else "<u4")


def _inflate(body: bytes, size: int) -> NDArray[np.uint8] | None:
    """Decompress exactly ``size`` bytes, and never more; None if the size differs."""
    inflater = zlib.decompressobj()
    try:
        plain = inflater.decompress(body, size + 1)
    except (zlib.error, OverflowError):
        return None
    if len(plain) != size or not inflater.eof:
        return None
    return np.frombuffer(plain, dtype=np.uint8)


CHUNK_MOVES = 1 << 18  # moves of a chunk: 64 KB packed

_MAPPED_CHUNK = 1 << 16


def chunk_numbers(first: int, end: int) -> range:
    """Return the numbers of the chunks with the moves from ``first`` to ``end - 1``."""
    return range(first // CHUNK_MOVES, -(-end // CHUNK_MOVES)) if first < end else range(0)


class PackedMoves:
    """Moves in chunks of `CHUNK_MOVES`, which are unpacked when read.

    Parameters
    ----------
    read_quads : callable, optional; reads a chunk of a number of moves, by default the result of
        `pack_body`
    """

    def __init__(
        self,
        count: int,
        chunks: Mapping[int, bytes],
        read_quads: Callable[[bytes, int], Quads] = _inflate_moves,
    ) -> None:
        self._count = count
        self._chunks = chunks
        self._read_quads = read_quads
        # The last chunk that was read, with its number.
        self._last: tuple[int, Quads] | None = None

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, part: slice) -> Moves:
        first, end, _ = part.indices(self._count)
        numbers = list(chunk_numbers(first, end))
        last = self._last
        if last is not None and last[0] in numbers:
            # It comes first, so that reading backwards does not read it again.
            numbers.sort(key=lambda number: number != last[0])
        moves = np.empty(max(0, end - first), dtype=np.uint8)
        for number in numbers:
            start = number * CHUNK_MOVES
            low, high = max(first, start), min(end, start + CHUNK_MOVES)
            moves[low - first : high - first] = self._read(number, low - start, high - start)
        return moves

    def _read(self, number: int, first: int, end: int) -> Moves:
        last = self._last
        if last is None or last[0] != number:
            if number not in self._chunks:
                raise MoveError(
                    "missing-moves", "chunk {number} of the packed moves is missing", number=number
                )
            length = min(CHUNK_MOVES, self._count - number * CHUNK_MOVES)
            last = self._last = number, self._read_quads(self._chunks[number], length)
        quads = last[1][first // 4 : -(-end // 4)]
        return _unpack_two_bits(quads, end - first // 4 * 4)[first % 4 :]


# Level 6 takes twice as long, for chunks that are 2.5% smaller
_CHUNK_LEVEL = 1


class CompressedMoves(PackedMoves):
    """Moves in the chunks in which they are stored, for which a transaction should not wait."""

    def __init__(self, moves: MoveSequence) -> None:
        count = len(moves)
        self.chunks = {
            number: pack_body(
                moves[number * CHUNK_MOVES : (number + 1) * CHUNK_MOVES], _CHUNK_LEVEL
            )
            for number in chunk_numbers(0, count)
        }
        super().__init__(count, self.chunks)


_MAX_PLAIN_CHUNKS = 4  # of a record, before all but the last one are packed


class MoveRecord:
    """Moves that are recorded part by part, packed at two bits each.

    Where two parts meet, moves that cancel each other are removed.
    """

    def __init__(self) -> None:
        self._chunks: list[bytes] = []
        self._parts: list[Moves] = []  # not packed yet
        self._plain_count = 0

    def __len__(self) -> int:
        return len(self._chunks) * CHUNK_MOVES + self._plain_count

    def copy(self) -> MoveRecord:
        record = MoveRecord()
        record._chunks, record._parts = self._chunks.copy(), self._parts.copy()
        record._plain_count = self._plain_count
        return record

    def add(self, moves: Moves) -> None:
        """Record moves; the array is not copied."""
        while self._parts and len(moves) and self._parts[-1][-1] == moves[0] ^ 1:
            last = self._parts.pop()[:-1]
            moves = moves[1:]
            self._plain_count -= 1
            if len(last):
                self._parts.append(last)
        if len(moves):
            self._parts.append(moves)
            self._plain_count += len(moves)
        if self._plain_count > _MAX_PLAIN_CHUNKS * CHUNK_MOVES:
            self._pack_parts()

    def _pack_parts(self) -> None:
        moves = np.concatenate(self._parts)
        # The last moves can still be cancelled, so they are not packed.
        end = (len(moves) // CHUNK_MOVES - 1) * CHUNK_MOVES
        for start in range(0, end, CHUNK_MOVES):
            self._chunks.append(pack_two_bits(moves[start : start + CHUNK_MOVES]))
        self._parts = [moves[end:].copy()]
        self._plain_count -= end

    def read(self) -> PackedMoves:
        """Return all moves recorded so far, packed."""
        moves = np.concatenate([NO_MOVES, *self._parts])
        starts = range(0, len(moves), CHUNK_MOVES)
        last_chunks = [pack_two_bits(moves[start : start + CHUNK_MOVES]) for start in starts]
        chunks = dict(enumerate([*self._chunks, *last_chunks]))
        return PackedMoves(len(self), chunks, _view_quads)


def _view_quads(chunk: bytes, _count: int) -> Quads:
    return np.frombuffer(chunk, dtype=np.uint8)


class MappedMoves:
    """Moves with each code replaced by its image, possibly in reverse; mapped when read."""

    def __init__(self, moves: MoveSequence, images: Moves, backwards: bool = False) -> None:
        self._moves = moves
        self._images = images
        self._backwards = backwards

    def __len__(self) -> int:
        return len(self._moves)

    def __getitem__(self, part: slice) -> Moves:
        count = len(self)
        first, end, _ = part.indices(count)
        if self._backwards:
            moves = self._moves[count - end : count - first][::-1]
        else:
            moves = self._moves[first:end]
        mapped = np.empty_like(moves)
        # As an index, a move temporarily takes eight bytes.
        for start in range(0, len(moves), _MAPPED_CHUNK):
            chunk = slice(start, start + _MAPPED_CHUNK)
            mapped[chunk] = self._images[moves[chunk]]
        return mapped
