"""The additive pattern-database heuristic, with stored or in-memory databases."""

from __future__ import annotations

from collections.abc import Iterable
from math import comb
from typing import NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from tilework.core.puzzle.arrangement import inverse
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.moves import blank_steps
from tilework.core.solver.kernels.constants import (
    DISTANCE,
    LARGE_FLAG,
    SMALL_FLAG,
    UNREACHED,
    VALUE,
)
from tilework.core.solver.kernels.depth_first.digits import CELLS_BIT, INDEX_BIT
from tilework.core.solver.kernels.depth_first.ranked import pack_patterns
from tilework.core.solver.pdb.breadth_first import fill_distances, find_large_cells
from tilework.core.solver.pdb.partitions import Entries, Partition, list_neighbors
from tilework.core.solver.pdb.ranks import (
    HALF_ORDER,
    MAX_RANKED_CELLS,
    order_ranks,
    set_rank_halves,
)

_MAX_TILES = {12: 6, 16: 5}  # tiles of the largest pattern, by maximum number of cells
Words = NDArray[np.int64]


class _Pattern(NamedTuple):
    view: int
    offset: int  # of the pattern's entries
    tiles: NDArray[np.int32]
    terms: Words  # terms of the index, by tile and cell


class AdditivePatterns:
    """Lookup of estimates for one goal, in two views.

    The second view is the board reflected across its main diagonal or, for small boards, another
    partition. It groups the tiles differently, and the larger estimate is used. For a rectangle
    with a stored partition, both views are the same.

    Attributes
    ----------
    slots : int64[2, cells]
        By view and tile, the number of the tile's pattern, counted across both views.
    terms : int64[2, cells, cells]; by view, tile and cell, the tile's term of the index
    offsets : int64[patterns]; added to each index
    steps : int64[2, cells, 4]; by view, tile and move, the change of the index
    distance_mask : int; the bits of an entry that are its distance
    adjacent : uint64[cells]; by cell, those next to it, or empty to ignore the flags of entries
    """

    def __init__(
        self,
        goal: Board,
        entries: Entries,
        patterns: Iterable[_Pattern],
        *,
        has_flags: bool = False,
        zero_aware: bool = False,
    ) -> None:
        cells = goal.size.cells
        self.distance_mask = DISTANCE if has_flags else UNREACHED
        self.adjacent = _find_adjacent_cells(goal.size) if zero_aware else np.empty(0, np.uint64)
        self.entries = entries
        self.slots = np.zeros((2, cells), dtype=np.int64)
        self.steps = np.zeros((2, cells, 4), dtype=np.int64)
        self.terms = np.zeros((2, cells, cells), dtype=np.int64)
        offsets = []
        for number, (view, offset, tiles, terms) in enumerate(patterns):
            self.slots[view, tiles] = number
            self.terms[view, tiles] = terms
            offsets.append(offset)
        self.offsets = np.array(offsets, dtype=np.int64)
        for move, step in enumerate(blank_steps(goal.width)):
            # The change is the same from every cell.
            cell = 0 if step > 0 else cells - 1
            self.steps[:, :, move] = self.terms[:, :, cell] - self.terms[:, :, cell + step]

    @classmethod
    def from_partition(
        cls, partition: Partition, entries: Entries, goal: Board, *, zero_aware: bool = True
    ) -> Self:
        return cls(
            goal,
            entries,
            [
                _Pattern(
                    view,
                    offset,
                    goal.cells[np.argsort(view_cells)[np.array(pattern) - 1]],
                    terms[:, view_cells],
                )
                for view, view_cells in enumerate(number_cells(goal))
                for pattern, offset, terms in partition.entries_for_blank(
                    int(view_cells[goal.blank])
                )
            ],
            has_flags=partition.small_cells > 0,
            zero_aware=zero_aware and partition.small_cells > 0,
        )

    @classmethod
    def from_small_board(cls, goal: Board) -> Self:
        """Build the databases of a board of at most 16 cells."""
        cells = goal.size.cells
        patterns, databases, offset = [], [], 0
        for view, groups in enumerate(_small_partitions(goal)):
            for tiles in groups:
                entries = np.full(cells ** len(tiles), UNREACHED, dtype=VALUE)
                goal_cells = inverse(goal.cells)[tiles].astype(np.int64)
                fill_distances(entries, goal.size, goal_cells, goal.blank)
                weights = cells ** np.arange(len(tiles), dtype=np.int64)
                patterns.append(_Pattern(view, offset, tiles, np.outer(weights, np.arange(cells))))
                databases.append(entries)
                offset += entries.size
        return cls(goal, np.concatenate(databases), patterns)

    def indices(self, cells: NDArray[np.integer]) -> Words:
        """Return the indices into ``entries`` of the patterns of both views."""
        indices = self.offsets.copy()
        tiles = np.arange(1, cells.size)
        tile_cells = inverse(np.asarray(cells))[1:]
        for view in range(2):
            np.add.at(indices, self.slots[view, 1:], self.terms[view, tiles, tile_cells])
        return indices

    def distances(self, indices: Words) -> Words:
        """Return the distances of placements, whatever the region of the blank."""
        return self.entries[indices].astype(np.int64) & self.distance_mask

    def make_words(self, cells: NDArray[np.integer]) -> Words:
        """Return the patterns' words; see `tilework.core.solver.kernels.depth_first.digits`."""
        indices = self.indices(cells)
        words = indices << INDEX_BIT | self.distances(indices)
        if self.adjacent.size == 0:
            return words
        occupied = np.zeros(indices.size, dtype=np.uint64)
        blank, *tile_cells = inverse(np.asarray(cells)).astype(np.uint64)
        for view in range(2):
            np.bitwise_or.at(occupied, self.slots[view, 1:], np.uint64(1) << np.array(tile_cells))
        is_large = self.adjacent[blank] & ~occupied != 0
        flags = self.entries[indices] & np.where(is_large, LARGE_FLAG, SMALL_FLAG)
        words += 2 * (flags != 0)
        return words | occupied.astype(np.int64) << CELLS_BIT


