"""Solutions of millions of moves: packed in chunks, and unpacked only where they are read.

Whoever reads a sequence in order, by slices, never has more than a few chunks unpacked.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tilework.core.errors import MoveError
from tilework.core.puzzle.moves import Moves, MoveSequence
from tilework.core.puzzle.packing import unpack_body

CHUNK_MOVES = 1 << 18
"""Moves of a chunk: 64 KB packed."""

# Reading backwards by slices that straddle two chunks would otherwise unpack each of them twice.
_KEPT = 2

_TAKEN = 1 << 16


def chunks_of(first: int, end: int) -> range:
    """Return the numbers of the chunks with the moves from first up to end."""
    return range(first // CHUNK_MOVES, -(-end // CHUNK_MOVES)) if first < end else range(0)


class PackedMoves:
    """Moves as chunks of `CHUNK_MOVES` moves.

    Parameters
    ----------
    count : int
        All the moves there are.
    chunks : mapping of int to bytes
        By number; those that are never read may be left out.
    """

    def __init__(self, count: int, chunks: Mapping[int, bytes]) -> None:
        self._count = count
        self._chunks = chunks
        self._kept: dict[int, Moves] = {}

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, part: slice) -> Moves:
        """Unpack some moves.

        Raises
        ------
        MoveError
            If a chunk is damaged or missing.
        """
        first, end, _ = part.indices(self._count)
        numbers = chunks_of(first, end)
        if len(numbers) == 1:
            begin = numbers[0] * CHUNK_MOVES
            return self._chunk(numbers[0])[first - begin : end - begin]
        moves = np.empty(max(0, end - first), dtype=np.uint8)
        for number in numbers:
            begin = number * CHUNK_MOVES
            chunk = self._chunk(number)[max(0, first - begin) : end - begin]
            place = max(first, begin) - first
            moves[place : place + len(chunk)] = chunk
        return moves

    def _chunk(self, number: int) -> Moves:
        found = self._kept.get(number)
        if found is None:
            if number not in self._chunks:
                raise MoveError(
                    "missing-moves", "chunk {number} of the packed moves is missing", number=number
                )
            length = min(CHUNK_MOVES, self._count - number * CHUNK_MOVES)
            found = unpack_body(self._chunks[number], length)
            if len(self._kept) == _KEPT:
                del self._kept[next(iter(self._kept))]
            self._kept[number] = found
        return found


class SeenMoves:
    """Moves under other names, perhaps the last one first; made as they are read.

    Parameters
    ----------
    moves : MoveSequence
    images : Moves
        The new code of each of the four.
    backwards : bool
    """

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
        seen = np.empty_like(moves)
        # As an index a move takes eight bytes for a moment.
        for start in range(0, len(moves), _TAKEN):
            seen[start : start + _TAKEN] = self._images[moves[start : start + _TAKEN]]
        return seen
