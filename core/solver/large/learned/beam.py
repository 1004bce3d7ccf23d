"""A beam guided by the learned potential, for boards of one size or rectangles of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tilework.core.puzzle.arrangement import inverse
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.moves import Moves
from tilework.core.search.limits import Limits, StopReason, search_clock
from tilework.core.solver.costs import LEARNED_NODES, MIN_CELLS_FOR_LEARNED_VIEWS, MIN_LEARNED_WIDTH
from tilework.core.solver.kernels import learned_beam as kernel
from tilework.core.solver.kernels.learned_beam import BINS, COARSE_BINS
from tilework.core.solver.kernels.path_tree import path_to_leaf
from tilework.core.solver.kernels.potential import BLANK_CODE, BORDER_CODE
from tilework.core.solver.large.learned.potential import Labels, Potential, get_layout
from tilework.core.solver.result import Outcome


@dataclass(frozen=True, slots=True)
class Span:
    """Rows or columns from ``first`` to ``last - 1``."""

    first: int
    last: int

    @classmethod
    def around(cls, lines: NDArray[np.int64], margin: int, minimum: int, maximum: int) -> Span:
        """Return the span that contains some lines and a margin."""
        count = min(maximum, max(minimum, int(np.ptp(lines)) + 1 + 2 * margin))
        middle = (int(lines.min()) + int(lines.max()) + 1 - count) // 2
        first = max(0, min(middle, maximum - count))
        return cls(first, first + count)

    @property
    def lines(self) -> slice:
        return slice(self.first, self.last)


def extract_rectangle(
    start: Board, end: Board, rows: Span, columns: Span
) -> tuple[Size, Labels, int]:
    """Return a rectangle as a puzzle: its size, the labels of its tiles, and the blank's label."""
    size = Size(columns.last - columns.first, rows.last - rows.first)
    rectangle = rows.lines, columns.lines
    start_tiles = start.cells.reshape(start.height, -1)[rectangle].ravel()
    end_tiles = end.cells.reshape(start.height, -1)[rectangle].ravel()
    # Both contain the same tiles, which are labelled by their cells at the end.
    tiles = np.sort(end_tiles)
    end_cells = inverse(np.searchsorted(tiles, end_tiles).astype(np.int32))
    labels = end_cells[np.searchsorted(tiles, start_tiles)].astype(np.uint16)
    return size, labels, int(end_cells[np.searchsorted(tiles, 0)])


_CALL_NODES = 100_000  # for one kernel call of at least one level, which takes about 6 ms
_CALL_LEVELS = 1_000
# The beam is narrowed if it would not end within the time limit at its pace so far, measured after
# this share of the time. The number of levels is about 1.6 times the sum of distances.
_EARLY_SHARE, _EXPECTED_RATIO, _MIN_WIDTH = 0.01, 1.6, 20
# A beam on a board of many cells gives up in this share of the levels if it becomes narrower than
# this share of `MIN_LEARNED_WIDTH`
_EARLY_LEVELS, _WORTHWHILE = 0.2, 0.6
_ENDING_SHARE = 0.1  # of the time, for the last tiles
_PATIENCE = 400  # levels without a lower potential before the beam stops
_QUOTA_SIDE = 14
_HASHES_PER_PATH = 16
_FIRST_HASH = 1  # of the start; only differences between hashes matter
# Room for the tree of paths at first; it grows if paths have few moves in common
_TOUR_PER_PATH, _MIN_TOUR = 20, 10_000


