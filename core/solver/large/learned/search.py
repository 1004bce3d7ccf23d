"""A beam over whole boards that a learned potential guides, and the end where it is stuck."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import NO_MOVES, Moves
from tilework.core.puzzle.replay import apply
from tilework.core.search.clock import search_clock
from tilework.core.search.limits import Limits, StopReason
from tilework.core.solver.large.constructive import construct
from tilework.core.solver.large.learned.beam import LearnedBeam, Quotas, quotas_for
from tilework.core.solver.large.learned.layout import labels_of
from tilework.core.solver.large.learned.potential import Potential
from tilework.core.solver.large.learned.rectangle import Span, rectangle
from tilework.core.solver.large.learned.weights import shipped
from tilework.core.solver.large.outcome import Outcome
from tilework.core.solver.large.rest import solve_rest

_FINISH_SIDES = (5, 8)
"""Of the rectangle for the last tiles: at least so long, and longer where a beam fails there."""

_FINISH_WIDTH = 1000

_FINISH_CELLS = 150
"""Of the largest such rectangle: tiles farther apart would cost more time than the whole board."""


def learned_beam(
    board: Board,
    goal: Board,
    width: int,
    *,
    limits: Limits | None = None,
    upper_bound: int | None = None,
    quotas: Quotas | None = None,
    weights: Potential | None = None,
) -> Outcome:
    """Look for a short solution, keeping the boards of each level that seem nearest to the goal.

    Parameters
    ----------
    board, goal : Board
        Of one size, both sides from 2; the goal, its blank anywhere, in reach. Memory grows with
        the square of the cells.
    width : int
        Boards kept of each level. A solution costs about 2 × width nodes a move.
    limits : Limits, optional
        Checked some fifty times a second.
    upper_bound : int, optional
        Only solutions of fewer moves are looked for.
    quotas : Quotas, optional
        By default those that suit the size.
    weights : Potential, optional
        The shipped ones by default.

    Returns
    -------
    Outcome
        The same for the same input, unless time or a cancel ends it.
    """
    began = search_clock()
    if board == goal:
        return Outcome(NO_MOVES, 0, search_clock() - began, None)
    limits = limits or Limits()
    beam = LearnedBeam(goal.size, width, quotas or quotas_for(goal.size), weights or shipped())
    found = beam.run(labels_of(board, goal), goal.blank, upper_bound, limits)
    if found.moves is not None or found.stopped_by is not None:
        return found
    way = beam.way_to_best()
    rest = _finish(apply(board, way), goal, weights or shipped(), limits)
    if isinstance(rest, StopReason) or len(way) + len(rest) >= (upper_bound or math.inf):
        return found
    return replace(found, moves=np.concatenate([way, rest]))


def _finish(board: Board, goal: Board, weights: Potential, limits: Limits) -> Moves | StopReason:
    """Solve what a beam has left: a few tiles in each other's places.

    In a rectangle round them, where the blank cannot stray, a beam finds more than on the whole.
    """
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
        beam = LearnedBeam(size, _FINISH_WIDTH, quotas_for(size), weights)
        if (moves := beam.run(labels, home, None, cancelled).moves) is not None:
            return moves
    return construct(board, goal, solve_rest, cancelled)
