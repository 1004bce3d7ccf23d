"""The additive pattern-database estimate: of stored partitions, and of small boards."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from tilework.core.puzzle.arrangement import inverse
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.moves import blank_steps
from tilework.core.solver.kernels.constants import UNREACHED, VALUE
from tilework.core.solver.pdb.building.breadth_first import fill_distances
from tilework.core.solver.pdb.parts import Entries
from tilework.core.solver.pdb.patterns import Partition

_MOST_TILES = {12: 6, 16: 5}  # by cells up to, the tiles of a small board's largest pattern
Words = NDArray[np.int64]


class _Placed(NamedTuple):
    view: int
    offset: int  # where its entries begin
    tiles: NDArray[np.int32]
    places: Words  # by tile and cell, what the tile there adds to the index


class AdditivePatterns:
    """Tables that estimate boards towards one goal, in two views.

    The second view is the board mirrored at its main diagonal, or, of small boards, another
    partition; it sees the tiles grouped in another way, and the better of both estimates counts.
    A rectangle has no such mirror: there both views are the same.

    Attributes
    ----------
    slots : int64[2, cells]
        By view and tile: the number of the tile's pattern, those of the second view counted on.
    places : int64[2, cells, cells]; by view, tile and cell, what the tile there adds to the index
    offsets : int64[patterns]; what is added to each index besides
    steps : int64[2, cells, 4]; by view, tile and move: how the index of the tile's pattern changes
    """

    def __init__(self, goal: Board, entries: Entries, patterns: Iterable[_Placed]) -> None:
        cells = goal.size.cells
        self.entries = entries
        self.slots = np.zeros((2, cells), dtype=np.int64)
        self.steps = np.zeros((2, cells, 4), dtype=np.int64)
        self.places = np.zeros((2, cells, cells), dtype=np.int64)
        offsets = []
        for number, (view, offset, tiles, places) in enumerate(patterns):
            self.slots[view, tiles] = number
            self.places[view, tiles] = places
            offsets.append(offset)
        self.offsets = np.array(offsets, dtype=np.int64)
        for move, step in enumerate(blank_steps(goal.width)):
            # From whichever cell, a step adds the same.
            cell = 0 if step > 0 else cells - 1
            self.steps[:, :, move] = self.places[:, :, cell] - self.places[:, :, cell + step]

    @classmethod
    def of_partition(cls, partition: Partition, entries: Entries, goal: Board) -> Self:
        return cls(
            goal,
            entries,
            [
                _Placed(
                    view,
                    offset,
                    goal.cells[np.argsort(seen_at)[np.array(pattern) - 1]],
                    places[:, seen_at],
                )
                for view, seen_at in enumerate(views_of(goal))
                for pattern, offset, places in partition.entries_for_blank(int(seen_at[goal.blank]))
            ],
        )

    @classmethod
    def of_small_board(cls, goal: Board) -> Self:
        """Build the databases of a board of at most 16 cells."""
        cells = goal.size.cells
        placed, databases, offset = [], [], 0
        for view, patterns in enumerate(_small_partitions(goal)):
            for tiles in patterns:
                entries = np.full(cells ** len(tiles), UNREACHED, dtype=VALUE)
                goal_cells = inverse(goal.cells)[tiles].astype(np.int64)
                fill_distances(entries, goal.size, goal_cells, goal.blank)
                weights = cells ** np.arange(len(tiles), dtype=np.int64)
                placed.append(_Placed(view, offset, tiles, np.outer(weights, np.arange(cells))))
                databases.append(entries)
                offset += entries.size
        return cls(goal, np.concatenate(databases), placed)

    def indices(self, cells: NDArray[np.integer]) -> Words:
        """Index into `entries` of each pattern of the first view, then of the second."""
        indices = self.offsets.copy()
        tiles = np.arange(1, cells.size)
        places = inverse(np.asarray(cells))[1:]
        for view in range(2):
            np.add.at(indices, self.slots[view, 1:], self.places[view, tiles, places])
        return indices


def views_of(goal: Board) -> tuple[Words, Words]:
    """By view and cell, where a view sees the cell: a blank in a corner is last in both."""
    straight = np.arange(goal.size.cells).reshape(goal.height, goal.width)
    row, column = divmod(goal.blank, goal.width)
    if 2 * row < goal.height - 1:
        straight = straight[::-1]
    if 2 * column < goal.width - 1:
        straight = straight[:, ::-1]
    return straight.reshape(-1), _mirrored(goal.size)[straight.reshape(-1)]


def _mirrored(size: Size) -> Words:
    """By cell, where the mirror at the main diagonal puts it; the cell itself on a rectangle."""
    cells = np.arange(size.cells).reshape(size.height, size.width)
    return (cells.T if size.width == size.height else cells).reshape(-1)


def _small_partitions(goal: Board) -> tuple[list[NDArray[np.int32]], list[NDArray[np.int32]]]:
    """Cut the tiles into groups of neighbors along the longer side, then along the other."""
    cells = goal.size.cells
    largest = next(tiles for most, tiles in _MOST_TILES.items() if cells <= most)
    grid = goal.cells.reshape(goal.height, goal.width)
    along = (grid if goal.height > goal.width else grid.T).reshape(-1)
    across = (grid.T if goal.height > goal.width else grid).reshape(-1)
    groups = -(-(cells - 1) // largest)
    return np.array_split(along[along != 0], groups), np.array_split(across[across != 0], groups)
