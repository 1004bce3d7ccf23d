"""Reading jobs for people: one SELECT that joins a job with its solve.

Polling is the hottest read of the service; the statements are built once.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Row, bindparam, case, func, literal, select

from core.services.effort import rate
from core.services.estimate import nodes_left, threshold_nodes_left
from core.services.states import JobState, Queue, SliceState
from core.services.views import JobView
from core.storage.iterations import read_iterations
from core.storage.models import job, slice_, solve

MOST_AHEAD = 1_000

_terminal = job.c.finished_at.is_not(None)
_COLUMNS = (
    job.c.id,
    job.c.state,
    job.c.width,
    job.c.height,
    job.c.target,
    job.c.gap,
    job.c.algorithm,
    job.c.heuristic,
    job.c.time_limit_s,
    job.c.created_at,
    job.c.started_at,
    job.c.finished_at,
    case((_terminal, job.c.lower_bound), else_=solve.c.lower_bound).label("lower"),
    case((_terminal, job.c.upper_bound), else_=solve.c.upper_bound).label("upper"),
    solve.c.covered,
    solve.c.nodes,
    solve.c.threshold,
    solve.c.engine,
    solve.c.wall_s,
    solve.c.recent_nodes,
    solve.c.recent_s,
    solve.c.rate_at,
    solve.c.iterations,
    job.c.queue,
    job.c.cached,
    job.c.version,
    solve.c.version.label("solve_version"),
    job.c.client_id,
    job.c.batch_id,
    job.c.message,
    job.c.solve_id,
)
_joined = select(*_COLUMNS, job.c.board, job.c.goal).outerjoin_from(
    job, solve, job.c.solve_id == solve.c.id
)
_no_bytes = literal(b"")

VIEW = _joined.where(job.c.id == bindparam("id"))
BRIEF = (
    select(*_COLUMNS, _no_bytes.label("board"), _no_bytes.label("goal"))
    .outerjoin_from(job, solve, job.c.solve_id == solve.c.id)
    .where(job.c.id == bindparam("id"))
)
OF_CLIENT = (
    _joined.where(job.c.client_id == bindparam("client_id"))
    .order_by(job.c.id.desc())
    .limit(bindparam("most"))
)
OF_CLIENT_BEFORE = OF_CLIENT.where(job.c.id < bindparam("before"))
VERSION = (
    select(job.c.version, job.c.finished_at, solve.c.version)
    .outerjoin_from(job, solve, job.c.solve_id == solve.c.id)
    .where(job.c.id == bindparam("id"))
)

_own_turn = (
    select(func.min(slice_.c.turn))
    .where(slice_.c.solve_id == bindparam("solve_id"), slice_.c.state == SliceState.READY)
    .scalar_subquery()
)
_ahead = (
    select(literal(1).label("one"))
    .where(
        slice_.c.queue == bindparam("queue"),
        slice_.c.state == SliceState.READY,
        slice_.c.turn < _own_turn,
    )
    .limit(MOST_AHEAD)
    .subquery()
)
AHEAD = select(func.count()).select_from(_ahead)


def version_text(version: int, finished_at: float | None, solve_version: int | None) -> str:
    """The ETag: a job that has ended changes no more, whatever becomes of its solve."""
    if finished_at is not None:
        return f"{version}"
    return f"{version}.{solve_version}"


def job_view(row: Row[*tuple[Any, ...]], now: float, queue_position: int | None = None) -> JobView:
    """Make a view of a row of the statements above."""
    (
        id_, state_word, width, height, target, gap, algorithm, heuristic, time_limit_s,
        created_at, started_at, finished_at, lower, upper, covered, nodes, threshold, engine,
        wall_s, recent_nodes, recent_s, rate_at, iterations, queue, cached, version,
        solve_version, client_id, batch_id, message, _, board, goal,
    ) = row  # fmt: skip
    state = JobState(state_word)
    left, of_threshold, per_s = None, None, 0.0
    if state.terminal:
        per_s = nodes / wall_s if wall_s else 0.0
    elif recent_s:
        per_s = rate(recent_nodes, recent_s, rate_at, now)
        if per_s:
            thresholds = read_iterations(iterations)
            left = nodes_left(thresholds, covered, upper)
            of_threshold = threshold_nodes_left(thresholds, covered)
    return JobView(
        id=id_,
        state=state,
        width=width,
        height=height,
        target=target,
        gap_asked=gap,
        algorithm=algorithm,
        heuristic=heuristic,
        time_limit_s=time_limit_s,
        created_at=created_at,
        started_at=started_at,
        finished_at=finished_at,
        lower_bound=lower,
        upper_bound=upper,
        progress=1.0 if state is JobState.OPTIMAL else min(max(covered or 0.0, 0.0), 1.0),
        nodes=nodes or 0,
        nodes_per_s=per_s,
        queue=Queue(queue),
        queue_position=queue_position,
        cached=cached,
        version=version_text(version, finished_at, solve_version),
        client_id=client_id,
        batch_id=batch_id,
        message=message,
        board_bytes=board,
        goal_bytes=goal,
        threshold=threshold,
        seconds_left=None if left is None else left.nodes / per_s,
        seconds_left_factor=None if left is None else left.factor,
        threshold_seconds_left=None if of_threshold is None else of_threshold.nodes / per_s,
        threshold_seconds_left_factor=None if of_threshold is None else of_threshold.factor,
        engine=engine,
    )
