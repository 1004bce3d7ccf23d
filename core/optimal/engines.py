"""The two kernels behind one face, and the choice between them.

An engine knows one goal: its tables are made once and serve every board and threshold.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from core.heuristics.additive_patterns import AdditivePatterns, has_blank_in_corner
from core.heuristics.line_conflicts import LineConflicts
from core.heuristics.small_board_patterns import MAX_SMALL_CELLS, SmallBoardPatterns
from core.kernels.constants import DEPTH, LEAST_OVER, NO_F, REPORT_LENGTH
from core.kernels.depth_first_lines import search_lines
from core.kernels.depth_first_patterns import search_patterns
from core.optimal.cursor import Cursor, legal_moves
from core.pdb.patterns import partition_for
from core.pdb.store import open_or_build
from core.puzzle.board import Board, Size
from core.puzzle.moves import blank_steps
from core.search.catalogue import Heuristic

Words = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Walk:
    """A cursor in the form that kernels change in place.

    Attributes
    ----------
    path, untried : uint8 arrays, longer than any path under the threshold
    report : int64 array, shape (REPORT_LENGTH,)
    """

    path: NDArray[np.uint8]
    untried: NDArray[np.uint8]
    report: Words

    @classmethod
    def of(cls, cursor: Cursor, board: Board, threshold: int) -> Walk:
        """Lay a cursor out for a search up to a threshold."""
        legal = bytes(legal_moves(board, cursor.path))
        made = len(cursor.path)
        room = max(threshold, made) + 2
        path = np.zeros(room, dtype=np.uint8)
        untried = np.zeros(room, dtype=np.uint8)
        path[:made] = np.frombuffer(cursor.path, dtype=np.uint8)
        untried[: made + 1] = np.frombuffer(cursor.untried, dtype=np.uint8)
        untried[: made + 1] &= np.frombuffer(legal, dtype=np.uint8)
        report = np.zeros(REPORT_LENGTH, dtype=np.int64)
        report[DEPTH] = made
        report[LEAST_OVER] = NO_F
        return cls(path, untried, report)

    def cursor(self) -> Cursor:
        """Return where the walk stands, as a value."""
        made = int(self.report[DEPTH])
        return Cursor(self.path[:made].tobytes(), self.untried[: made + 1].tobytes())


class Engine(Protocol):
    """A lower bound towards one goal, and the kernel that searches with it.

    Attributes
    ----------
    chunk : int
        Nodes that take some tenth of a second: how often it is sensible to look up.
    """

    chunk: int

    def estimate(self, board: Board) -> int:
        """Return a lower bound on the moves to the goal."""

    def search(self, board: Board, threshold: int, budget: int, walk: Walk) -> int:
        """Go on with a walk; return how the kernel ended and leave the counts in its report."""


class PatternEngine:
    """Additive pattern databases in two views."""

    chunk = 4_000_000

    def __init__(self, goal: Board, patterns: AdditivePatterns | SmallBoardPatterns) -> None:
        self.patterns = patterns
        self._ways, self._legal = grid(goal.size)

    def estimate(self, board: Board) -> int:
        return self.patterns.estimate(board.cells)

    def search(self, board: Board, threshold: int, budget: int, walk: Walk) -> int:
        patterns = self.patterns
        status: int = search_patterns(
            patterns.entries,
            board.cells.astype(np.int64),
            self._ways,
            self._legal,
            patterns.slots,
            patterns.steps,
            patterns.indices(board.cells),
            threshold,
            budget,
            walk.path,
            walk.untried,
            walk.report,
        )
        return status


class LineEngine:
    """Manhattan distance and linear conflicts; for any size and any goal."""

    chunk = 1_000_000

    def __init__(self, goal: Board) -> None:
        self._lines = LineConflicts(goal)
        self._ways, self._legal = grid(goal.size)

    def estimate(self, board: Board) -> int:
        return self._lines.estimate(board.cells)

    def search(self, board: Board, threshold: int, budget: int, walk: Walk) -> int:
        status: int = search_lines(
            board.cells.astype(np.int64),
            self._ways,
            self._legal,
            self._lines.goal_rows,
            self._lines.goal_columns,
            threshold,
            budget,
            walk.path,
            walk.untried,
            walk.report,
        )
        return status


def heuristics_for(goal: Board) -> frozenset[Heuristic]:
    """Return what a goal's boards can be searched with: linear conflicts, and databases if any."""
    if _fits_patterns(goal):
        return frozenset({Heuristic.LINEAR_CONFLICT, Heuristic.PATTERN_DATABASE})
    return frozenset({Heuristic.LINEAR_CONFLICT})


@lru_cache(maxsize=16)
def engine_for(
    goal: Board, databases: Path | None = None, heuristic: Heuristic = Heuristic.AUTO
) -> Engine:
    """Return the engine for a goal; the first call for a size may build its databases.

    Parameters
    ----------
    heuristic : Heuristic
        One of `heuristics_for` the goal, or ``AUTO`` for the best of them.

    """
    if heuristic is Heuristic.LINEAR_CONFLICT or not _fits_patterns(goal):
        return LineEngine(goal)
    partition = partition_for(goal.size)
    if partition is None or not has_blank_in_corner(goal):
        return PatternEngine(goal, SmallBoardPatterns(goal))
    entries = open_or_build(partition, databases)
    return PatternEngine(goal, AdditivePatterns(partition, entries, goal))


def _fits_patterns(goal: Board) -> bool:
    return goal.size.cells <= MAX_SMALL_CELLS and 1 not in goal.size


@lru_cache(maxsize=64)
def grid(size: Size) -> tuple[Words, NDArray[np.uint8]]:
    """Return the blank's step by move, and by cell the set of legal moves."""
    ways = np.array(blank_steps(size.width), dtype=np.int64)
    rows, columns = np.divmod(np.arange(size.cells), size.width)
    legal = (
        (rows + 1 < size.height) << 0
        | (rows > 0) << 1
        | (columns + 1 < size.width) << 2
        | (columns > 0) << 3
    )
    return ways, legal.astype(np.uint8)
