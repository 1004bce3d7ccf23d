"""Turning a stored solution into one of the board as given, with a replay."""

from __future__ import annotations

from core.puzzle.board import Board
from core.puzzle.canonical import Transform
from core.puzzle.moves import MoveSequence
from core.puzzle.replay import replay
from core.services.jobs.views import SolutionView


def solution_view(
    start: Board, goal: Board, transform: Transform, moves: MoveSequence, lower_bound: int
) -> SolutionView:
    """Turn a solution of the canonical board into one of the board as given.

    Raises
    ------
    ReplayError
        If it does not solve the board: the cache is damaged, and the answer is not given.
    """
    given = transform.seen_from_canonical(moves)
    replay(start, given, goal)
    return SolutionView(start, goal, given, lower_bound)
