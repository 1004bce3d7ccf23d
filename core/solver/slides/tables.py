"""The pattern databases of slides as the search reads them: an index a pattern, kept up."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tilework.core.puzzle.board import Board
from tilework.core.puzzle.distance import inverse
from tilework.core.puzzle.goals import blank_at
from tilework.core.solver.grid import neighbors_of
from tilework.core.solver.slides.building import weights_of
from tilework.core.solver.slides.patterns import SlidePatterns


class SlideTables:
    """Tables that estimate boards towards the goal of their patterns.

    Parameters
    ----------
    patterns : SlidePatterns
    entries : uint8 array, shape (patterns.length,)

    Attributes
    ----------
    shifts : int64 array, shape (4, cells, tables)
        By the move of a tile and the tile, how the index of each table changes.
    """

    def __init__(self, patterns: SlidePatterns, entries: NDArray[np.uint8]) -> None:
        size = patterns.size
        self.entries = entries
        self.neighbors = neighbors_of(size)
        self.goal = blank_at(size, patterns.blank)
        straight = np.arange(size.cells)
        views = [straight]
        if patterns.is_mirrored:
            views.append(straight.reshape(size.height, size.width).T.reshape(-1))
        weights = weights_of(patterns)
        tables = [(view, number) for view in views for number in range(len(patterns.groups))]
        # By table, tile and cell, what the tile adds there to the index; tile 0 is the blank.
        self._parts = np.zeros((len(tables), size.cells, size.cells), dtype=np.int64)
        self._bases = np.array([number * patterns.entries for _, number in tables])
        for place, (view, number) in enumerate(tables):
            # A mirror is its own inverse.
            tiles = self.goal.cells[view[list(patterns.groups[number])]]
            self._parts[place, [0, *tiles]] = np.outer(weights, view)
        self.shifts = np.zeros((4, size.cells, len(tables)), dtype=np.int64)
        for move in range(4):
            blank = int(np.flatnonzero(self.neighbors[:, move] >= 0)[0])
            cell = int(self.neighbors[blank, move])
            further = self._parts[:, :, cell] - self._parts[:, :, blank]
            self.shifts[move] = (further[:, :1] - further).T

    def indices(self, cells: NDArray[np.integer]) -> NDArray[np.int64]:
        """Index into `entries` of each table."""
        tiles = np.arange(cells.size)
        at_tiles: NDArray[np.int64] = self._parts[:, tiles, inverse(np.asarray(cells))]
        indices: NDArray[np.int64] = self._bases + at_tiles.sum(axis=1)
        return indices

    def estimate(self, board: Board) -> int:
        """Return a lower bound on the slides from a board to the goal."""
        return int(self.entries[self.indices(board.cells)].max())
