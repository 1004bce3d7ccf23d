"""Suffixes of a solution, searched again.

A beam from a board along the best solution often finds a shorter way to the goal than the wider
beam that found the solution, because which paths a beam keeps is largely a matter of luck, and that
board is the result of a good choice.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import Moves
from tilework.core.puzzle.replay import apply
from tilework.core.search.limits import Limits
from tilework.core.solver.large.anytime.views import make_view
from tilework.core.solver.large.learned.search import learned_beam
from tilework.core.solver.large.outcome import Outcome

_GOLDEN_RATIO = 0.5 + 1.25**0.5


def shorten_suffix(
    board: Board, goal: Board, moves: Moves, width: int, number: int, *, limits: Limits
) -> Outcome:
    """Look for a shorter solution that begins like the given one, on a view of the board.

    If the solution was found from the goal, it ends like the given one instead. ``number`` selects
    the view and the number of common moves.
    """
    # Beams make cheap moves first, so that the middle is closer to where they end.
    middle = apply(board, moves[: moves.size // 2])
    from_goal = middle.manhattan(goal) > middle.manhattan(board)
    kept = int(number * _GOLDEN_RATIO % 1 * moves.size)  # equidistributed, whatever the view
    split = moves.size - kept if from_goal else kept
    part = apply(board, moves[:split])
    start, end = (board, part) if from_goal else (part, goal)
    view = make_view(2 * number + from_goal)
    outcome = learned_beam(
        *view.apply(start, end), width, limits=limits, upper_bound=moves.size - kept
    )
    if outcome.moves is None:
        return outcome
    found = view.transform.from_canonical(outcome.moves)
    parts = (found, moves[split:]) if from_goal else (moves[:split], found)
    return replace(outcome, moves=np.concatenate(parts))
