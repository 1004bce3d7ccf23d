"""The arrays of a beam that do not depend on how its boards are estimated."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tilework.core.puzzle.board import Board, Size
from tilework.core.solver.grid import grid
from tilework.core.solver.kernels.beam.beam import COUNT, GOAL, REPORT_LENGTH

Bytes = NDArray[np.uint8]
Words = NDArray[np.int64]
Origins = NDArray[np.uint32]
"""By row of a level, the row of the parent and the move from there: ``row << 2 | move``."""


class Grid:
    """Tables that are the same for all boards of a size.

    Attributes
    ----------
    ways, legal
        How the blank's cell changes by each move, and by cell the set of legal moves.
    zobrist : int64 array, shape (cells, cells)
        By tile and cell, a random word; a board's hash is the exclusive or over its tiles.
    """

    def __init__(self, size: Size) -> None:
        self.ways, self.legal = grid(size)
        random = np.random.default_rng(size.cells)
        self.zobrist = random.integers(1 << 62, size=(size.cells, size.cells), dtype=np.int64)


@dataclass(slots=True)
class Level:
    """Boards at one distance from the start; see `tilework.core.solver.kernels.beam.beam`."""

    boards: Bytes
    hashes: Words

    @classmethod
    def empty(cls, width: int, cells: int) -> Level:
        return cls(np.empty((width, cells + 2), dtype=np.uint8), np.empty(width, dtype=np.int64))

    def begin(self, board: Board, grid: Grid) -> None:
        """Put one board in row 0."""
        cells = board.size.cells
        self.boards[0, :cells] = board.cells
        self.boards[0, cells:] = board.blank, 0
        words = grid.zobrist[board.cells, np.arange(cells)]
        # The blank has no part in a hash.
        self.hashes[0] = np.bitwise_xor.reduce(words[board.cells != 0])

    @property
    def nbytes(self) -> int:
        return self.boards.nbytes + self.hashes.nbytes


class Candidates:
    """Children of a level that are new; see `tilework.core.solver.kernels.beam.beam`.

    Parameters
    ----------
    width : int
        Boards of a level.
    memory : int
        Hashes of earlier levels to remember at least.

    Attributes
    ----------
    size : int
        Room for so many.
    table : int64 array
        Hashes of those that are there, and of earlier ones.
    """

    def __init__(self, width: int, memory: int) -> None:
        # The first board has up to four children, any other at most three.
        self.size = 3 * width + 1
        self.keys = np.empty(self.size, dtype=np.int64)
        self.origins = np.empty(self.size, dtype=np.uint32)
        self.report = np.zeros(REPORT_LENGTH, dtype=np.int64)
        self.report[GOAL] = -1
        self._memory = memory
        self._room = np.empty(_table_length(max(self.size, memory)), dtype=np.int64)
        self.table = self._room[:0]
        self._entered = 0

    def clear(self, boards: int) -> None:
        """Make room for the children of so many boards."""
        new = 3 * boards + 1
        self._entered += int(self.report[COUNT])
        if self._entered + new > max(new, self._memory) or self.table.size == 0:
            self._entered = 0
            self.table = self._room[: _table_length(max(new, self._memory))]
            self.table.fill(0)
        self.report[COUNT] = 0

    @property
    def nbytes(self) -> int:
        return self.keys.nbytes + self.origins.nbytes + self._room.nbytes


def _table_length(hashes: int) -> int:
    """Return a power of two that leaves a table of so many hashes at least half empty."""
    return 1 << (2 * hashes - 1).bit_length()
