"""A stored solution on its way out: brought to the board as given, and replayed there."""

from __future__ import annotations

from core.puzzle.board import Board
from core.puzzle.canonical import Transform
from core.puzzle.moves import Moves
from core.puzzle.replay import replay
from core.services.jobs.views import SolutionView


def solution_view(
    start: Board, goal: Board, transform: Transform, moves: Moves, lower_bound: int
) -> SolutionView:
    """Turn a solution of the canonical board into one of the board as given.

    Raises
    ------
    ReplayError
        If it is none: the cache is damaged, and the answer does not leave.
    """
    given = transform.from_canonical(moves)
    replay(start, given, goal)
    return SolutionView(start, goal, given, lower_bound)
