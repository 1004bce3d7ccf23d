"""What a beam estimates boards with: pattern databases if available, else linear conflicts."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

import numpy as np

from tilework.core.puzzle.board import Board
from tilework.core.solver.heuristics.additive_patterns import AdditivePatterns
from tilework.core.solver.heuristics.line_conflicts import LineConflicts
from tilework.core.solver.heuristics.small_board_patterns import SmallBoardPatterns
from tilework.core.solver.kernels.beam.lines import expand_lines
from tilework.core.solver.kernels.beam.patterns import carry_patterns, expand_patterns
from tilework.core.solver.kernels.constants import MAX_CELLS
from tilework.core.solver.kernels.depth_first.lines import estimate_lines
from tilework.core.solver.large.beam_level import Candidates, Grid, Level, Origins, Words
from tilework.core.solver.optimal.choice import engine_for
from tilework.core.solver.optimal.engines import PatternEngine


class Estimates(Protocol):
    """The part of a beam that estimates boards.

    Attributes
    ----------
    memory : int
        Boards of earlier levels that a beam should remember, so as not to come back to them.
    """

    memory: int

    def begin(self, board: Board, width: int, candidates: int) -> None:
        """Make a first level of one board, and room for so many boards and candidates."""

    def expand(
        self, grid: Grid, level: Level, rows: range, room: int, candidates: Candidates
    ) -> None:
        """Make candidates of the children, estimated at most ``room``, of some boards."""

    def carry(self, grid: Grid, level: Level, origins: Origins, chosen: Words) -> None:
        """Go on to the level of the chosen candidates; ``level`` is still their parents'."""

    @property
    def nbytes(self) -> int:
        """Bytes of the arrays made by `begin`."""


def estimates_for(goal: Board, pdb_folder: Path | None) -> Estimates:
    """Return the best available estimates for a goal."""
    if goal.size.cells <= MAX_CELLS:
        engine = engine_for(goal, pdb_folder)
        if isinstance(engine, PatternEngine):
            return PatternEstimates(engine.patterns)
    return LineEstimates(goal)


class PatternEstimates:
    """Additive pattern databases, in any number of views."""

    # They lead a beam out of local minima: not one child in fifty was seen before.
    memory = 0

    def __init__(self, patterns: AdditivePatterns | SmallBoardPatterns) -> None:
        self._patterns = patterns
        self._views = len(patterns.slots)

    def begin(self, board: Board, width: int, candidates: int) -> None:
        indices = self._patterns.indices(board.cells)
        entries = self._patterns.entries[indices].astype(np.int64)
        self._words = np.empty((width, indices.size), dtype=np.int64)
        self._sums = np.empty((width, self._views), dtype=np.int64)
        self._words[0] = indices << 8 | entries
        self._sums[0] = entries.reshape(self._views, -1).sum(axis=1)
        self._next_words = np.empty_like(self._words)
        self._next_sums = np.empty_like(self._sums)
        self._found = np.empty((candidates, self._views), dtype=np.uint8)
        self._count = 1

    def expand(
        self, grid: Grid, level: Level, rows: range, room: int, candidates: Candidates
    ) -> None:
        if rows.start == 0:
            # No move changes a sum by more than one.
            self._floor = int(self._sums[: self._count].sum(axis=1).min()) - self._views
        patterns = self._patterns
        expand_patterns(
            patterns.entries, patterns.slots, patterns.steps, grid.ways, grid.legal, grid.zobrist,
            level.boards, self._words, self._sums, level.hashes,
            rows.start, rows.stop, room, self._floor,
            candidates.table, candidates.keys, candidates.origins, self._found, candidates.report,
        )  # fmt: skip

    def carry(self, grid: Grid, level: Level, origins: Origins, chosen: Words) -> None:
        carry_patterns(
            self._patterns.slots,
            self._patterns.steps,
            grid.ways,
            level.boards,
            self._words,
            self._sums,
            origins,
            self._found[chosen],
            self._next_words,
            self._next_sums,
        )
        self._words, self._next_words = self._next_words, self._words
        self._sums, self._next_sums = self._next_sums, self._sums
        self._count = chosen.size

    @property
    def nbytes(self) -> int:
        return 2 * self._words.nbytes + 2 * self._sums.nbytes + self._found.nbytes


class LineEstimates:
    """Manhattan distance and linear conflicts; for any size and any goal."""

    # A beam without memory goes in circles in this estimate's local minima.
    memory = 1 << 21

    def __init__(self, goal: Board) -> None:
        self._lines = LineConflicts(goal)
        self._line_count = goal.width + goal.height

    def begin(self, board: Board, width: int, candidates: int) -> None:
        distance_and_conflicts = estimate_lines(
            board.cells.astype(np.int64),
            self._lines.goal_rows,
            self._lines.goal_columns,
            board.width,
            np.empty(self._line_count, dtype=np.int64),
        )
        self._sums = np.array([distance_and_conflicts], dtype=np.int32)
        self._found = np.empty((candidates, 2), dtype=np.int32)

    def expand(
        self, grid: Grid, level: Level, rows: range, room: int, candidates: Candidates
    ) -> None:
        if rows.start == 0:
            # No move changes the estimate by more than one.
            self._floor = int(self._sums.sum(axis=1).min()) - 1
        lines = self._lines
        expand_lines(
            lines.goal_rows, lines.goal_columns, grid.ways, grid.legal, grid.zobrist,
            level.boards, self._sums, level.hashes,
            rows.start, rows.stop, room, self._floor,
            candidates.table, candidates.keys, candidates.origins, self._found, candidates.report,
        )  # fmt: skip

    def carry(self, grid: Grid, level: Level, origins: Origins, chosen: Words) -> None:
        self._sums = self._found[chosen]

    @property
    def nbytes(self) -> int:
        return 2 * self._sums.nbytes + self._found.nbytes
