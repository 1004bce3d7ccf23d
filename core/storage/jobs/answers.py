"""Reading the stored solutions of jobs."""

from __future__ import annotations

from functools import partial

from sqlalchemy import Connection, bindparam, func, select

from tilework.core.errors import DamagedSolveError
from tilework.core.model.farm.solves import Solve
from tilework.core.model.ids import job_not_found
from tilework.core.model.jobs import Job, StoredSolution
from tilework.core.puzzle.moves import MoveSequence
from tilework.core.storage.farm.solutions import (
    Reading,
    SolutionRepository,
    read_consistently,
    read_head,
)
from tilework.core.storage.jobs.rows import JOB_WITH_SOLVE, WIDTH, read_both
from tilework.core.storage.models import job, solve

_ANSWER = (
    select(
        *JOB_WITH_SOLVE,
        *(job.c.board, job.c.goal, solve.c.moves),
        func.coalesce(solve.c.algorithm, job.c.algorithm),
    )
    .outerjoin_from(job, solve, job.c.solve_id == solve.c.id)
    .where(job.c.id == bindparam("id"))
)


def read_answer(connection: Connection, job_id: str, reading: Reading) -> StoredSolution:
    """Return a job's stored solution."""
    return read_consistently(partial(_read_answer, connection, job_id, reading))


def _read_answer(connection: Connection, job_id: str, reading: Reading) -> StoredSolution:
    row = connection.execute(_ANSWER, {"id": job_id}).first()
    if row is None:
        raise job_not_found(job_id)
    columns = tuple(row)
    board, goal, packed, algorithm = columns[WIDTH:]
    record, job_solve = read_both(columns, board_bytes=board, goal_bytes=goal)
    moves, name = None, None
    if job_solve is not None:
        moves, name = _read_solve_solution(connection, job_solve, packed, reading)
    nodes, seconds = _effort(record, job_solve)
    return StoredSolution(
        job=record,
        moves=moves,
        solution=name,
        lower_bound=record.lower_bound if job_solve is None else job_solve.lower_bound,
        algorithm=algorithm,
        nodes=nodes,
        seconds=seconds,
        withdrawn=moves is None
        and record.finished_at is not None
        and record.upper_bound is not None,
    )


def _effort(record: Job, job_solve: Solve | None) -> tuple[int, float]:
    if job_solve is not None:
        return job_solve.nodes, job_solve.seconds
    effort = record.effort
    return (0, 0.0) if effort is None else (effort.nodes or 0, effort.wall_s or 0.0)


def _read_solve_solution(
    connection: Connection, job_solve: Solve, packed: bytes | None, reading: Reading
) -> tuple[MoveSequence | None, str | None]:
    moves, name = None, None
    if packed is not None:
        head = read_head(job_solve.id, packed)
        moves, name = SolutionRepository(connection).read(head, reading=reading), head.name
    if (None if moves is None else job_solve.metric.length(moves)) != job_solve.upper_bound:
        raise DamagedSolveError(job_solve.id)
    return moves, name