def _find_adjacent_cells(size: Size) -> NDArray[np.uint64]:
    """Return the cells next to each cell, as a word."""
    neighbors = list_neighbors(size)
    return np.array([sum(1 << cell for cell in cells) for cells in neighbors], dtype=np.uint64)


def number_cells(goal: Board) -> tuple[Words, Words]:
    """Return the number of each cell in both views, in which a blank in a corner comes last."""
    numbers = np.arange(goal.size.cells).reshape(goal.height, goal.width)
    row, column = divmod(goal.blank, goal.width)
    if 2 * row < goal.height - 1:
        numbers = numbers[::-1]
    if 2 * column < goal.width - 1:
        numbers = numbers[:, ::-1]
    return numbers.reshape(-1), _transpose_cells(goal.size)[numbers.reshape(-1)]


def _transpose_cells(size: Size) -> Words:
    """Return each cell's mirror image across the main diagonal; the same cell on a rectangle."""
    cells = np.arange(size.cells).reshape(size.height, size.width)
    return (cells.T if size.width == size.height else cells).reshape(-1)


def _small_partitions(goal: Board) -> tuple[list[NDArray[np.int32]], list[NDArray[np.int32]]]:
    """Divide the tiles into groups along the longer side, and along the other side."""
    cells = goal.size.cells
    max_tiles = next(tiles for max_cells, tiles in _MAX_TILES.items() if cells <= max_cells)
    grid = goal.cells.reshape(goal.height, goal.width)
    along = (grid if goal.height > goal.width else grid.T).reshape(-1)
    across = (grid.T if goal.height > goal.width else grid).reshape(-1)
    groups = -(-(cells - 1) // max_tiles)
    return np.array_split(along[along != 0], groups), np.array_split(across[across != 0], groups)


class RankedPatterns:
    """Lookup of estimates for one goal of at most 16 cells, in two views.

    Attributes
    ----------
    slots; see `AdditivePatterns`
    view_cells : int64[2, cells]; by view and cell, the cell's number in the view
    offsets, sets : int64[patterns]; offset of a pattern's entries, and its number of cell sets
    lows, highs : uint16[patterns, 4096]; term of the rank by pattern and half of an order
    high_sets : uint16[patterns, 256]; term of the rank by pattern and upper byte of a cell set
    large_cells : uint16[65536]; by cell set, the cells of large regions
    gain : int; the moves that a flag of an entry adds: 2, or 0 to ignore flags
    """

    def __init__(
        self, partition: Partition, entries: Entries, goal: Board, *, zero_aware: bool = True
    ) -> None:
        cells = goal.size.cells
        patterns = partition.patterns
        self.gain = 2 if zero_aware else 0
        self.entries = entries
        self.view_cells = np.array(number_cells(goal), dtype=np.int64)
        self.slots = np.zeros((2, cells), dtype=np.int64)
        self.offsets = np.array(partition.offsets, dtype=np.int64)
        self.sets = np.array([comb(cells, len(pattern)) for pattern in patterns], dtype=np.int64)
        ranks = [order_ranks(len(pattern)) for pattern in patterns]
        self.lows = np.array([low for low, _ in ranks])
        self.highs = np.array([high for _, high in ranks])
        self.low_sets = set_rank_halves(0)[0]
        self.high_sets = np.array([set_rank_halves(len(pattern))[1] for pattern in patterns])
        self.large_cells = np.zeros(1 << MAX_RANKED_CELLS, dtype=np.uint16)
        for tiles in {len(pattern) for pattern in patterns}:
            cell_sets, large_cells = find_large_cells(goal.size, tiles, partition.small_cells)
            self.large_cells[cell_sets] = large_cells
        self._positions = np.zeros((2, cells), dtype=np.int64)
        self._cell_at = np.argsort(self.view_cells, axis=1)
        self._patterns = np.tile(np.arange(len(patterns)), 2)
        for view, view_cells in enumerate(self.view_cells):
            for number, pattern in enumerate(patterns):
                tiles = goal.cells[inverse(view_cells)[np.array(pattern) - 1]]
                self.slots[view, tiles] = view * len(patterns) + number
                self._positions[view, tiles] = np.arange(len(pattern))

    def placements(self, cells: NDArray[np.integer]) -> Words:
        """Return the patterns' words without entries; see `kernels.depth_first.ranked`."""
        words = np.empty(2 * self.sets.size, dtype=np.int64)
        flat = np.ascontiguousarray(cells, dtype=np.int32)
        pack_patterns(flat, self.slots, self._positions, self._cell_at, words)
        return words

    def distances(self, placements: Words, blank: int) -> NDArray[np.uint8]:
        """Return the distances of placements, with the blank on a cell of the board."""
        order, mask = placements >> 24, placements >> 8 & 0xFFFF
        pattern = self._patterns
        rank = self.lows[pattern, order & (1 << HALF_ORDER) - 1].astype(np.int64)
        rank += self.highs[pattern, order >> HALF_ORDER]
        set_rank = self.low_sets[mask & 0xFF] + self.high_sets[pattern, mask >> 8]
        entries = self.entries[self.offsets[pattern] + rank * self.sets[pattern] + set_rank]
        blanks = np.repeat(self.view_cells[:, blank], self.sets.size)
        is_large = self.large_cells[mask] >> blanks & 1 == 1
        is_flagged = entries & np.where(is_large, LARGE_FLAG, SMALL_FLAG) != 0
        distances: NDArray[np.uint8] = (entries & DISTANCE) + np.uint8(self.gain) * is_flagged
        return distances
