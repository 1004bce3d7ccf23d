"""Searches of whole boards and of segments of a solution, guided by the learned potential.

During a segment, the blank and all moved tiles stay within a rectangle. With a margin, it is a
separate puzzle, whose size depends on the moves but not on the board.
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
from tilework.core.solver.large.learned.beam import LearnedBeam, Quotas, choose_quotas
from tilework.core.solver.large.learned.potential import Labels, default_potential, label_tiles
from tilework.core.solver.large.outcome import Outcome

_LAST_SIDES = (5, 8)  # minimum sides of the rectangle around the last tiles, in order
_LAST_WIDTH = 1000
_LAST_CELLS = 150  # maximum cells of that rectangle, to limit the time


def learned_beam(
    board: Board,
    goal: Board,
    width: int,
    *,
    limits: Limits | None = None,
    upper_bound: int | None = None,
) -> Outcome:
    """Look for a short solution, and keep the most promising boards of each level.

    A solution costs about 2 × width nodes per move. The outcome depends only on the input, unless
    time or cancellation ends the search.
    """
    started = search_clock()
    if board == goal:
        return Outcome(NO_MOVES, 0, search_clock() - started, None)
    limits = limits or Limits()
    beam = LearnedBeam(goal.size, width, choose_quotas(goal.size), default_potential())
    outcome = beam.run(label_tiles(board, goal), goal.blank, upper_bound, limits)
    if outcome.moves is not None or outcome.stopped_by is not None:
        return outcome
    path = beam.path_to_best()
    last_moves = _solve_last_tiles(apply(board, path), goal, limits)
    if isinstance(last_moves, StopReason) or len(path) + len(last_moves) >= (
        upper_bound or math.inf
    ):
        return outcome
    return replace(outcome, moves=np.concatenate([path, last_moves]))


def _solve_last_tiles(board: Board, goal: Board, limits: Limits) -> Moves | StopReason:
    """Solve the last board of a beam, which has only a few misplaced tiles."""
    # The rectangle must contain the blank, even if it is on its goal cell.
    unsolved = np.flatnonzero((board.cells != goal.cells) | (board.cells == 0))
    rows, columns = np.divmod(unsolved, board.width)
    no_limits = Limits(cancelled=limits.cancelled)
    for min_side in _LAST_SIDES:
        size, labels, goal_blank = extract_rectangle(
            board,
            goal,
            Span.around(rows, 1, min_side, board.height),
            Span.around(columns, 1, min_side, board.width),
        )
        if size.cells > _LAST_CELLS:
            break
        beam = LearnedBeam(size, _LAST_WIDTH, choose_quotas(size), default_potential())
        if (moves := beam.run(labels, goal_blank, None, no_limits).moves) is not None:
            return moves
    return construct(board, goal, no_limits)


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


MARGIN = 1  # cells added to each side of the blank's rectangle
MAX_CELLS = 600  # of a rectangle; larger ones need large tables and gain little


def shorten_path(
    start: Board, end: Board, moves: Moves, width: int, *, limits: Limits | None = None
) -> Outcome:
    """Look for a path from one board to another that is shorter than the given one.

    The outcome has no moves if the rectangle is larger than `MAX_CELLS`.
    """
    steps = np.array(blank_steps(start.width), dtype=np.int64)[moves]
    blanks = np.concatenate([[0], np.cumsum(steps)]) + start.blank
    rows, columns = np.divmod(blanks, start.width)
    size, labels, goal_blank = extract_rectangle(
        start,
        end,
        Span.around(rows, MARGIN, 2, start.height),
        Span.around(columns, MARGIN, 2, start.width),
    )
    if size.cells > MAX_CELLS:
        return Outcome(None, 0, 0.0, None)
    beam = LearnedBeam(size, width, Quotas(), default_potential())
    return beam.run(labels, goal_blank, moves.size, limits or Limits())
