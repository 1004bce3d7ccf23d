"""Engines: each has a heuristic for one goal and the depth-first kernels that use it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tilework.core.puzzle.arrangement import inverse
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.moves import Moves, move_tables
from tilework.core.solver.heuristics.additive_patterns import AdditivePatterns, RankedPatterns
from tilework.core.solver.kernels import line_conflicts
from tilework.core.solver.kernels.constants import REPORT_LENGTH
from tilework.core.solver.kernels.depth_first.digits import replay_digits, search_digits
from tilework.core.solver.kernels.depth_first.distances import (
    replay_distances,
    search_distances,
)
from tilework.core.solver.kernels.depth_first.lines import replay_lines, search_lines
from tilework.core.solver.kernels.depth_first.ranked import replay_ranked, search_ranked
from tilework.core.solver.kernels.depth_first.search import (
    BLANK_BIT,
    FIELDS,
    MAX_DEPTH,
    MOVES_PER_WORD,
    STATE_WORDS,
    SUMS,
    UNTRIED_BIT,
)
from tilework.core.solver.optimal.move_pruning import PruningRules

Row = NDArray[np.uint64]
Rows = NDArray[np.uint64]
Words = NDArray[np.int64]

_WORD_BITS = 64


class Layout:
    """The columns of a node's row, for one board size and one heuristic.

    See `tilework.core.solver.kernels.depth_first.search`.
    """

    def __init__(self, size: Size, state_words: int) -> None:
        bits = max(1, (size.cells - 1).bit_length())
        word, index = np.divmod(np.arange(size.cells), _WORD_BITS // bits)
        self.columns = (STATE_WORDS + state_words + word).astype(np.uint8)
        self.shifts = (bits * index).astype(np.uint8)
        self.mask = (1 << bits) - 1
        self.path_column = int(self.columns[-1]) + 1

    def width(self, moves: int) -> int:
        """Return the number of columns of rows with a path of this many moves."""
        return self.path_column + -(-moves // MOVES_PER_WORD)

    def row(self, board: Board, words: Row, sums: tuple[int, int], rules: int) -> Row:
        """Return the row of a root, without columns for a path."""
        row = np.zeros(self.path_column, dtype=np.uint64)
        row[SUMS] = sums[0] | sums[1] << 32
        row[FIELDS] = board.blank << BLANK_BIT | rules << UNTRIED_BIT
        row[STATE_WORDS : STATE_WORDS + words.size] = words
        tiles = board.cells.astype(np.uint64) << self.shifts
        np.bitwise_or.at(row, self.columns, tiles)
        return row

    def depths(self, rows: NDArray[np.uint64]) -> NDArray[np.int64]:
        return (rows[:, FIELDS] & np.uint64(MAX_DEPTH)).astype(np.int64)

    def paths(self, rows: NDArray[np.uint64]) -> list[bytes]:
        depths = self.depths(rows)
        move_numbers = np.arange(depths.max(initial=0))
        words = rows[:, self.path_column + move_numbers // MOVES_PER_WORD]
        codes = words >> (2 * (move_numbers % MOVES_PER_WORD)).astype(np.uint64) & np.uint64(3)
        codes = codes.astype(np.uint8)
        return [line[:depth].tobytes() for line, depth in zip(codes, depths.tolist(), strict=True)]


def read_untried_moves(rows: NDArray[np.uint64]) -> list[int]:
    """Return the untried moves of each row, bit m for move m."""
    untried: list[int] = (rows[:, FIELDS] >> np.uint64(UNTRIED_BIT) & np.uint64(15)).tolist()
    return untried


def restrict_untried_moves(row: Row, moves: int) -> bool:
    """Restrict the untried moves of a row to the given ones; return whether any are left."""
    row[FIELDS] &= np.uint64(~((15 & ~moves) << UNTRIED_BIT) & (1 << _WORD_BITS) - 1)
    return bool(row[FIELDS] >> np.uint64(UNTRIED_BIT) & np.uint64(15))


class Start(NamedTuple):
    """A root of a search, with its row for one engine."""

    board: Board
    row: Row  # without columns for a path
    estimate: int  # a lower bound on the moves to the goal


class Stack(NamedTuple):
    rows: Rows  # nodes with untried moves; the top one is next
    roots: Rows  # of the subtrees
    estimates: Words  # f of each root
    nodes: Words  # number of nodes generated in each subtree
    report: Words  # see `tilework.core.solver.kernels.constants`

    @classmethod
    def empty(cls, rows: int, width: int, subtrees: int) -> Stack:
        """Return a stack without nodes."""
        return cls(
            np.empty((rows, width), dtype=np.uint64),
            np.empty((subtrees, width), dtype=np.uint64),
            np.zeros(subtrees, dtype=np.int64),
            np.zeros(subtrees, dtype=np.int64),
            np.zeros(REPORT_LENGTH, dtype=np.int64),
        )


class HeuristicState(NamedTuple):
    """The heuristic's part of a node's row."""

    words: NDArray[np.uint64]
    sums: tuple[int, int]  # the two parts of the estimate
    estimate: int


def confirm_nothing() -> None:
    """Do nothing: tables in the memory of this process cannot change."""


class Engine(ABC):
    """A heuristic for one goal, and the kernels that search with it.

    Attributes
    ----------
    name : str; size, tables and rules, as in ``5x5 6-6-6-6+ r14``. Engines with the same name and
        goal search the same nodes.
    confirm : callable; called before a result is used. It raises `DamagedFileError` if the tables
        have changed since they were opened.
    chunk : int; nodes to generate between two checks of the limits, in less than 0.1 s
    """

    chunk = 2_000_000

    _search: Callable[..., int]
    _replay: Callable[..., int]

    def __init__(
        self,
        name: str,
        goal: Board,
        rules: PruningRules,
        *,
        state_words: int,
        tables: tuple[Any, ...],
        confirm: Callable[[], None] = confirm_nothing,
    ) -> None:
        self.name = name
        self.rules = rules
        self.confirm = confirm
        self.layout = layout = Layout(goal.size, state_words)
        steps, _ = move_tables(goal.size)
        self._tables = (
            *tables, layout.columns, layout.shifts, layout.mask, layout.path_column, steps,
            rules.transitions,
        )  # fmt: skip

    @abstractmethod
    def _heuristic_state(self, board: Board) -> HeuristicState:
        """Evaluate a board."""

    def start(self, board: Board) -> Start:
        words, sums, estimate = self._heuristic_state(board)
        rules = int(self.rules.roots[board.blank])
        return Start(board, self.layout.row(board, words, sums, rules), estimate)

    def search(self, threshold: int, budget: int, stack: Stack, cut_depth: int = 0) -> int:
        """See `tilework.core.solver.kernels.depth_first.search.search_stack`."""
        return type(self)._search(*self._tables, threshold, budget, cut_depth, *stack)

    def replay(self, path: Moves, rows: Rows) -> Words:
        """Move the node in the first of two rows along a path; return the estimates."""
        estimates = np.empty(path.size, dtype=np.int64)
        move_count = type(self)._replay(*self._tables, self.rules.roots, path, rows, estimates)
        return estimates[:move_count]

    def estimates_along(self, start: Start, path: Moves) -> Words:
        """Return the estimates of the boards along a legal path."""
        rows = np.zeros((2, self.layout.width(path.size)), dtype=np.uint64)
        rows[0, : start.row.size] = start.row
        return np.concatenate([[start.estimate], self.replay(path, rows)])


class PatternEngine(Engine):
    """Additive pattern databases in two views, indexed by cells as digits."""

    _search = search_digits
    _replay = replay_digits

    def __init__(
        self,
        name: str,
        goal: Board,
        patterns: AdditivePatterns,
        rules: PruningRules,
        confirm: Callable[[], None] = confirm_nothing,
    ) -> None:
        self.patterns = patterns
        tables = (
            patterns.entries, patterns.slots, patterns.steps, patterns.distance_mask,
            patterns.adjacent,
        )  # fmt: skip
        state_words = int(patterns.slots.max()) + 1
        super().__init__(name, goal, rules, state_words=state_words, tables=tables, confirm=confirm)

    def _heuristic_state(self, board: Board) -> HeuristicState:
        return _make_two_view_state(self.patterns.make_words(board.cells))


class LineEngine(Engine):
    """Manhattan distance and linear conflicts, for any size and any goal."""

    chunk = 1_000_000

    _search = search_lines
    _replay = replay_lines

    def __init__(self, name: str, goal: Board, rules: PruningRules) -> None:
        self._goal_cells = inverse(goal.cells)
        self._lines = goal.width + goal.height
        # Goal row and goal column by tile.
        tables = np.divmod(self._goal_cells.astype(np.int64), goal.width)
        super().__init__(name, goal, rules, state_words=-(-self._lines // 8), tables=tables)

    def _heuristic_state(self, board: Board) -> HeuristicState:
        conflicts = np.empty(self._lines, dtype=np.int64)
        distance, total = line_conflicts.distance(
            board.cells, self._goal_cells, board.width, True, conflicts
        )
        padded = np.zeros(-(-conflicts.size // 8) * 8, dtype=np.uint8)
        padded[: conflicts.size] = conflicts
        return HeuristicState(
            padded.view("<u8").astype(np.uint64), (distance, total), distance + total
        )


class DistanceEngine(Engine):
    """Manhattan distance, for any size and any goal."""

    _search = search_distances
    _replay = replay_distances

    def __init__(self, name: str, goal: Board, rules: PruningRules) -> None:
        self._goal = goal
        size, cells = goal.size, np.arange(goal.size.cells)
        homes = inverse(goal.cells)[:, None]
        distances = abs(homes // size.width - cells // size.width)
        distances += abs(homes % size.width - cells % size.width)
        steps, _ = move_tables(size)
        # A tile moves in the opposite direction to the blank; a move off the board is never made.
        targets = np.clip(cells[:, None] - steps, 0, size.cells - 1)
        changes = distances[:, targets] - distances[:, :, None] + 1
        tables = (np.ascontiguousarray(changes, dtype=np.uint8).ravel(),)
        super().__init__(name, goal, rules, state_words=0, tables=tables)

    def _heuristic_state(self, board: Board) -> HeuristicState:
        distance = board.manhattan(self._goal)
        return HeuristicState(np.empty(0, dtype=np.uint64), (distance, 0), distance)


def _make_two_view_state(words: Words) -> HeuristicState:
    """Return the state of two views: words with the distance in the low byte."""
    first, second = (words & 0xFF).reshape(2, -1).sum(axis=1).tolist()
    return HeuristicState(words.astype(np.uint64), (first, second), max(first, second))


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
        confirm: Callable[[], None] = confirm_nothing,
    ) -> None:
        self._patterns = patterns
        tables = (
            patterns.entries, patterns.slots, patterns.view_cells, patterns.offsets, patterns.sets,
            patterns.lows, patterns.highs, patterns.low_sets, patterns.high_sets,
            patterns.large_cells, patterns.gain,
        )  # fmt: skip
        state_words = 2 * patterns.sets.size
        super().__init__(name, goal, rules, state_words=state_words, tables=tables, confirm=confirm)

    def _heuristic_state(self, board: Board) -> HeuristicState:
        placements = self._patterns.placements(board.cells)
        distances = self._patterns.distances(placements, board.blank)
        return _make_two_view_state(placements | distances)
