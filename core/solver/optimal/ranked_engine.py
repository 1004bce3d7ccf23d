"""The engine of ranked pattern databases.

Separate from the others, so that its kernel is loaded or compiled only where there are such
databases.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import Moves
from tilework.core.solver.grid import grid
from tilework.core.solver.heuristics.ranked_patterns import RankedPatterns
from tilework.core.solver.kernels.depth_first.ranked import (
    estimate_ranked_along,
    search_ranked,
    search_ranked_in_order,
)
from tilework.core.solver.optimal.batches import Batches
from tilework.core.solver.optimal.engines import Start, Words, nothing_to_confirm
from tilework.core.solver.optimal.move_pruning import PruningRules
from tilework.core.solver.optimal.subtrees import Subtrees
from tilework.core.solver.optimal.walk import Walk


class RankedEngine:
    """Additive ranked pattern databases, in two views."""

    chunk = 2_000_000

    def __init__(
        self,
        name: str,
        goal: Board,
        patterns: RankedPatterns,
        rules: PruningRules,
        confirm: Callable[[], None] = nothing_to_confirm,
    ) -> None:
        self.name = name
        self.rules = rules
        self.confirm = confirm
        self._patterns = patterns
        self._ways, _ = grid(goal.size)

    def start(self, board: Board) -> Start:
        placements = self._patterns.placements(board.cells)
        estimate = self._patterns.estimate_at(placements)
        return Start(board.cells.astype(np.int64), placements, estimate)

    def search(self, start: Start, threshold: int, budget: int, walk: Walk) -> int:
        status: int = search_ranked(*self._tables(start), threshold, budget, *walk.arrays)
        return status

    def search_in_order(
        self, start: Start, threshold: int, budget: int, walk: Walk, subtrees: Subtrees
    ) -> int:
        status: int = search_ranked_in_order(
            *self._tables(start), threshold, budget, *walk.arrays, *subtrees.arrays
        )
        return status

    def estimates_along(self, start: Start, path: Moves) -> Words:
        patterns = self._patterns
        estimates = np.empty(path.size + 1, dtype=np.int64)
        estimate_ranked_along(
            patterns.entries,
            start.cells,
            self._ways,
            patterns.slots,
            patterns.seen_at,
            start.words,
            patterns.offsets,
            patterns.sets,
            patterns.lows,
            patterns.highs,
            patterns.set_ranks,
            path,
            estimates,
        )
        return estimates

    def batches(self, start: Start) -> Batches:
        return Batches(self._patterns, self._ways, self.rules, start.cells, start.words)

    def _tables(self, start: Start) -> tuple[NDArray[np.generic], ...]:
        patterns = self._patterns
        return (
            patterns.entries,
            start.cells,
            self._ways,
            self.rules.following,
            self.rules.allowed,
            patterns.slots,
            patterns.seen_at,
            start.words,
            patterns.offsets,
            patterns.sets,
            patterns.lows,
            patterns.highs,
            patterns.set_ranks,
        )
