"""IDA* over slides (see `tilework.core.solver.optimal.ida_star`)."""

from __future__ import annotations

import numpy as np

from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import NO_MOVES, Moves
from tilework.core.search.limits import Limits, Statistics, StopReason, search_clock
from tilework.core.solver.kernels.constants import EXHAUSTED, FOUND, NO_F
from tilework.core.solver.kernels.slides import (
    BLANK,
    DEPTH,
    EXPANDED,
    GENERATED,
    NEXT_THRESHOLD,
    REPORT_LENGTH,
    search_slides,
)
from tilework.core.solver.result import Progress, ProgressListener, SearchedThreshold, SlidesResult
from tilework.core.solver.slides.patterns import SlideTables
from tilework.core.solver.target import Algorithm

CHUNK = 1_000_000  # boards to generate between two checks of the limits: about 0.1 s
_PROGRESS_INTERVAL_S = 0.2


def ida_star_slides(
    board: Board,
    tables: SlideTables,
    limits: Limits,
    progress: ProgressListener | None = None,
    *,
    until: int | None = None,
    searched: tuple[SearchedThreshold, ...] = (),
) -> SlidesResult:
    """Search for a solution with the fewest slides to the goal of the tables.

    ``searched``: the thresholds that an earlier call has exhausted.
    """
    started = reported = search_clock()
    threshold = searched[-1].next if searched else tables.estimate(board)
    generated = expanded = 0
    thresholds = list(searched)

    def result(moves: Moves | None, stopped_by: StopReason | None) -> SlidesResult:
        statistics = Statistics(expanded, generated, search_clock() - started)
        return SlidesResult(
            threshold,
            moves,
            Algorithm.IDA_STAR,
            statistics,
            stopped_by,
            engine=f"{board.width}x{board.height} slides",
            thresholds=tuple(thresholds),
        )

    if board == tables.goal:
        return result(NO_MOVES, None)
    while until is None or threshold < until:
        start_nodes, start_seconds = generated, search_clock() - started
        walk = _Walk(board, tables, threshold)
        status = None
        while status not in (FOUND, EXHAUSTED):
            status = walk.search(limits.budget(CHUNK, generated))
            generated += int(walk.report[GENERATED])
            expanded += int(walk.report[EXPANDED])
            seconds = search_clock() - started
            if status == FOUND:
                return result(walk.moves(), None)
            if (stopped_by := limits.check(seconds, generated)) is not None:
                return result(None, stopped_by)
            if progress is not None and started + seconds - reported >= _PROGRESS_INTERVAL_S:
                reported = started + seconds
                progress(Progress(threshold, None, generated, seconds))
        next_threshold = int(walk.report[NEXT_THRESHOLD])
        fields = (threshold, generated - start_nodes, seconds - start_seconds, next_threshold)
        thresholds.append(SearchedThreshold(*fields))
        threshold = next_threshold
    return result(None, None)


class _Walk:
    def __init__(self, board: Board, tables: SlideTables, threshold: int) -> None:
        self._tables = tables
        self._threshold = threshold
        self._cells = board.cells.astype(np.int64)
        self._indices = tables.indices(board.cells)
        self._directions = np.zeros(threshold + 2, dtype=np.int64)
        self._steps = np.zeros(threshold + 2, dtype=np.int64)
        self.report = np.zeros(REPORT_LENGTH, dtype=np.int64)
        self.report[BLANK] = board.blank
        self.report[NEXT_THRESHOLD] = NO_F

    def search(self, budget: int) -> int:
        tables = self._tables
        status: int = search_slides(
            tables.entries, tables.shifts, tables.neighbors, self._threshold, budget,
            self._cells, self._indices, self._directions, self._steps, self.report,
        )  # fmt: skip
        return status

    def moves(self) -> Moves:
        depth = int(self.report[DEPTH])
        return np.repeat(self._directions[:depth], self._steps[:depth]).astype(np.uint8)
