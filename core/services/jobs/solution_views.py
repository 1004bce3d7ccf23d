"""Converting stored solutions to solutions of the given board, with a replay."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tilework.core.errors import DamagedRowError, DamagedSolveError, InputError, ReplayError
from tilework.core.model.jobs import Job, JobView, StoredSolution
from tilework.core.model.solutions import SolutionView
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.canonical import Transform
from tilework.core.puzzle.metric import Metric
from tilework.core.puzzle.moves import MoveSequence
from tilework.core.puzzle.replay import replay


def view_stored_solution(answer: StoredSolution) -> SolutionView | None:
    """Return a job's solution, or None without one.

    Raises the same errors as `view_job_solution`.
    """
    if answer.moves is None:
        return None
    return view_job_solution(answer.job, answer.moves, answer.lower_bound)


def view_job_solution(job: Job | JobView, moves: MoveSequence, lower_bound: int) -> SolutionView:
    """Convert a solution of the canonical board to one of a job's board.

    Raises DamagedRowError if the job cannot be read, and DamagedSolveError if the solution does not
    solve its board.
    """
    start, goal = job.board, job.goal
    try:
        transform = Transform.from_text(job.transform)
    except InputError:
        raise DamagedRowError from None
    return make_solution_view(
        start,
        goal,
        transform,
        moves,
        lower_bound=lower_bound,
        solve_id=job.solve_id,
        metric=job.options.metric,
    )


def make_solution_view(
    start: Board,
    goal: Board,
    transform: Transform,
    moves: MoveSequence,
    *,
    lower_bound: int,
    solve_id: str | None,
    metric: Metric,
) -> SolutionView:
    """Convert a solution of the canonical board to one of the given board, and replay it."""
    solution = transform.view_from_canonical(moves)
    with blaming(solve_id):
        replay(start, solution, goal)
    return SolutionView(start, goal, solution, lower_bound, metric)


@contextmanager
def blaming(solve_id: str | None) -> Iterator[None]:
    """Convert errors about stored moves to a DamagedSolveError."""
    try:
        yield
    except (InputError, ReplayError) as error:
        raise DamagedSolveError(solve_id or "") from error
