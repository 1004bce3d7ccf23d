"""Turning a stored solution into one of the board as given, with a replay."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tilework.core.errors import DamagedRowError, InputError, ReplayError
from tilework.core.model.improvement import improvement_view
from tilework.core.model.job_views import Answer, JobView, SolutionView
from tilework.core.model.jobs import FIRST_VERSION, Effort, NewJob
from tilework.core.model.solves import Solve
from tilework.core.model.states import JobState
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.canonical import Transform
from tilework.core.puzzle.metric import Metric
from tilework.core.puzzle.moves import MoveSequence
from tilework.core.puzzle.packing import unpack_board
from tilework.core.puzzle.replay import replay


def solution_of(answer: Answer) -> SolutionView | None:
    """Return a job's solution; None while there is none, or where a textbook search's is damaged.

    Raises
    ------
    DamagedRowError
        As `solution_view`.
    """
    try:
        return _solution(answer)
    except DamagedRowError:
        if answer.solve_id is None:  # nobody searches again for such a job
            return None
        raise


def _solution(answer: Answer) -> SolutionView | None:
    if answer.moves is None:
        return None
    suspects = (("job", answer.id), ("solve", answer.solve_id or ""))
    with told_of(*suspects):
        start, goal = unpack_board(answer.board_bytes), unpack_board(answer.goal_bytes)
        transform = Transform.from_text(answer.transform)
    return solution_view(
        start, goal, transform, answer.moves, answer.lower_bound, *suspects, metric=answer.metric
    )


def solution_view(
    start: Board,
    goal: Board,
    transform: Transform,
    moves: MoveSequence,
    lower_bound: int,
    *suspects: tuple[str, str],
    metric: Metric,
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
    return SolutionView(start, goal, given, lower_bound, metric)


def ended_view(job: NewJob, solve: Solve, *, brief: bool) -> JobView:
    """Return the view of a job that is stored ended, as reading it would."""
    spent = Effort.of(solve)
    return JobView(
        id=job.id,
        state=job.state,
        width=job.width,
        height=job.height,
        metric=job.metric,
        target=job.target.kind,
        gap_asked=job.target.gap,
        algorithm=job.course.algorithm,
        heuristic=job.course.heuristic,
        time_limit_s=job.time_limit_s,
        created_at=job.created_at,
        started_at=None,
        finished_at=job.finished_at,
        lower_bound=job.lower_bound,
        upper_bound=job.upper_bound,
        progress=1.0 if job.state is JobState.OPTIMAL else min(max(spent.covered, 0.0), 1.0),
        nodes=spent.nodes,
        nodes_per_s=spent.nodes / spent.wall_s if spent.wall_s else 0.0,
        queue=job.queue,
        queue_position=None,
        cached=job.cached,
        version=str(FIRST_VERSION),
        client_id=job.client_id,
        batch_id=job.batch_id,
        message=job.message,
        board_bytes=b"" if brief else job.board_bytes,
        goal_bytes=b"" if brief else job.goal_bytes,
        threshold=spent.threshold,
        seconds_left=None,
        seconds_left_factor=None,
        threshold_seconds_left=None,
        threshold_seconds_left_factor=None,
        engine=spent.engine,
        improvement=improvement_view(solve.improvement),
    )


@contextmanager
def told_of(*suspects: tuple[str, str]) -> Iterator[None]:
    """Turn what fails on stored boards and moves into an error that names their rows."""
    try:
        yield
    except (InputError, ReplayError) as error:
        raise DamagedRowError(*suspects) from error
