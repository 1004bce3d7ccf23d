"""A board's tree searched many nodes at a time, threshold by threshold, best subtrees first."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tilework.core.puzzle.moves import Moves
from tilework.core.solver.heuristics.ranked_patterns import RankedPatterns
from tilework.core.solver.kernels.constants import (
    DEPTH,
    FOUND,
    MOST_BATCHED_MOVES,
    NEXT_THRESHOLD,
    NO_F,
)
from tilework.core.solver.kernels.depth_first.batched import (
    BATCH,
    BATCH_REPORT_LENGTH,
    BOARD,
    KNOWN,
    PATH,
    PLACE,
    ROOM,
    SUMS,
    TOP,
    WORD,
    search_batches,
)
from tilework.core.solver.optimal.move_pruning import PruningRules
from tilework.core.solver.optimal.subtrees import MOST_SUBTREES, in_order_of_promise
from tilework.core.solver.optimal.subtrees import TOP as TOP_MOVES

Words = NDArray[np.int64]

_ROWS = MOST_SUBTREES + 3 * BATCH * MOST_BATCHED_MOVES + ROOM
_NEVER = 1 << 62


class Batches:
    """The search of one board, which can stop anywhere and go on.

    Parameters
    ----------
    patterns : RankedPatterns
    ways : int64 array, shape (4,)
        How the blank's cell changes by each move code.
    rules : PruningRules
    cells : int64 array, shape (cells,)
        The board.
    placements : int64 array
        Of the board.

    Attributes
    ----------
    report : int64 array
        What the last call took, at the places of `tilework.core.solver.kernels.constants`; once a
        path was found, its length too.
    """

    def __init__(
        self,
        patterns: RankedPatterns,
        ways: Words,
        rules: PruningRules,
        cells: Words,
        placements: Words,
    ) -> None:
        self.report = np.zeros(BATCH_REPORT_LENGTH, dtype=np.int64)
        self._tables = (
            patterns.entries,
            ways,
            rules.following,
            rules.allowed,
            patterns.slots,
            patterns.seen_at,
            patterns.offsets,
            patterns.sets,
            patterns.lows,
            patterns.highs,
            patterns.set_ranks,
        )
        self._threshold = 0
        self._before: Words | None = None
        columns = WORD + placements.size
        self._stack = np.empty((_ROWS, columns), dtype=np.uint64)
        self._roots = np.empty((MOST_SUBTREES, columns), dtype=np.uint64)
        self._estimates = np.empty(MOST_SUBTREES, dtype=np.int64)
        self._nodes = np.zeros(MOST_SUBTREES, dtype=np.int64)
        blank = int(np.flatnonzero(cells == 0)[0])
        self._stack[0] = _node(patterns, cells, placements, int(rules.roots[blank]))
        self.report[TOP] = 1
        self._search(_NEVER, TOP_MOVES)
        known = int(self.report[KNOWN])
        self._roots, self._estimates = self._roots[:known], self._estimates[:known]
        self._order = np.arange(known)
        self._nodes = np.zeros(known, dtype=np.int64)

    def begin(self, threshold: int) -> None:
        """Go on to a threshold; all lower ones were exhausted, or proved otherwise."""
        if threshold > self._threshold > 0:
            self._order = in_order_of_promise(self._nodes, self._before)
            self._before = self._nodes
            self._nodes = np.zeros_like(self._nodes)
        else:
            # What a limit ended is searched again.
            self._nodes[:] = 0
        self._threshold = threshold
        within = self._estimates <= threshold
        rows = self._order[within[self._order]]
        # The first in the order comes to lie on top.
        self._stack[: rows.size] = self._roots[rows[::-1]]
        self.report[TOP] = rows.size
        over = self._estimates[~within]
        self.report[NEXT_THRESHOLD] = over.min() if over.size else NO_F

    def search(self, budget: int) -> int:
        """Generate so many nodes, or two more; return how the kernel ended."""
        status = self._search(budget, 0)
        if status == FOUND:
            self.report[DEPTH] = int(self._stack[self.report[TOP], PLACE]) & 0xFF
        return status

    @property
    def path(self) -> Moves:
        """The path that was found."""
        made = np.arange(self.report[DEPTH])
        words = self._stack[self.report[TOP], PATH + (made >> 5)]
        path: Moves = (words >> (2 * (made & 31)).astype(np.uint64) & 3).astype(np.uint8)
        return path

    def _search(self, budget: int, cut: int) -> int:
        status: int = search_batches(
            *self._tables,
            self._threshold,
            budget,
            cut,
            self._stack,
            self._roots,
            self._estimates,
            self._nodes,
            self.report,
        )
        return status


def _node(patterns: RankedPatterns, cells: Words, placements: Words, state: int) -> list[int]:
    """Lay a board out as a node without moves."""
    entries = patterns.entries_at(placements)
    node = [0] * (WORD + placements.size)
    node[BOARD] = sum(tile << 4 * cell for cell, tile in enumerate(cells.tolist()))
    for slot, (placement, entry) in enumerate(
        zip(placements.tolist(), entries.tolist(), strict=True)
    ):
        node[WORD + slot] = placement | entry
    half = len(entries) // 2
    node[SUMS] = int(entries[:half].sum()) | int(entries[half:].sum()) << 32
    node[PLACE] = cells.tolist().index(0) << 8 | state << 16
    return node
