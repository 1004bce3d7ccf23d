"""A level of a beam, the candidates for the next one, and what estimates them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.moves import grid
from tilework.core.solver.heuristics.additive_patterns import AdditivePatterns
from tilework.core.solver.heuristics.lower_bound import LineConflicts
from tilework.core.solver.heuristics.small_board_patterns import SmallBoardPatterns
from tilework.core.solver.kernels.beam.beam import COUNT, GOAL, REPORT_LENGTH
from tilework.core.solver.kernels.beam.lines import expand_lines
from tilework.core.solver.kernels.beam.patterns import carry_patterns, expand_patterns
from tilework.core.solver.kernels.constants import MAX_CELLS
from tilework.core.solver.kernels.depth_first.lines import estimate_lines
from tilework.core.solver.optimal.choice import engine_for
from tilework.core.solver.optimal.engines import PatternEngine

Bytes = NDArray[np.uint8]


Words = NDArray[np.int64]


# By row of a level, the row of the parent and the move from there: ``row << 2 | move``
Origins = NDArray[np.uint32]


class Grid:
    """Tables that are the same for all boards of a size.

    Attributes
    ----------
    ways, legal; how the blank's cell changes by each move, and by cell the set of legal moves
    zobrist : int64 array, shape (cells, cells)
        By tile and cell, a random word; a board's hash is the exclusive or over its tiles.
    """

    def __init__(self, size: Size) -> None:
        self.ways, self.legal = grid(size)
        random = np.random.default_rng(size.cells)
        self.zobrist = random.integers(1 << 62, size=(size.cells, size.cells), dtype=np.int64)


@dataclass(slots=True)
class Level:
    """Boards at one distance from the start; see `tilework.core.solver.kernels.beam.beam`."""

    boards: Bytes
    hashes: Words

    @classmethod
    def empty(cls, width: int, cells: int) -> Level:
        return cls(np.empty((width, cells + 2), dtype=np.uint8), np.empty(width, dtype=np.int64))

    def begin(self, board: Board, grid: Grid) -> None:
        cells = board.size.cells
        self.boards[0, :cells] = board.cells
        self.boards[0, cells:] = board.blank, 0
        words = grid.zobrist[board.cells, np.arange(cells)]
        # The blank has no part in a hash.
        self.hashes[0] = np.bitwise_xor.reduce(words[board.cells != 0])

    @property
    def nbytes(self) -> int:
        return self.boards.nbytes + self.hashes.nbytes


class Candidates:
    """Children of a level that are new; see `tilework.core.solver.kernels.beam.beam`.

    Attributes
    ----------
    size : int; room for so many
    table : int64 array; hashes of those that are there, and of earlier ones
    """

    def __init__(self, width: int, memory: int) -> None:
        # The first board has up to four children, any other at most three.
        self.size = 3 * width + 1
        self.keys = np.empty(self.size, dtype=np.int64)
        self.origins = np.empty(self.size, dtype=np.uint32)
        self.report = np.zeros(REPORT_LENGTH, dtype=np.int64)
        self.report[GOAL] = -1
        self._memory = memory
        self._room = np.empty(_table_length(max(self.size, memory)), dtype=np.int64)
        self.table = self._room[:0]
        self._entered = 0

    def clear(self, boards: int) -> None:
        """Make room for the children of so many boards."""
        new = 3 * boards + 1
        self._entered += int(self.report[COUNT])
        if self._entered + new > max(new, self._memory) or self.table.size == 0:
            self._entered = 0
            self.table = self._room[: _table_length(max(new, self._memory))]
            self.table.fill(0)
        self.report[COUNT] = 0

    @property
    def nbytes(self) -> int:
        return self.keys.nbytes + self.origins.nbytes + self._room.nbytes


def _table_length(hashes: int) -> int:
    """Return a power of two that leaves a table of so many hashes at least half empty."""
    return 1 << (2 * hashes - 1).bit_length()


class Estimates(Protocol):
    # Boards of earlier levels that a beam should remember, so as not to come back to them
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
