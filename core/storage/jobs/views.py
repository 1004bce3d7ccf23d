"""Reading jobs for people: one SELECT that joins a job with its solve.

Polling is the hottest read of the service; the statements are made once.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Row, Select, bindparam, case, func, literal, select

from tilework.core.model.estimate import nodes_left, rate, threshold_nodes_left
from tilework.core.model.improvement import improvement_view
from tilework.core.model.job_views import JobView
from tilework.core.model.jobs import WITHDRAWN
from tilework.core.model.states import JobState, Queue, SliceState
from tilework.core.puzzle.metric import Metric
from tilework.core.storage.damage.sealed import (
    JOB_BOARDS,
    JOB_COLUMNS,
    SOLVE_COLUMNS,
    check_job,
    check_solve,
    damaged,
)
from tilework.core.storage.farm.improvements import read_improvement
from tilework.core.storage.farm.iterations import read_iterations
from tilework.core.storage.models import job, slice_, solve

MOST_AHEAD = 1_000

_terminal = job.c.finished_at.is_not(None)


def _at_end(name: str) -> ColumnElement[Any]:
    """What a job reported when it ended; older jobs have no such values of their own."""
    of_solve = solve.c[name]
    return case((_terminal, func.coalesce(job.c[name], of_solve)), else_=of_solve)


# A job that a run of the lab answers has no solve: what it knows is its own.
_lower = func.coalesce(solve.c.lower_bound, job.c.lower_bound)
_known = case((job.c.queue == Queue.LAB, job.c.upper_bound), else_=solve.c.upper_bound)

_COLUMNS = (
    job.c.id,
    job.c.state,
    job.c.width,
    job.c.height,
    job.c.metric,
    job.c.target,
    job.c.gap,
    job.c.algorithm,
    job.c.heuristic,
    job.c.time_limit_s,
    job.c.created_at,
    job.c.started_at,
    job.c.finished_at,
    case((_terminal, job.c.lower_bound), else_=_lower).label("lower"),
    case((_terminal, job.c.upper_bound), else_=solve.c.upper_bound).label("upper"),
    *(_at_end(name).label(name) for name in ("covered", "nodes", "threshold", "engine", "wall_s")),
    solve.c.recent_nodes,
    solve.c.recent_s,
    solve.c.rate_at,
    solve.c.iterations,
    solve.c.improvement,
    job.c.queue,
    job.c.cached,
    job.c.version,
    func.coalesce(solve.c.version, 0).label("solve_version"),
    job.c.client_id,
    job.c.batch_id,
    job.c.message,
    job.c.solve_id,
    _known.label("known_upper"),
)
_sealed_job = [column.label(f"job_{place}") for place, column in enumerate(JOB_COLUMNS)]
_sealed_solve = [column.label(f"solve_{place}") for place, column in enumerate(SOLVE_COLUMNS)]
# The last columns of whatever `check` checks.
SEALED = (
    case((_terminal, job.c.upper_bound)).label("end_upper"),
    *_sealed_job,
    *_sealed_solve,
)
_no_bytes = literal(b"")
_small = job.c.width * job.c.height <= bindparam("cells")


def _joined(*boards: ColumnElement[Any]) -> Select[*tuple[Any, ...]]:
    statement = select(*_COLUMNS, *boards, job.c.boards_seal, *SEALED)
    return statement.outerjoin_from(job, solve, job.c.solve_id == solve.c.id)


_whole, _brief = literal(1), literal(0)
VIEW = _joined(job.c.board, job.c.goal, _whole.label("whole")).where(job.c.id == bindparam("id"))
BRIEF = _joined(_no_bytes.label("board"), _no_bytes.label("goal"), _brief.label("whole")).where(
    job.c.id == bindparam("id")
)
# A board that is left out is not read either: SQLite does not walk to its pages.
_listed = _joined(
    case((_small, job.c.board), else_=_no_bytes).label("board"),
    case((_small, job.c.goal), else_=_no_bytes).label("goal"),
    case((_small, _whole), else_=_brief).label("whole"),
)
OF_CLIENT = (
    _listed.where(job.c.client_id == bindparam("client_id"))
    .order_by(job.c.id.desc())
    .limit(bindparam("most"))
)
OF_CLIENT_BEFORE = OF_CLIENT.where(job.c.id < bindparam("before"))
AMONG = _listed.where(job.c.id.in_(bindparam("ids", expanding=True)))
VERSION = (
    select(
        job.c.version,
        job.c.finished_at,
        func.coalesce(solve.c.version, 0),
        case((_terminal, job.c.upper_bound)),
        _known,
    )
    .outerjoin_from(job, solve, job.c.solve_id == solve.c.id)
    .where(job.c.id == bindparam("id"))
)

_own_turn = (
    select(func.min(slice_.c.turn))
    .where(
        slice_.c.solve_id == bindparam("solve_id"),
        slice_.c.state == SliceState.READY,
        slice_.c.queue == bindparam("queue"),
    )
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


def version_text(
    version: int,
    finished_at: float | None,
    solve_version: int | None,
    end_upper: int | None,
    known_upper: int | None,
) -> str:
    """The ETag: a job that has ended does not change any more, whatever happens to its solve.

    Only that its solution is not there any more, where that was damaged, is told of it.
    """
    if finished_at is not None:
        return f"{version}w" if end_upper is not None and known_upper is None else f"{version}"
    return f"{version}.{solve_version}"


def check(row: Row[*tuple[Any, ...]]) -> None:
    """Check that a job and its solve are as they were written, in a row that ends with `SEALED`.

    Raises
    ------
    DamagedRowError
        If one is not.
    """
    values = tuple(row)
    of_solve = values[-len(SOLVE_COLUMNS) :]
    check_job(values[-len(SOLVE_COLUMNS) - len(JOB_COLUMNS) : -len(SOLVE_COLUMNS)])
    # Jobs whose board cannot be solved have none.
    if of_solve[0] is not None:
        check_solve(of_solve)


def job_view(row: Row[*tuple[Any, ...]], now: float, queue_position: int | None = None) -> JobView:
    """Make a view of a row of the statements above.

    Raises
    ------
    DamagedRowError
        If the job or its solve is not as it was written.
    """
    check(row)
    if row.whole and not JOB_BOARDS.fits((row.id, row.board, row.goal), row.boards_seal):
        raise damaged("job", row.id)
    state = JobState(row.state)
    left, of_threshold, per_s = None, None, 0.0
    if state.terminal:
        per_s = row.nodes / row.wall_s if row.wall_s else 0.0
    elif row.recent_s:
        per_s = rate(row.recent_nodes, row.recent_s, row.rate_at, now)
        if per_s:
            thresholds = read_iterations(row.iterations)
            left = nodes_left(thresholds, row.covered, row.upper)
            of_threshold = threshold_nodes_left(thresholds, row.covered)
    return JobView(
        id=row.id,
        state=state,
        width=row.width,
        height=row.height,
        metric=Metric(row.metric or Metric.MOVES),
        target=row.target,
        gap_asked=row.gap,
        algorithm=row.algorithm,
        heuristic=row.heuristic,
        time_limit_s=row.time_limit_s,
        created_at=row.created_at,
        started_at=row.started_at,
        finished_at=row.finished_at,
        lower_bound=row.lower,
        upper_bound=row.upper,
        progress=1.0 if state is JobState.OPTIMAL else min(max(row.covered or 0.0, 0.0), 1.0),
        nodes=row.nodes or 0,
        nodes_per_s=per_s,
        queue=Queue(row.queue),
        queue_position=queue_position,
        cached=row.cached,
        version=version_text(
            row.version, row.finished_at, row.solve_version, row.end_upper, row.known_upper
        ),
        client_id=row.client_id,
        batch_id=row.batch_id,
        message=WITHDRAWN if _is_withdrawn(row) else row.message,
        board_bytes=row.board,
        goal_bytes=row.goal,
        threshold=row.threshold,
        seconds_left=None if left is None else left.nodes / per_s,
        seconds_left_factor=None if left is None else left.factor,
        threshold_seconds_left=None if of_threshold is None else of_threshold.nodes / per_s,
        threshold_seconds_left_factor=None if of_threshold is None else of_threshold.factor,
        engine=row.engine,
        improvement=improvement_view(read_improvement(row.improvement)),
    )


def _is_withdrawn(row: Row[*tuple[Any, ...]]) -> bool:
    """Whether a job ended with a solution that is not there any more."""
    return row.end_upper is not None and row.known_upper is None
