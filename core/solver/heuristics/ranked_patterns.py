"""The additive heuristic of ranked pattern databases, for goals with the blank in a corner."""

from __future__ import annotations

from math import comb

import numpy as np
from numpy.typing import NDArray

from tilework.core.puzzle.arrangement import inverse
from tilework.core.puzzle.board import Board
from tilework.core.solver.heuristics.additive_patterns import views_of
from tilework.core.solver.kernels.depth_first.ranked import place_patterns
from tilework.core.solver.pdb.parts import Entries
from tilework.core.solver.pdb.patterns import Partition
from tilework.core.solver.pdb.ranks import HALF_ORDER, order_ranks, set_rank_halves

Words = NDArray[np.int64]
Ranks = NDArray[np.uint16]


class RankedPatterns:
    """Lookup of estimates for boards of at most 16 cells towards one goal, in two views.

    Attributes
    ----------
    slots; see `AdditivePatterns`
    seen_at : int64[2, cells]; by view and cell, the cell's place in the view
    offsets, sets : int64[patterns]; offset of a pattern's entries, and its number of cell sets
    lows, highs : uint16[patterns, 4096]; term of the rank by pattern and half of an order
    high_sets : uint16[patterns, 256]; term of the rank by pattern and upper byte of a cell set
    """

    def __init__(self, partition: Partition, entries: Entries, goal: Board) -> None:
        cells = goal.size.cells
        patterns = partition.patterns
        self.entries = entries
        self.seen_at = np.array(views_of(goal), dtype=np.int64)
        self.slots = np.zeros((2, cells), dtype=np.int64)
        self.offsets = np.array(partition.offsets, dtype=np.int64)
        self.sets = np.array([comb(cells, len(one)) for one in patterns], dtype=np.int64)
        ranks = [order_ranks(len(pattern)) for pattern in patterns]
        self.lows = np.array([low for low, _ in ranks])
        self.highs = np.array([high for _, high in ranks])
        self.low_sets = set_rank_halves(0)[0]
        self.high_sets = np.array([set_rank_halves(len(pattern))[1] for pattern in patterns])
        self._places = np.zeros((2, cells), dtype=np.int64)
        self._cell_at = np.argsort(self.seen_at, axis=1)
        self._patterns = np.tile(np.arange(len(patterns)), 2)
        for view, seen_at in enumerate(self.seen_at):
            for number, pattern in enumerate(patterns):
                tiles = goal.cells[inverse(seen_at)[np.array(pattern) - 1]]
                self.slots[view, tiles] = view * len(patterns) + number
                self._places[view, tiles] = np.arange(len(pattern))

    def placements(self, cells: NDArray[np.integer]) -> Words:
        """Return the patterns' words without entries; see `kernels.depth_first.ranked`."""
        words = np.empty(2 * self.sets.size, dtype=np.int64)
        flat = np.ascontiguousarray(cells, dtype=np.int32)
        place_patterns(flat, self.slots, self._places, self._cell_at, words)
        return words

    def entries_at(self, placements: Words) -> NDArray[np.uint8]:
        order, mask = placements >> 24, placements >> 8 & 0xFFFF
        pattern = self._patterns
        rank = self.lows[pattern, order & (1 << HALF_ORDER) - 1].astype(np.int64)
        rank += self.highs[pattern, order >> HALF_ORDER]
        within = self.low_sets[mask & 0xFF] + self.high_sets[pattern, mask >> 8]
        found: NDArray[np.uint8] = self.entries[
            self.offsets[pattern] + rank * self.sets[pattern] + within
        ]
        return found
