"""Beams aimed at solutions of one length, before IDA* searches its threshold."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import NO_MOVES, Moves, move_tables
from tilework.core.search.limits import Limits, StopReason, search_clock
from tilework.core.solver.heuristics.additive_patterns import AdditivePatterns
from tilework.core.solver.kernels.beam import (
    COUNT,
    GOAL,
    KEYS,
    NODES,
    REPORT_LENGTH,
    expand_patterns,
    make_boards,
    select_best,
    update_patterns,
)
from tilework.core.solver.large.learned.search import learned_beam
from tilework.core.solver.optimal.engine_choice import select_engine
from tilework.core.solver.optimal.engines import PatternEngine
from tilework.core.solver.result import Outcome
from tilework.core.solver.strategy import MIN_AIMED_WIDTH

# For each row of a level, its parent's row and the move from it: ``row << 2 | move``
Origins = NDArray[np.uint32]


# Memory at which pruning starts. It is small compared to a level of a wide beam; with less, a
# narrow beam would spend its time on pruning.
MIN_PRUNING_BYTES = 16 << 20


class Ancestry:
    """The origins of all levels, without rows that have no descendants in the last level.

    All boards of a level share a few ancestors a few levels above, so the last few levels use
    nearly all of the memory.
    """

    def __init__(self) -> None:
        self.nbytes = 0
        self._levels: list[Origins] = []
        self._pruned_count = 0
        self._next_pruning_bytes = MIN_PRUNING_BYTES

    def add(self, origins: Origins) -> None:
        self._levels.append(origins)
        self.nbytes += origins.nbytes
        if self.nbytes >= self._next_pruning_bytes:
            self._prune()
            self._next_pruning_bytes = max(MIN_PRUNING_BYTES, 2 * self.nbytes)

    def moves_to(self, origin: int) -> Moves:
        """Return the moves from the start to the board with this origin in the last level."""
        moves = [origin & 3]
        for level in reversed(self._levels):
            origin = int(level[origin >> 2])
            moves.append(origin & 3)
        return np.array(moves[::-1], dtype=np.uint8)

    def _prune(self) -> None:
        for index in reversed(range(len(self._levels) - 1)):
            children, level = self._levels[index + 1], self._levels[index]
            has_children = np.zeros(level.size, dtype=np.bool_)
            has_children[children >> 2] = True
            if index < self._pruned_count and has_children.all():
                # No earlier level has changed since the last pruning.
                break
            numbers = np.cumsum(has_children, dtype=np.uint32) - np.uint32(1)
            self._levels[index + 1] = numbers[children >> 2] << np.uint32(2) | children & 3
            self._levels[index] = level[has_children]
        self._pruned_count = len(self._levels)
        self.nbytes = sum(level.nbytes for level in self._levels)


_CHUNK = 1 << 13  # boards to expand between two checks of the limits: a few milliseconds


def beam_search(
    board: Board,
    goal: Board,
    width: int,
    patterns: AdditivePatterns,
    *,
    limits: Limits | None = None,
    upper_bound: int,
) -> Outcome:
    """Look for a solution shorter than a bound, and keep the best boards of each level.

    The first solution found is the shortest one in the beam. The outcome depends only on the
    input, unless time or cancellation ends the search.

    Parameters
    ----------
    board, goal : Board; of the same size; the goal must be reachable
    width : int; number of boards to keep per level, from 1 to 2²⁸
    patterns : AdditivePatterns; for the goal. The larger sum of both views prunes boards without a
        solution below the bound; the total of both sums orders the remaining boards.

    Notes
    -----
    B. Lowerre, "The HARPY speech recognition system", 1976; R. Bisiani, "Beam search", in
    Encyclopedia of Artificial Intelligence, 1987. Ordering boards by the sum of all their estimates
    rather than by the maximum finds shorter solutions of Korf's 24-puzzles.
    """
    started = search_clock()
    if board == goal:
        return Outcome(NO_MOVES, 0, search_clock() - started, None)
    beam = _Beam(board, width, patterns, limits or Limits())
    moves, stopped_by = beam.search(upper_bound - 1)
    return Outcome(moves, beam.nodes, search_clock() - started, stopped_by)


class _Level:
    """Boards at one distance from the start; see `tilework.core.solver.kernels.beam`."""

    def __init__(self, width: int, cells: int, slots: int, views: int) -> None:
        self.boards = np.empty((width, cells + 2), dtype=np.uint8)
        self.hashes = np.empty(width, dtype=np.int64)
        self.words = np.empty((width, slots), dtype=np.int64)
        self.sums = np.empty((width, views), dtype=np.int64)


class _Beam:
    """Two levels of boards and the scratch arrays of a beam."""

    def __init__(
        self, board: Board, width: int, patterns: AdditivePatterns, limits: Limits
    ) -> None:
        self._started = search_clock()
        self._limits = limits
        self._patterns = patterns
        cells, views = board.size.cells, len(patterns.slots)
        self._steps, self._legal = move_tables(board.size)
        # Zobrist words by tile and cell; a board's hash is the exclusive or over its tiles.
        random = np.random.default_rng(cells)
        self._zobrist = random.integers(1 << 62, size=(cells, cells), dtype=np.int64)
        indices = patterns.indices(board.cells)
        self._level = _Level(width, cells, indices.size, views)
        self._next_level = _Level(width, cells, indices.size, views)
        self._add_start(board, indices)
        # The first board has up to four children, all other boards at most three.
        candidates = 3 * width + 1
        self._keys = np.empty(candidates, dtype=np.int64)
        self._origins = np.empty(candidates, dtype=np.uint32)
        self._new_entries = np.empty((candidates, views), dtype=np.uint8)
        self._table = np.empty(_compute_table_length(candidates), dtype=np.int64)
        self._report = np.zeros(REPORT_LENGTH, dtype=np.int64)
        self._report[GOAL] = -1
        self._selection = np.empty(width, dtype=np.int64)
        self._counts = np.empty(KEYS, dtype=np.int64)
        self._ancestry = Ancestry()

    @property
    def nodes(self) -> int:
        return int(self._report[NODES])

    def search(self, max_moves: int) -> tuple[Moves | None, StopReason | None]:
        """Search level by level; return a solution, or the reason why the search stopped."""
        count = 1
        for depth in range(max_moves):
            if (stopped_by := self._expand(count, max_moves - depth - 1)) is not None:
                return None, stopped_by
            if (origin := int(self._report[GOAL])) >= 0:
                return self._ancestry.moves_to(origin), None
            if (count := self._keep_best()) == 0:
                break
        return None, None

    def _add_start(self, board: Board, indices: NDArray[np.int64]) -> None:
        level, cells = self._level, board.size.cells
        level.boards[0, :cells] = board.cells
        level.boards[0, cells:] = board.blank, 0
        words = self._zobrist[board.cells, np.arange(cells)]
        # The blank is not part of the hash.
        level.hashes[0] = np.bitwise_xor.reduce(words[board.cells != 0])
        entries = self._patterns.distances(indices)
        level.words[0] = indices << 8 | entries
        level.sums[0] = entries.reshape(level.sums.shape[1], -1).sum(axis=1)

    def _expand(self, count: int, room: int) -> StopReason | None:
        """Generate the candidates for the next level from ``count`` boards."""
        level, patterns = self._level, self._patterns
        self._report[COUNT] = 0
        table = self._table[: _compute_table_length(3 * count + 1)]
        table.fill(0)
        # No move changes a sum by more than one.
        floor = int(level.sums[:count].sum(axis=1).min()) - level.sums.shape[1]
        for first in range(0, count, _CHUNK):
            if (stopped_by := self._stopped_by()) is not None:
                return stopped_by
            expand_patterns(
                patterns.entries, patterns.distance_mask, patterns.slots, patterns.steps,
                self._steps, self._legal,
                self._zobrist, level.boards, level.words, level.sums, level.hashes,
                first, min(count, first + _CHUNK), room, floor,
                table, self._keys, self._origins, self._new_entries, self._report,
            )  # fmt: skip
            if self._report[GOAL] >= 0:
                break
        return None

    def _keep_best(self) -> int:
        """Build the next level from the best candidates; return its number of boards."""
        level, next_level = self._level, self._next_level
        keys = self._keys[: self._report[COUNT]]
        count = int(select_best(keys, self._selection.size, self._counts, self._selection))
        selection = self._selection[:count]
        origins = self._origins[selection]
        make_boards(
            level.boards, level.hashes, self._steps, self._zobrist, origins,
            next_level.boards, next_level.hashes,
        )  # fmt: skip
        update_patterns(
            self._patterns.slots, self._patterns.steps, self._steps, level.boards, level.words,
            level.sums, origins, self._new_entries[selection], next_level.words, next_level.sums,
        )  # fmt: skip
        self._level, self._next_level = next_level, level
        self._ancestry.add(origins)
        return count

    def _stopped_by(self) -> StopReason | None:
        arrays = (*vars(self._level).values(), *vars(self._next_level).values())
        scratch = [value for value in vars(self).values() if isinstance(value, np.ndarray)]
        nbytes = sum(array.nbytes for array in (*arrays, *scratch)) + self._ancestry.nbytes
        return self._limits.check(search_clock() - self._started, self.nodes, nbytes)


def _compute_table_length(hashes: int) -> int:
    """Return the smallest power of two for which a table of hashes is at most half full."""
    return 1 << (2 * hashes - 1).bit_length()


# Divisors of the width: narrow beams often find the same solutions at a third of the total cost
DIVISORS = (16, 4, 1)


def run_aimed_beams(
    board: Board,
    goal: Board,
    length: int,
    width: int,
    *,
    limits: Limits | None = None,
    pdb_folder: Path | None = None,
) -> Outcome:
    """Look for a solution of the given length with beams of increasing width, up to 36 cells."""
    started = search_clock()
    limits = limits or Limits()
    search: Callable[..., Outcome] = learned_beam
    if isinstance(engine := select_engine(goal, pdb_folder), PatternEngine):
        search = partial(beam_search, patterns=engine.patterns)
    nodes = 0
    for divisor in DIVISORS:
        if divisor > 1 and width < divisor * MIN_AIMED_WIDTH:
            continue
        remaining = limits.after(search_clock() - started, nodes)
        outcome = search(board, goal, width // divisor, limits=remaining, upper_bound=length + 1)
        nodes += outcome.nodes
        if outcome.moves is not None or outcome.stopped_by is not None:
            break
    return Outcome(outcome.moves, nodes, search_clock() - started, outcome.stopped_by)
