"""A beam guided by the learned potential, for boards of one size."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tilework.core.puzzle.board import Size
from tilework.core.puzzle.moves import NO_MOVES, Moves
from tilework.core.search.limits import Limits, StopReason, search_clock
from tilework.core.solver.kernels.learned import beam as kernel
from tilework.core.solver.kernels.learned.potential import BORDER_CODE, potential
from tilework.core.solver.kernels.learned.selection import BINS, COARSE_BINS
from tilework.core.solver.large.learned.potential import Labels, Potential, get_layout
from tilework.core.solver.large.outcome import Ancestry, Outcome

_CALL_NODES = 100_000  # for one kernel call of at least one level, which takes 10 to 30 ms
_CALL_LEVELS = 64
_PATIENCE = 400  # levels without a lower potential before the beam stops
_QUOTA_SIDE = 14
_HASHES_PER_BOARD = 16


@dataclass(frozen=True, slots=True)
class Quotas:
    """The part of a level that is reserved for each region of the blank."""

    side: int = 0  # of a region, in cells; 0 for no quotas
    share: float = 0.5  # share of the width, which is divided equally among the regions

    def tables(self, size: Size, width: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Return the region of each cell and the number of boards reserved for each region."""
        if not self.side:
            return np.zeros(size.cells, dtype=np.int32), np.zeros(1, dtype=np.int32)
        rows, columns = np.divmod(np.arange(size.cells), size.width)
        across = -(-size.width // self.side)
        regions = (rows // self.side * across + columns // self.side).astype(np.int32)
        count = int(regions[-1]) + 1
        return regions, np.full(count, int(self.share * width / count), dtype=np.int32)


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
        self.layout = layout = get_layout(size)
        self._unary = weights.unary_terms(layout)
        self._weights = weights
        self._regions, self._quotas = quotas.tables(size, width)
        self._width = width
        self._labels = np.empty((2, width, size.cells), dtype=np.uint16)
        self._codes = np.empty((2, width, layout.padded_cells), dtype=np.uint8)
        self._values = np.empty((2, width), dtype=np.int64)
        self._hashes = np.empty((2, width), dtype=np.int64)
        self._blanks = np.empty((2, width), dtype=np.int32)
        self._distances = np.empty((2, width), dtype=np.int32)
        self._last_moves = np.empty((2, width), dtype=np.int8)
        self._candidates = np.empty((3 * width + 1, 4), dtype=np.int64)
        self._children = np.empty((4 * kernel.BATCH, 3), dtype=np.int64)
        self._selection = np.empty(width, dtype=np.int32)
        self._table = np.zeros(1 << (_HASHES_PER_BOARD * width).bit_length(), dtype=np.int64)
        regions = self._quotas.size
        self._region_counts = np.empty((regions, COARSE_BINS), dtype=np.int64)
        self._region_limits = np.empty(regions, dtype=np.int64)
        self._counts = np.empty(BINS, dtype=np.int64)
        levels = max(1, min(max_levels, _CALL_NODES // width))
        self._origins = np.empty((levels, width), dtype=np.uint32)
        self._board_counts = np.empty(levels, dtype=np.int64)
        self._report = np.empty(kernel.REPORT_LENGTH, dtype=np.int64)

    def run(
        self,
        labels: Labels,
        goal_blank: int,
        upper_bound: int | None,
        limits: Limits,
        *,
        on_levels: Callable[[int, Labels], None] | None = None,
    ) -> Outcome:
        """Search from a board to the goal; ``goal_blank`` is the blank's goal cell and its label.

        ``on_levels`` is called with a level's number and boards after each call of the kernel.
        """
        started = search_clock()
        distance = self._add_start(labels, goal_blank)
        max_moves = 8 * distance + 1000 if upper_bound is None else upper_bound - 1
        ancestry = self._ancestry = Ancestry()
        report = self._report
        while True:
            seconds = search_clock() - started
            nbytes = self.nbytes + ancestry.nbytes
            if (reason := limits.check(seconds, int(report[kernel.NODES]), nbytes)) is not None:
                return self._make_outcome(None, started, reason)
            self._advance(goal_blank, max_moves)
            if report[kernel.NEW_LEVELS]:
                self._last_count = int(self._board_counts[report[kernel.NEW_LEVELS] - 1])
            for level in range(int(report[kernel.NEW_LEVELS])):
                ancestry.add(self._origins[level, : self._board_counts[level]].copy())
            if report[kernel.GOAL] >= 0:
                return self._make_outcome(
                    ancestry.moves_to(int(report[kernel.GOAL])), started, None
                )
            if report[kernel.COUNT] == 0:
                return self._make_outcome(None, started, None)
            if on_levels is not None:
                level = int(report[kernel.LEVEL])
                on_levels(level, self._labels[level & 1, : report[kernel.COUNT]])

    def path_to_best(self) -> Moves:
        """Return the moves to the most promising board of the last level."""
        level = int(self._report[kernel.LEVEL])
        values = self._values[level & 1, : self._last_count]
        if values.size == 0 or level == 0:
            return NO_MOVES
        return self._ancestry.moves_to(int(np.argmin(values)) << 2)[:-1]

    @property
    def nbytes(self) -> int:
        return sum(value.nbytes for value in vars(self).values() if isinstance(value, np.ndarray))

    def _add_start(self, labels: Labels, goal_blank: int) -> int:
        layout = self.layout
        cells = np.arange(labels.size)
        steps = layout.steps[labels, cells]
        blank = int(np.flatnonzero(labels == goal_blank)[0])
        blank_distance = int(steps[blank])
        distance = int(steps.sum()) - blank_distance
        codes = np.full(layout.padded_cells, BORDER_CODE, dtype=np.uint8)
        self._values[0, 0] = potential(
            labels, codes, layout.padded, layout.code_table, self._unary, self._weights.blocks,
            self._weights.near, layout.stride, distance, blank_distance, goal_blank,
        )  # fmt: skip
        self._labels[0, 0] = labels
        self._codes[0, 0] = codes
        self._hashes[0, 0] = kernel.hash_board(labels, goal_blank)
        self._blanks[0, 0] = blank
        self._distances[0, 0] = distance
        self._last_moves[0, 0] = -1
        self._table.fill(0)
        self._report.fill(0)
        self._last_count = 1
        self._report[kernel.COUNT] = 1
        self._report[kernel.GOAL] = -1
        self._report[kernel.BEST_VALUE] = 1 << 60
        return distance

    def _advance(self, goal_blank: int, max_moves: int) -> None:
        layout = self.layout
        kernel.advance(
            self._labels, self._codes, self._values, self._hashes, self._blanks,
            self._distances, self._last_moves, layout.padded, layout.move_steps, layout.legal,
            self._regions, self._quotas, layout.steps, layout.code_table, self._unary,
            self._weights.blocks, self._weights.near, layout.stride, goal_blank, max_moves,
            _PATIENCE, _CALL_NODES, self._table, self._children, self._candidates,
            self._region_counts, self._region_limits, self._counts, self._selection,
            self._origins, self._board_counts, self._report,
        )  # fmt: skip

    def _make_outcome(
        self, moves: Moves | None, started: float, reason: StopReason | None
    ) -> Outcome:
        nodes = int(self._report[kernel.NODES])
        return Outcome(moves, nodes, search_clock() - started, reason)
