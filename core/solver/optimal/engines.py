"""The kernels behind one interface.

An engine knows one goal: its tables are made once and serve every board and threshold.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import Moves
from tilework.core.puzzle.replay import apply
from tilework.core.solver.grid import grid
from tilework.core.solver.heuristics.additive_patterns import AdditivePatterns
from tilework.core.solver.heuristics.line_conflicts import LineConflicts
from tilework.core.solver.heuristics.small_board_patterns import SmallBoardPatterns
from tilework.core.solver.kernels.depth_first.lines import search_lines, search_lines_in_order
from tilework.core.solver.kernels.depth_first.patterns import (
    estimate_patterns_along,
    search_patterns,
    search_patterns_in_order,
)
from tilework.core.solver.optimal.batches import Batches
from tilework.core.solver.optimal.move_pruning import PruningRules
from tilework.core.solver.optimal.subtrees import Subtrees
from tilework.core.solver.optimal.walk import Walk

Words = NDArray[np.int64]


class Start(NamedTuple):
    """A board laid out for one engine's kernel.

    Attributes
    ----------
    cells : int64 array, shape (cells,)
    words : int64 array
        By pattern of each view, where it lies.
    estimate : int
        A lower bound on the moves to the goal.
    """

    cells: Words
    words: Words
    estimate: int


class Engine(Protocol):
    """A lower bound towards one goal, and the kernel that searches with it.

    Attributes
    ----------
    name : str
        Size, tables and rules, as in ``5x5 6-6-6-6 r10``: engines of one name and one goal
        search alike, node by node.
    rules : PruningRules
    chunk : int
        Nodes that take less than a tenth of a second, after which limits are checked.
    """

    name: str
    rules: PruningRules
    chunk: int

    def start(self, board: Board) -> Start:
        """Lay out and estimate a board."""

    def search(self, start: Start, threshold: int, budget: int, walk: Walk) -> int:
        """Go on with a walk; return how the kernel ended and leave the counts in its report."""

    def search_in_order(
        self, start: Start, threshold: int, budget: int, walk: Walk, subtrees: Subtrees
    ) -> int:
        """Go on with a walk from subtree to subtree; as `search` otherwise."""

    def estimates_along(self, start: Start, path: Moves) -> Words:
        """Return the estimates of a board and of those that a legal path leads over."""

    def batches(self, start: Start) -> Batches | None:
        """Return a search of a board by many nodes at a time; None where there is none such."""

    def confirm(self) -> None:
        """Check that the tables were sound all the time; asked before anything is told.

        Raises
        ------
        DamagedFileError
            If nothing that was found with this engine may be told.
        """


def nothing_to_confirm() -> None:
    """Confirm tables that this process alone can reach."""


class PatternEngine:
    """Additive pattern databases in two views."""

    chunk = 2_000_000

    def __init__(
        self,
        name: str,
        goal: Board,
        patterns: AdditivePatterns | SmallBoardPatterns,
        rules: PruningRules,
        confirm: Callable[[], None] = nothing_to_confirm,
    ) -> None:
        self.name = name
        self.patterns = patterns
        self.rules = rules
        self.confirm = confirm
        self._ways, _ = grid(goal.size)

    def start(self, board: Board) -> Start:
        indices = self.patterns.indices(board.cells)
        estimate = self.patterns.estimate_at(indices)
        return Start(board.cells.astype(np.int64), indices, estimate)

    def search(self, start: Start, threshold: int, budget: int, walk: Walk) -> int:
        status: int = search_patterns(*self._tables(start), threshold, budget, *walk.arrays)
        return status

    def search_in_order(
        self, start: Start, threshold: int, budget: int, walk: Walk, subtrees: Subtrees
    ) -> int:
        status: int = search_patterns_in_order(
            *self._tables(start), threshold, budget, *walk.arrays, *subtrees.arrays
        )
        return status

    def estimates_along(self, start: Start, path: Moves) -> Words:
        patterns = self.patterns
        estimates = np.empty(path.size + 1, dtype=np.int64)
        estimate_patterns_along(
            patterns.entries,
            start.cells,
            self._ways,
            patterns.slots,
            patterns.steps,
            start.words,
            path,
            estimates,
        )
        return estimates

    def batches(self, start: Start) -> None:
        """Its tables fit into the caches: there is little to wait for."""

    def _tables(self, start: Start) -> tuple[NDArray[np.generic], ...]:
        return (
            self.patterns.entries,
            start.cells,
            self._ways,
            self.rules.following,
            self.rules.allowed,
            self.patterns.slots,
            self.patterns.steps,
            start.words,
        )


class LineEngine:
    """Manhattan distance and linear conflicts; for any size and any goal."""

    chunk = 1_000_000

    def __init__(self, name: str, goal: Board, rules: PruningRules) -> None:
        self.name = name
        self.rules = rules
        self.confirm = nothing_to_confirm
        self._size = goal.size
        self._lines = LineConflicts(goal)
        self._ways, _ = grid(goal.size)

    def start(self, board: Board) -> Start:
        estimate = self._lines.estimate(board.cells)
        return Start(board.cells.astype(np.int64), np.zeros(0, dtype=np.int64), estimate)

    def search(self, start: Start, threshold: int, budget: int, walk: Walk) -> int:
        status: int = search_lines(*self._tables(start), threshold, budget, *walk.arrays)
        return status

    def search_in_order(
        self, start: Start, threshold: int, budget: int, walk: Walk, subtrees: Subtrees
    ) -> int:
        status: int = search_lines_in_order(
            *self._tables(start), threshold, budget, *walk.arrays, *subtrees.arrays
        )
        return status

    def estimates_along(self, start: Start, path: Moves) -> Words:
        board = Board(start.cells, *self._size)
        boards = (apply(board, path[:made]) for made in range(path.size + 1))
        return np.array([self._lines.estimate(here.cells) for here in boards])

    def batches(self, start: Start) -> None:
        """There is no table to wait for."""

    def _tables(self, start: Start) -> tuple[NDArray[np.generic], ...]:
        return (
            start.cells,
            self._ways,
            self.rules.following,
            self.rules.allowed,
            self._lines.goal_rows,
            self._lines.goal_columns,
        )
