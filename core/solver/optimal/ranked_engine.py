"""The engine of ranked pattern databases.

Separate from the others, so that its kernel is loaded or compiled only where there are such
databases.
"""

from __future__ import annotations

from collections.abc import Callable

from tilework.core.puzzle.board import Board
from tilework.core.solver.heuristics.ranked_patterns import RankedPatterns
from tilework.core.solver.kernels.depth_first.ranked import replay_ranked, search_ranked
from tilework.core.solver.optimal.engines import Engine, Kept, kept_of, nothing_to_confirm
from tilework.core.solver.optimal.move_pruning import PruningRules


class RankedEngine(Engine):
    """Additive ranked pattern databases, in two views."""

    _search = search_ranked
    _replay = replay_ranked

    def __init__(
        self,
        name: str,
        goal: Board,
        patterns: RankedPatterns,
        rules: PruningRules,
        confirm: Callable[[], None] = nothing_to_confirm,
    ) -> None:
        self._patterns = patterns
        tables = (
            patterns.entries,
            patterns.slots,
            patterns.seen_at,
            patterns.offsets,
            patterns.sets,
            patterns.lows,
            patterns.highs,
            patterns.low_sets,
            patterns.high_sets,
        )
        kept = 2 * patterns.sets.size
        super().__init__(name, goal, rules, kept=kept, tables=tables, confirm=confirm)

    def _kept(self, board: Board) -> Kept:
        placements = self._patterns.placements(board.cells)
        return kept_of(placements, self._patterns.entries_at(placements))
