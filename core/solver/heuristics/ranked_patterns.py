"""The additive estimate from ranked pattern databases, for any goal with the blank in a corner.

As `additive_patterns`, in two views, with the tables of `tilework.core.solver.pdb.ranks`.
"""

from __future__ import annotations

from math import comb

import numpy as np
from numpy.typing import NDArray

from tilework.core.puzzle.board import Board
from tilework.core.puzzle.distance import inverse
from tilework.core.solver.heuristics.additive_patterns import views_of
from tilework.core.solver.pdb.distances import Entries
from tilework.core.solver.pdb.patterns import Partition
from tilework.core.solver.pdb.ranks import order_ranks, set_ranks

Words = NDArray[np.int64]
Ranks = NDArray[np.uint16]


class RankedPatterns:
    """Tables that estimate boards of at most 16 cells towards one goal, in two views.

    Parameters
    ----------
    partition : Partition
        Of the goal's size, ranked.
    entries : uint8 array, shape (partition.length,)
    goal : Board
        With the blank in a corner.

    Attributes
    ----------
    slots : int64 array, shape (2, cells)
        By view and tile: the number of the tile's pattern, those of the second view counted on.
    seen_at : int64 array, shape (2, cells)
        By view and cell: where the view sees the cell.
    offsets, sets : int64 arrays, shape (2 * patterns,)
        By pattern, where its entries begin, and how many sets of cells it can have.
    lows, highs : uint16 arrays, shape (2 * patterns, 65536)
    set_ranks : uint16 array, shape (65536,)
    """

    def __init__(self, partition: Partition, entries: Entries, goal: Board) -> None:
        cells = goal.size.cells
        patterns = partition.patterns
        self.entries = entries
        self.seen_at = np.array(views_of(goal), dtype=np.int64)
        self.slots = np.zeros((2, cells), dtype=np.int64)
        self.offsets = np.array(partition.offsets * 2, dtype=np.int64)
        self.sets = np.array([comb(cells, len(one)) for one in patterns * 2], dtype=np.int64)
        ranks = [order_ranks(len(pattern)) for pattern in patterns * 2]
        self.lows = np.array([low for low, _ in ranks])
        self.highs = np.array([high for _, high in ranks])
        self.set_ranks = set_ranks()
        self._places = np.zeros((2, cells), dtype=np.int64)
        for view, seen_at in enumerate(self.seen_at):
            for number, pattern in enumerate(patterns):
                tiles = goal.cells[inverse(seen_at)[np.array(pattern) - 1]]
                self.slots[view, tiles] = view * len(patterns) + number
                self._places[view, tiles] = np.arange(len(pattern))

    def placements(self, cells: NDArray[np.integer]) -> Words:
        """Return each pattern's word without its entry; see `kernels.depth_first.ranked`."""
        words = np.zeros(self.sets.size, dtype=np.int64)
        for view, seen_at in enumerate(self.seen_at):
            # From the last cell to the first: the lowest comes to lie in the lowest bits.
            for cell in inverse(seen_at)[::-1]:
                if tile := cells[cell]:
                    slot = self.slots[view, tile]
                    order, mask = words[slot] >> 24, words[slot] >> 8 & 0xFFFF
                    order = order << 4 | self._places[view, tile]
                    mask |= 1 << seen_at[cell]
                    words[slot] = order << 24 | mask << 8
        return words

    def estimate(self, cells: NDArray[np.integer]) -> int:
        """Return a lower bound on the moves from a flat board to the goal."""
        return self.estimate_at(self.placements(cells))

    def estimate_at(self, placements: Words) -> int:
        """Return the lower bound that the entries of a board's placements make."""
        return int(self.entries_at(placements).reshape(2, -1).sum(axis=1, dtype=np.int64).max())

    def entries_at(self, placements: Words) -> NDArray[np.uint8]:
        """Return each pattern's entry at a board's placements."""
        order, mask = placements >> 24, placements >> 8 & 0xFFFF
        slot = np.arange(placements.size)
        rank = self.lows[slot, order & 0xFFFF].astype(np.int64) + self.highs[slot, order >> 16]
        found: NDArray[np.uint8] = self.entries[
            self.offsets + rank * self.sets + self.set_ranks[mask]
        ]
        return found
