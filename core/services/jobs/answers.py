"""Turning a stored solution into one of the board as given, with a replay."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from core.errors import DamagedRowError, InputError, ReplayError
from core.puzzle.board import Board
from core.puzzle.canonical import Transform
from core.puzzle.moves import MoveSequence
from core.puzzle.packing import unpack_board
from core.puzzle.replay import replay
from core.services.jobs.records import Answer
from core.services.jobs.views import SolutionView


def solution_of(answer: Answer) -> SolutionView | None:
    """Return a job's solution; None while there is none.

    Raises
    ------
    DamagedRowError
        As `solution_view`.
    """
    if answer.moves is None:
        return None
    suspects = (("job", answer.id), ("solve", answer.solve_id or ""))
    with told_of(*suspects):
        start, goal = unpack_board(answer.board_bytes), unpack_board(answer.goal_bytes)
        transform = Transform.from_text(answer.transform)
    return solution_view(start, goal, transform, answer.moves, answer.lower_bound, *suspects)


def solution_view(
    start: Board,
    goal: Board,
    transform: Transform,
    moves: MoveSequence,
    lower_bound: int,
    *suspects: tuple[str, str],
) -> SolutionView:
    """Turn a solution of the canonical board into one of the board as given.

    Raises
    ------
    DamagedRowError
        If it does not solve the board: one of these rows is damaged, and no answer is given.
    """
    given = transform.seen_from_canonical(moves)
    with told_of(*suspects):
        replay(start, given, goal)
    return SolutionView(start, goal, given, lower_bound)


@contextmanager
def told_of(*suspects: tuple[str, str]) -> Iterator[None]:
    """Turn what fails on stored boards and moves into an error that names their rows."""
    try:
        yield
    except (InputError, ReplayError) as error:
        raise DamagedRowError(*suspects) from error
