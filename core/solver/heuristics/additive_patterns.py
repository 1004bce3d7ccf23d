"""The additive pattern-database estimate, for the goals that a partition serves."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.moves import blank_steps
from tilework.core.solver.pdb.distances import Entries
from tilework.core.solver.pdb.patterns import Partition

Words = NDArray[np.int64]


class AdditivePatterns:
    """Tables that estimate boards towards one goal, in two views.

    The second view is the board mirrored at its main diagonal; it sees the tiles grouped in
    another way, and the better of both estimates counts. A rectangle has no such mirror: there
    both views are the same.

    Attributes
    ----------
    slots : int64[2, cells]
        By view and tile: the number of the tile's pattern, those of the second view counted on.
    steps : int64[2, cells, 4]; by view, tile and move: how the index of the tile's pattern changes
    """

    def __init__(self, partition: Partition, entries: Entries, goal: Board) -> None:
        cells = goal.size.cells
        self.entries = entries
        self.slots = np.zeros((2, cells), dtype=np.int64)
        self.steps = np.zeros((2, cells, 4), dtype=np.int64)
        bases: list[int] = []
        self._places = np.zeros((2, cells, cells), dtype=np.int64)
        for view, seen_at in enumerate(views_of(goal)):
            for pattern, offset, places in partition.serving(int(seen_at[goal.blank])):
                for part, by_cell in zip(pattern, places, strict=True):
                    tile = goal.cells[np.flatnonzero(seen_at == part - 1)[0]]
                    self.slots[view, tile] = len(bases)
                    self._places[view, tile] = by_cell[seen_at]
                bases.append(offset)
        self._bases = np.array(bases, dtype=np.int64)
        for move, way in enumerate(blank_steps(goal.size.width)):
            cell = _some_cell_with(way, cells)
            self.steps[:, :, move] = self._places[:, :, cell] - self._places[:, :, cell + way]

    def indices(self, cells: NDArray[np.integer]) -> Words:
        """Index into `entries` of each pattern of the first view, then of the second."""
        indices = self._bases.copy()
        blank_first = np.argsort(cells)
        for view in range(2):
            tiles = np.arange(1, cells.size)
            np.add.at(indices, self.slots[view, 1:], self._places[view, tiles, blank_first[1:]])
        return indices

    def estimate(self, cells: NDArray[np.integer]) -> int:
        return self.estimate_at(self.indices(cells))

    def estimate_at(self, indices: Words) -> int:
        return int(self.entries[indices].reshape(2, -1).sum(axis=1, dtype=np.int64).max())


def views_of(goal: Board) -> tuple[Words, Words]:
    """By view and cell, where a view sees the cell: a blank in a corner is last in both."""
    straight = _towards_blank_last(goal)
    return straight, _mirrored(goal.size)[straight]


def _towards_blank_last(goal: Board) -> Words:
    """By cell, where the mirrors that bring the goal's blank nearest to the last cell put it."""
    seen_at = np.arange(goal.size.cells).reshape(goal.height, goal.width)
    row, column = divmod(goal.blank, goal.width)
    if 2 * row < goal.height - 1:
        seen_at = seen_at[::-1]
    if 2 * column < goal.width - 1:
        seen_at = seen_at[:, ::-1]
    return seen_at.reshape(-1)


def _mirrored(size: Size) -> Words:
    """By cell, where the mirror at the main diagonal puts it; the cell itself on a rectangle."""
    cells = np.arange(size.cells).reshape(size.height, size.width)
    return (cells.T if size.width == size.height else cells).reshape(-1)


def _some_cell_with(way: int, cells: int) -> int:
    """Return a cell from which the blank can go that way: steps are the same for all of them."""
    return 0 if way > 0 else cells - 1