@dataclass(frozen=True, slots=True)
class Quotas:
    """The part of a level that is reserved for each region of the blank."""

    side: int = 0  # of a region, in cells; 0 for no quotas
    share: float = 0.5  # share of the width, which is divided equally among the regions

    def tables(self, size: Size) -> tuple[NDArray[np.int32], int]:
        """Return the region of each cell, and the number of regions."""
        if not self.side:
            return np.zeros(size.cells, dtype=np.int32), 1
        rows, columns = np.divmod(np.arange(size.cells), size.width)
        across = -(-size.width // self.side)
        regions = (rows // self.side * across + columns // self.side).astype(np.int32)
        return regions, int(regions[-1]) + 1


def choose_quotas(size: Size) -> Quotas:
    """Return the quotas for a size; without quotas, beams on large boards keep only one corner."""
    return Quotas() if max(size) < _QUOTA_SIDE else Quotas(4, 0.5)


class LearnedBeam:
    """The arrays of a beam, which can be reused for boards of one size."""

    def __init__(
        self,
        size: Size,
        width: int,
        quotas: Quotas,
        weights: Potential,
        *,
        max_levels: int = _CALL_LEVELS,
    ) -> None:
        self._layout = layout = get_layout(size)
        self._unary = weights.unary_terms(layout)
        self._weights = weights
        self._max_levels = max_levels
        regions, count = quotas.tables(size)
        self._reserved_share = quotas.share if quotas.side else 0.0
        self._regions = np.zeros(layout.position_count, dtype=np.int32)
        self._regions[layout.positions] = regions
        self._cells = np.zeros(layout.position_count, dtype=np.int32)
        self._codes = np.empty(layout.position_count, dtype=np.uint8)
        self._values, self._hashes = np.empty((2, width), dtype=np.int64)
        self._distances = np.empty(width, dtype=np.int32)
        candidates = 3 * width + 1
        self._candidates = np.empty((candidates, 4), dtype=np.int64)
        self._new_distances, self._parents = np.empty((2, candidates), dtype=np.int32)
        self._moves = np.empty(candidates, dtype=np.int8)
        self._keep = np.empty(candidates, dtype=np.uint8)
        self._full_selection = self._selection = np.empty(width, dtype=np.int32)
        self._table = np.zeros(1 << (_HASHES_PER_PATH * width).bit_length(), dtype=np.int64)
        self._region_counts = np.empty((count, COARSE_BINS), dtype=np.int64)
        self._region_limits = np.empty(count, dtype=np.int64)
        self._counts = np.empty(BINS, dtype=np.int64)
        self._tours = np.empty((2, _TOUR_PER_PATH * width + _MIN_TOUR), dtype=np.int8)
        self._out = np.empty(2 * self._tours.shape[1], dtype=np.uint8)
        self._report = np.zeros(kernel.REPORT_LENGTH, dtype=np.int64)

    def run(
        self,
        labels: Labels,
        goal_blank: int,
        upper_bound: int | None,
        limits: Limits,
        *,
        on_levels: Callable[[int], None] | None = None,
    ) -> Outcome:
        """Search from a board to the goal; ``goal_blank`` is the blank's goal cell and its label.

        If time is limited, the beam narrows when it would not end in time.

        ``on_levels`` is called with the number of the last level after each call of the kernel.
        """
        started = search_clock()
        distance = self._add_start(labels, goal_blank)
        max_moves = 8 * distance + 1000 if upper_bound is None else upper_bound - 1
        expected_moves = min(max_moves, _EXPECTED_RATIO * distance)
        report = self._report
        while True:
            seconds = search_clock() - started
            nodes = int(report[kernel.NODES])
            if (reason := limits.check(seconds, nodes, self.nbytes)) is not None:
                return self._make_outcome(None, started, reason)
            if limits.seconds is not None and not self._narrow(
                seconds, limits.seconds, expected_moves
            ):
                return self._make_outcome(None, started, StopReason.TIME)
            status = self._advance(max_moves)
            self._played.append(self._out[: report[kernel.PLAYED]].copy())
            report[kernel.PLAYED] = 0
            if status == kernel.SOLVED:
                leaf, move = divmod(int(report[kernel.GOAL]), 4)
                return self._make_outcome(
                    np.append(self._path(leaf), np.uint8(move)), started, None
                )
            if status == kernel.STUCK:
                return self._make_outcome(None, started, None)
            if status == kernel.TREE_FULL:
                self._grow_tours()
            elif on_levels is not None:
                on_levels(int(report[kernel.LEVEL]))

    def path_to_best(self) -> Moves:
        """Return the moves to the most promising board of the last level."""
        return self._path(int(np.argmin(self._values[: self.count])))

    @property
    def count(self) -> int:
        """The number of boards of the last level."""
        return int(self._report[kernel.COUNT])

    def board(self, index: int) -> Labels:
        """Return a board of the last level."""
        layout, blank = self._layout, int(self._report[kernel.BLANK])
        cells = self._cells.copy()
        steps = (layout.pitch, -layout.pitch, 1, -1)
        for move in self._path_from_root(index).tolist():
            cells[blank] = cells[blank + steps[move]]
            blank += steps[move]
        cells[blank] = layout.positions[self._goal_blank]
        return np.searchsorted(layout.positions, cells[layout.positions]).astype(np.uint16)

    @property
    def nbytes(self) -> int:
        return sum(value.nbytes for value in vars(self).values() if isinstance(value, np.ndarray))

    def _add_start(self, labels: Labels, goal_blank: int) -> int:
        layout, positions = self._layout, self._layout.positions
        displacements = layout.displacements(labels)
        blank = int(np.flatnonzero(labels == goal_blank)[0])
        steps = layout.steps[displacements]
        distance = int(steps.sum()) - int(steps[blank])
        self._cells[positions] = positions[labels]
        self._codes.fill(BORDER_CODE)
        self._codes[positions] = layout.codes[displacements]
        self._codes[positions[blank]] = BLANK_CODE
        self._goal_blank = goal_blank
        self._values[0] = 0  # only differences between potentials matter
        self._hashes[0] = _FIRST_HASH
        self._distances[0] = distance
        self._table.fill(0)
        self._played: list[Moves] = []
        self._report.fill(0)
        self._report[kernel.COUNT] = 1
        self._report[kernel.BLANK] = positions[blank]
        self._report[kernel.LAST] = -1
        self._report[kernel.BEST_VALUE] = 1 << 60
        return distance

    def _narrow(self, seconds: float, limit: float, expected_moves: float) -> bool:
        """Choose the width with which the remaining levels take the remaining time.

        Return whether the search is worthwhile: it ends early if the beam is too narrow.
        """
        level = int(self._report[kernel.LEVEL])
        if level and seconds > _EARLY_SHARE * limit:
            nodes = self._report[kernel.NODES] / seconds * ((1 - _ENDING_SHARE) * limit - seconds)
            levels = max(expected_moves - level, int(self._distances[: self.count].min()))
            width = int(nodes / (LEARNED_NODES * levels))
            self._selection = self._full_selection[: max(_MIN_WIDTH, width)]
            if level < _EARLY_LEVELS * expected_moves:
                has_many_cells = self._layout.size.cells > MIN_CELLS_FOR_LEARNED_VIEWS
                return not has_many_cells or width >= _WORTHWHILE * MIN_LEARNED_WIDTH
        return True

    def _advance(self, max_moves: int) -> int:
        layout = self._layout
        reserved = int(self._reserved_share * self._selection.size)
        last_level = int(self._report[kernel.LEVEL]) + self._max_levels
        return int(
            kernel.advance(
                self._cells, self._codes, layout.homes, layout.offsets, layout.border,
                self._regions, reserved, layout.codes, layout.steps, self._unary,
                self._weights.blocks, self._weights.near, layout.pitch,
                int(layout.positions[self._goal_blank]), max_moves, _PATIENCE, last_level,
                _CALL_NODES, self._table, *self._tours, self._values, self._hashes, self._distances,
                self._candidates, self._new_distances, self._parents, self._moves, self._keep,
                self._region_counts, self._region_limits, self._counts, self._selection,
                self._out, self._report,
            )
        )  # fmt: skip

    def _grow_tours(self) -> None:
        length = self._tours.shape[1]
        tours = np.empty((2, 2 * length), dtype=np.int8)
        tours[0, :length] = self._tours[0]
        self._tours = tours
        self._out = np.empty(4 * length, dtype=np.uint8)

    def _path(self, leaf: int) -> Moves:
        return np.concatenate([*self._played, self._path_from_root(leaf)])

    def _path_from_root(self, leaf: int) -> Moves:
        path = np.empty(self._tours.shape[1], dtype=np.uint8)
        length = path_to_leaf(self._tours[0], int(self._report[kernel.TOUR]), leaf, path)
        return path[:length]

    def _make_outcome(
        self, moves: Moves | None, started: float, reason: StopReason | None
    ) -> Outcome:
        nodes = int(self._report[kernel.NODES])
        return Outcome(moves, nodes, search_clock() - started, reason)
