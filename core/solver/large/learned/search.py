"""A beam over whole boards that a learned potential guides, and the end where it is stuck."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import NO_MOVES, Moves
from tilework.core.puzzle.replay import apply
from tilework.core.search.limits import Limits, StopReason, search_clock
from tilework.core.solver.large.constructive import construct, solve_rest
from tilework.core.solver.large.learned.beam import LearnedBeam, quotas_for
from tilework.core.solver.large.learned.layout import labels_of
from tilework.core.solver.large.learned.potential import shipped
from tilework.core.solver.large.learned.window import Span, rectangle
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

    Parameters
    ----------
    width : int; boards kept of each level. A solution costs about 2 × width nodes a move.
    upper_bound : int, optional; only solutions of fewer moves are looked for

    Returns
    -------
    Outcome; the same for the same input, unless time or a cancel ends it
    """
    began = search_clock()
    if board == goal:
        return Outcome(NO_MOVES, 0, search_clock() - began, None)
    limits = limits or Limits()
    beam = LearnedBeam(goal.size, width, quotas_for(goal.size), shipped())
    found = beam.run(labels_of(board, goal), goal.blank, upper_bound, limits)
    if found.moves is not None or found.stopped_by is not None:
        return found
    way = beam.way_to_best()
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
    return construct(board, goal, solve_rest, cancelled)
