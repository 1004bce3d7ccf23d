"""The two kernels behind one face.

An engine knows one goal: its tables are made once and serve every board and threshold.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from core.heuristics.additive_patterns import AdditivePatterns
from core.heuristics.line_conflicts import LineConflicts
from core.heuristics.small_board_patterns import SmallBoardPatterns
from core.kernels.depth_first_lines import search_lines
from core.kernels.depth_first_patterns import search_patterns
from core.optimal.duplicates import DuplicateRules
from core.optimal.grid import grid
from core.optimal.walk import Walk
from core.puzzle.board import Board


class Engine(Protocol):
    """A lower bound towards one goal, and the kernel that searches with it.

    Attributes
    ----------
    name : str
        Size, tables and rules, as in ``5x5 6-6-6-6 r10``: engines of one name and one goal
        search alike, node by node.
    rules : DuplicateRules
    chunk : int
        Nodes that take some tenth of a second: how often it is sensible to look up.
    """

    name: str
    rules: DuplicateRules
    chunk: int

    def estimate(self, board: Board) -> int:
        """Return a lower bound on the moves to the goal."""

    def search(self, board: Board, threshold: int, budget: int, walk: Walk) -> int:
        """Go on with a walk; return how the kernel ended and leave the counts in its report."""


class PatternEngine:
    """Additive pattern databases in two views."""

    chunk = 4_000_000

    def __init__(
        self,
        name: str,
        goal: Board,
        patterns: AdditivePatterns | SmallBoardPatterns,
        rules: DuplicateRules,
    ) -> None:
        self.name = name
        self.patterns = patterns
        self.rules = rules
        self._ways, _ = grid(goal.size)

    def estimate(self, board: Board) -> int:
        return self.patterns.estimate(board.cells)

    def search(self, board: Board, threshold: int, budget: int, walk: Walk) -> int:
        patterns = self.patterns
        status: int = search_patterns(
            patterns.entries,
            board.cells.astype(np.int64),
            self._ways,
            self.rules.following,
            self.rules.allowed,
            patterns.slots,
            patterns.steps,
            patterns.indices(board.cells),
            threshold,
            budget,
            walk.path,
            walk.untried,
            walk.states,
            walk.report,
        )
        return status


class LineEngine:
    """Manhattan distance and linear conflicts; for any size and any goal."""

    chunk = 1_000_000

    def __init__(self, name: str, goal: Board, rules: DuplicateRules) -> None:
        self.name = name
        self.rules = rules
        self._lines = LineConflicts(goal)
        self._ways, _ = grid(goal.size)

    def estimate(self, board: Board) -> int:
        return self._lines.estimate(board.cells)

    def search(self, board: Board, threshold: int, budget: int, walk: Walk) -> int:
        status: int = search_lines(
            board.cells.astype(np.int64),
            self._ways,
            self.rules.following,
            self.rules.allowed,
            self._lines.goal_rows,
            self._lines.goal_columns,
            threshold,
            budget,
            walk.path,
            walk.untried,
            walk.states,
            walk.report,
        )
        return status
