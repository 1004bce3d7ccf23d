"""Converting stored solutions to solutions of the given board, with a replay."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tilework.core.errors import DamagedRowError, InputError, ReplayError
from tilework.core.model.jobs import Job, StoredSolution
from tilework.core.model.solutions import SolutionView
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.canonical import Transform
from tilework.core.puzzle.metric import Metric
from tilework.core.puzzle.moves import MoveSequence
from tilework.core.puzzle.packing import unpack_board
from tilework.core.puzzle.replay import replay


def view_stored_solution(answer: StoredSolution) -> SolutionView | None:
    """Return a job's solution, or None without one.

    Raises DamagedRowError as `make_solution_view`.
    """
    if answer.moves is None:
        return None
    return view_job_solution(answer.job, answer.moves, answer.lower_bound)


def view_job_solution(job: Job, moves: MoveSequence, lower_bound: int) -> SolutionView:
    """Convert a solution of the canonical board to one of a job's board."""
    suspects = (("job", job.id), ("solve", job.solve_id or ""))
    with blame_rows(*suspects):
        start, goal = unpack_board(job.board_bytes), unpack_board(job.goal_bytes)
        transform = Transform.from_text(job.transform)
    metric = job.options.metric
    return make_solution_view(start, goal, transform, moves, lower_bound, *suspects, metric=metric)


def make_solution_view(
    start: Board,
    goal: Board,
    transform: Transform,
    moves: MoveSequence,
    lower_bound: int,
    *suspects: tuple[str, str],
    metric: Metric,
) -> SolutionView:
    """Convert a solution of the canonical board to one of the given board.

    Raises DamagedRowError, with the rows that may be damaged, if it does not solve the board.
    """
    solution = transform.view_from_canonical(moves)
    with blame_rows(*suspects):
        replay(start, solution, goal)
    return SolutionView(start, goal, solution, lower_bound, metric)


@contextmanager
def blame_rows(*suspects: tuple[str, str]) -> Iterator[None]:
    """Convert errors about stored boards and moves to a DamagedRowError that names their rows."""
    try:
        yield
    except (InputError, ReplayError) as error:
        raise DamagedRowError(*suspects) from error
