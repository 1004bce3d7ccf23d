"""What a job's solution is made of."""

from __future__ import annotations

from functools import partial

from sqlalchemy import Connection, bindparam, case, func, select

from tilework.core.errors import DamagedRowError
from tilework.core.model.job_views import Answer
from tilework.core.model.states import Queue
from tilework.core.puzzle.metric import Metric
from tilework.core.puzzle.moves import MoveSequence
from tilework.core.storage.damage.sealed import damaged
from tilework.core.storage.farm.solutions import StoredSolutions, head_of, steady
from tilework.core.storage.jobs import views as job_views
from tilework.core.storage.jobs.run_figures import packed_moves
from tilework.core.storage.models import job, solve

_of_a_run = job.c.queue == Queue.LAB
_ANSWER = (
    select(
        job.c.board,
        job.c.goal,
        job.c.transform,
        solve.c.moves,
        func.coalesce(solve.c.lower_bound, job.c.lower_bound),
        solve.c.id,
        func.coalesce(solve.c.algorithm, job.c.algorithm),
        func.coalesce(solve.c.nodes, job.c.nodes, 0),
        func.coalesce(solve.c.seconds, job.c.wall_s, 0.0),
        case((_of_a_run, job.c.upper_bound), else_=solve.c.upper_bound),
        _of_a_run,
        job.c.metric,
        *job_views.SEALED,
    )
    .outerjoin_from(job, solve, job.c.solve_id == solve.c.id)
    .where(job.c.id == bindparam("id"))
)


def read_answer(connection: Connection, job_id: str) -> Answer | None:
    """Return what a job's solution is made of; None where there is no such job.

    Raises
    ------
    UnavailableError
        If the solution is replaced again and again while it is read.
    """
    return steady(partial(_answer, connection, job_id))


def _answer(connection: Connection, job_id: str) -> Answer | None:
    row = connection.execute(_ANSWER, {"id": job_id}).first()
    if row is None:
        return None
    job_views.check(row)
    (
        board, goal, transform, packed, lower_bound, solve_id, algorithm, nodes, seconds, upper,
        of_a_run, named, *_,
    ) = row  # fmt: skip
    metric = Metric(named or Metric.MOVES)
    if of_a_run:
        moves, name = _of_run(connection, job_id, upper)
    else:
        moves, name = _of_solve(connection, solve_id, packed, upper, metric)
    return Answer(
        id=job_id,
        board_bytes=board,
        goal_bytes=goal,
        transform=transform,
        moves=moves,
        solution=name,
        lower_bound=lower_bound,
        solve_id=solve_id,
        algorithm=algorithm,
        nodes=nodes,
        seconds=seconds,
        metric=metric,
        withdrawn=moves is None and row.end_upper is not None,
    )


def _of_solve(
    connection: Connection,
    solve_id: str | None,
    packed: bytes | None,
    upper: int | None,
    metric: Metric,
) -> tuple[MoveSequence | None, str | None]:
    moves, name = None, None
    if packed is not None:
        head = head_of(solve_id or "", packed)
        moves, name = StoredSolutions(connection).read(head), head.name
    if (None if moves is None else metric.length(moves)) != upper:
        raise damaged("solve", solve_id)
    return moves, name


def _of_run(
    connection: Connection, job_id: str, upper: int | None
) -> tuple[MoveSequence | None, str | None]:
    """Return the solution that a job's run has found; None, too, where it is damaged.

    Nobody searches again for a job that has ended.
    """
    packed = None if upper is None else packed_moves(connection, job_id)
    if packed is None:
        return None, None
    try:
        head = head_of("", packed)
        moves = StoredSolutions(connection).read(head)
    except DamagedRowError:
        return None, None
    return (moves, head.name) if len(moves) == upper else (None, None)
