"""Searches of whole boards and of segments of a solution, guided by the learned potential.

During a segment, the blank and all moved tiles stay within a rectangle. With a margin, it is a
separate puzzle, whose size depends on the moves but not on the board.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import NO_MOVES, Moves, blank_steps
from tilework.core.puzzle.replay import apply
from tilework.core.search.limits import Limits, StopReason, search_clock
from tilework.core.solver.large.constructive import construct
from tilework.core.solver.large.learned.beam import LearnedBeam, Quotas, choose_quotas
from tilework.core.solver.large.learned.ending import solve_last_tiles
from tilework.core.solver.large.learned.potential import default_potential, label_tiles
from tilework.core.solver.large.learned.rectangle import Span, extract_rectangle
from tilework.core.solver.large.outcome import Outcome


def learned_beam(
    board: Board,
    goal: Board,
    width: int,
    *,
    limits: Limits | None = None,
    upper_bound: int | None = None,
) -> Outcome:
    """Look for a short solution, and keep the most promising boards of each level.

    A solution costs about 2 × width nodes per move. If time or nodes run out, the constructive
    solver continues from the most promising board. The outcome depends only on the input, unless
    time is limited or cancellation ends the search.
    """
    started = search_clock()
    if board == goal:
        return Outcome(NO_MOVES, 0, search_clock() - started, None)
    limits = limits or Limits()
    beam = LearnedBeam(goal.size, width, choose_quotas(goal.size), default_potential())
    outcome = beam.run(label_tiles(board, goal), goal.blank, upper_bound, limits)
    reason = outcome.stopped_by
    if outcome.moves is not None or reason in (StopReason.CANCELLED, StopReason.MEMORY):
        return outcome
    path = beam.path_to_best()
    last_board, most_moves = apply(board, path), math.inf if upper_bound is None else upper_bound
    if len(path) + last_board.manhattan(goal) >= most_moves:
        return outcome
    if reason is None:
        last_moves = solve_last_tiles(last_board, goal, limits.after(outcome.seconds))
    else:
        last_moves = construct(last_board, goal, Limits(cancelled=limits.cancelled))
    if isinstance(last_moves, StopReason) or len(path) + len(last_moves) >= most_moves:
        return outcome
    moves = np.concatenate([path, last_moves])
    return replace(outcome, moves=moves, seconds=search_clock() - started)


MARGIN = 1  # cells added to each side of the blank's rectangle
MAX_CELLS = 600  # of a rectangle; larger ones gained little


def shorten_path(start: Board, end: Board, moves: Moves, width: int, *, limits: Limits) -> Outcome:
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
    return beam.run(labels, goal_blank, moves.size, limits)
