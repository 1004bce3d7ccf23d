"""Searches that a learned potential guides: of whole boards, and of a stretch of a solution.

The blank of a stretch of moves stays in some rectangle, and so do all tiles that move. With a
margin it is a puzzle of its own, as small as its moves however large the board is.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tilework.core.puzzle.arrangement import inverse
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.moves import NO_MOVES, Moves, blank_steps
from tilework.core.puzzle.replay import apply
from tilework.core.search.limits import Limits, StopReason, search_clock
from tilework.core.solver.large.constructive import construct
from tilework.core.solver.large.learned.beam import LearnedBeam, Quotas, quotas_for
from tilework.core.solver.large.learned.potential import Labels, labels_of, shipped
from tilework.core.solver.large.outcome import Outcome

# Of the rectangle for the last tiles: at least so long, and longer where a beam fails there
_FINISH_SIDES = (5, 8)

_FINISH_WIDTH = 1000

# Of the largest such rectangle: tiles farther apart would cost more time than the whole board
_FINISH_CELLS = 150


def learned_beam(
    board: Board,
    goal: Board,
    width: int,
    *,
    limits: Limits | None = None,
    upper_bound: int | None = None,
) -> Outcome:
    """Look for a short solution, keeping the boards of each level that seem nearest to the goal.

    A solution costs about 2 × width nodes a move. The outcome is the same for the same input,
    unless time or a cancel ends it.
    """
    began = search_clock()
    if board == goal:
        return Outcome(NO_MOVES, 0, search_clock() - began, None)
    limits = limits or Limits()
    beam = LearnedBeam(goal.size, width, quotas_for(goal.size), shipped())
    found = beam.run(labels_of(board, goal), goal.blank, upper_bound, limits)
    if found.moves is not None or found.stopped_by is not None:
        return found
    way = beam.path_to_best()
    rest = _finish(apply(board, way), goal, limits)
    if isinstance(rest, StopReason) or len(way) + len(rest) >= (upper_bound or math.inf):
        return found
    return replace(found, moves=np.concatenate([way, rest]))


def _finish(board: Board, goal: Board, limits: Limits) -> Moves | StopReason:
    """Solve what a beam has left: a few tiles in each other's places."""
    wrong = np.flatnonzero(board.cells != goal.cells)
    rows, columns = np.divmod(wrong, board.width)
    cancelled = Limits(cancelled=limits.cancelled)
    for least in _FINISH_SIDES:
        size, labels, home = rectangle(
            board,
            goal,
            Span.round(rows, 1, least, board.height),
            Span.round(columns, 1, least, board.width),
        )
        if size.cells > _FINISH_CELLS:
            break
        beam = LearnedBeam(size, _FINISH_WIDTH, quotas_for(size), shipped())
        if (moves := beam.run(labels, home, None, cancelled).moves) is not None:
            return moves
    return construct(board, goal, cancelled)


@dataclass(frozen=True, slots=True)
class Span:
    """Lines from ``first`` up to ``last``."""

    first: int
    last: int

    @classmethod
    def round(cls, places: NDArray[np.int64], margin: int, least: int, most: int) -> Span:
        """Return the span of some lines and of others beside them."""
        count = min(most, max(least, int(np.ptp(places)) + 1 + 2 * margin))
        middle = (int(places.min()) + int(places.max()) + 1 - count) // 2
        first = max(0, min(middle, most - count))
        return cls(first, first + count)

    @property
    def lines(self) -> slice:
        return slice(self.first, self.last)


def rectangle(start: Board, end: Board, rows: Span, columns: Span) -> tuple[Size, Labels, int]:
    size = Size(columns.last - columns.first, rows.last - rows.first)
    part = rows.lines, columns.lines
    before = start.cells.reshape(start.height, -1)[part].ravel()
    after = end.cells.reshape(start.height, -1)[part].ravel()
    # Both hold the same tiles: each is named by its place among them, then by its cell at the end.
    tiles = np.sort(after)
    cell = inverse(np.searchsorted(tiles, after).astype(np.int32))
    labels = cell[np.searchsorted(tiles, before)].astype(np.uint16)
    return size, labels, int(cell[np.searchsorted(tiles, 0)])


MARGIN = 1  # cells added to each side of the rectangle that the blank stays in

# Of a rectangle: of larger ones the tables are large, and ways so straight are hardly too long
MOST_CELLS = 600


def shorten_path(
    start: Board, end: Board, moves: Moves, width: int, *, limits: Limits | None = None
) -> Outcome:
    """Look for fewer moves than some that lead from one board to another.

    None are found where the rectangle that holds them is larger than `MOST_CELLS`.
    """
    steps = np.array(blank_steps(start.width), dtype=np.int64)[moves]
    blanks = np.concatenate([[0], np.cumsum(steps)]) + start.blank
    rows, columns = np.divmod(blanks, start.width)
    size, labels, home = rectangle(
        start,
        end,
        Span.round(rows, MARGIN, 2, start.height),
        Span.round(columns, MARGIN, 2, start.width),
    )
    if size.cells > MOST_CELLS:
        return Outcome(None, 0, 0.0, None)
    beam = LearnedBeam(size, width, Quotas(), shipped())
    return beam.run(labels, home, moves.size, limits or Limits())
