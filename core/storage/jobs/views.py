"""Reading jobs: their rows alone, or in one SELECT with those of their solves.

Polling is the hottest read of the service; the statements are made once.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Row,
    Select,
    and_,
    bindparam,
    case,
    func,
    literal_column,
    not_,
    null,
    select,
)

from tilework.core.messages import Message
from tilework.core.model.job_options import JobOptions
from tilework.core.model.job_views import JobView, is_withdrawn, job_view, version_text
from tilework.core.model.jobs import Effort, Job
from tilework.core.model.solves import Solve
from tilework.core.model.states import JobState, Queue, SliceState
from tilework.core.puzzle.metric import Metric
from tilework.core.solver.target import TargetKind
from tilework.core.storage.damage.seals import (
    JOB_BOARDS,
    JOB_COLUMNS,
    SOLVE_COLUMNS,
    check_job,
    damaged,
)
from tilework.core.storage.farm.solve_rows import read_solve
from tilework.core.storage.farm.workers import READY
from tilework.core.storage.models import job, slice_, solve

JOB_WITH_SOLVE = (*JOB_COLUMNS, *SOLVE_COLUMNS)
"""Of a job that is joined with its solve, which it may be without."""

BOARDS = (job.c.board, job.c.goal, job.c.boards_seal)

_FACTS = len(JOB_COLUMNS)
WIDTH = len(JOB_WITH_SOLVE)
"""How many values `read_both` takes."""


def read_both(values: Sequence[Any], **more: Any) -> tuple[Job, Solve | None]:
    """Read values of `JOB_WITH_SOLVE`.

    Raises
    ------
    DamagedRowError
        Here and below, if they are not as they were written.
    """
    found = read_job(values[:_FACTS], **more)
    return found, None if values[_FACTS] is None else read_solve(values[_FACTS:WIDTH])


def read_job(values: Sequence[Any], **more: Any) -> Job:
    """Read values of `JOB_COLUMNS`; ``more`` are others, by the names of a `Job`."""
    check_job(values)
    (
        id_, client_id, solve_id, batch_id, batch_index, width, height, target, gap, algorithm,
        heuristic, time_limit_s, deadline, created_at, transform, metric, _,
        _, state, lower_bound, upper_bound, finished_at, _,
        _, message, nodes, wall_s, threshold, covered, engine, _,
        queue, revision, started_at,
    ) = values  # fmt: skip
    return Job(
        id=id_,
        client_id=client_id,
        options=_options(metric, (target, gap, time_limit_s, algorithm, heuristic)),
        width=width,
        height=height,
        transform=transform,
        created_at=created_at,
        deadline=deadline,
        queue=Queue(queue),
        state=JobState(state),
        solve_id=solve_id,
        batch_id=batch_id,
        batch_index=batch_index,
        revision=revision,
        started_at=started_at,
        finished_at=finished_at,
        lower_bound=lower_bound,
        upper_bound=upper_bound,
        message=None if message is None else Message.from_json(message),
        effort=Effort(nodes, wall_s, threshold, covered, engine),
        **more,
    )


@lru_cache(maxsize=1_024)
def _options(metric: str | None, others: tuple[Any, ...]) -> JobOptions:
    target, gap, time_limit_s, algorithm, heuristic = others
    kind = TargetKind(target)
    # They were checked when they came.
    return JobOptions.model_construct(
        metric=Metric.MOVES if metric is None else Metric(metric),
        target=kind,
        gap=gap if kind is TargetKind.GAP else None,
        time_limit_s=time_limit_s,
        algorithm=algorithm,
        heuristic=heuristic,
    )


def read_boards(job_id: str, values: Sequence[Any]) -> dict[str, Any]:
    """Read values of `BOARDS`, by the names of a `Job`."""
    board, goal, seal = values
    # A damaged board may still be one.
    if not JOB_BOARDS.fits((job_id, board, goal), seal):
        raise damaged("job", job_id)
    return {"board_bytes": board, "goal_bytes": goal}


MOST_AHEAD = 1_000


def _written(value: object) -> ColumnElement[Any]:
    """Write a constant into a statement: as a parameter it would be bound for each poll."""
    return literal_column(f"'{value}'" if isinstance(value, str) else str(value))


_is_ready = slice_.c.state == _written(SliceState.READY)
_own = slice_.alias()
_own_turn = (
    select(func.min(_own.c.turn))
    .where(
        _own.c.solve_id == job.c.solve_id,
        _own.c.state == _written(SliceState.READY),
        _own.c.queue == job.c.queue,
    )
    .correlate(job)
    .scalar_subquery()
)
_ahead = (
    select(_written(1).label("one"))
    .where(slice_.c.queue == job.c.queue, _is_ready, slice_.c.turn < _own_turn)
    .correlate(job)
    .limit(_written(MOST_AHEAD))
    .subquery()
)
_of_a_run = job.c.queue == _written(Queue.LAB)
_waits = and_(job.c.state == _written(JobState.QUEUED), not_(_of_a_run))
# Of one job alone.
_LOOKED_UP = (
    case((_waits, select(func.count()).select_from(_ahead).scalar_subquery())),
    READY.scalar_subquery(),
)
_NOT_LOOKED_UP = (null(), null())
_whole, _brief = _written(1), _written(0)
_small = job.c.width * job.c.height <= bindparam("cells")


def _joined(
    looked_up: tuple[ColumnElement[Any], ...], *boards: ColumnElement[Any]
) -> Select[*tuple[Any, ...]]:
    more = (job.c.cached, solve.c.version, *looked_up, *boards, job.c.boards_seal)
    statement = select(*JOB_WITH_SOLVE, *more)
    return statement.outerjoin_from(job, solve, job.c.solve_id == solve.c.id)


_one = job.c.id == bindparam("id")
VIEW = _joined(_LOOKED_UP, _whole, job.c.board, job.c.goal).where(_one)
BRIEF = _joined(_LOOKED_UP, _brief, null(), null()).where(_one)
# A board that is left out is not read either: SQLite does not walk to its pages.
_listed = _joined(
    _NOT_LOOKED_UP,
    case((_small, _whole), else_=_brief),
    case((_small, job.c.board)),
    case((_small, job.c.goal)),
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
        func.coalesce(solve.c.version, _written(0)),
        job.c.finished_at,
        job.c.upper_bound,
        case((_of_a_run, job.c.upper_bound), else_=solve.c.upper_bound),
    )
    .outerjoin_from(job, solve, job.c.solve_id == solve.c.id)
    .where(_one)
)


def read_version(row: Row[*tuple[Any, ...]]) -> str:
    """Read a row of `VERSION`."""
    revision, solve_version, finished_at, end_upper, known_upper = row
    withdrawn = is_withdrawn(finished_at, end_upper, known_upper)
    return version_text(revision, solve_version, finished_at, withdrawn=withdrawn)


def read_view(row: Row[*tuple[Any, ...]], now: float) -> JobView:
    """Read a row of `VIEW`, `BRIEF`, `OF_CLIENT` or `AMONG`.

    Raises
    ------
    DamagedRowError
        If the job or its solve is not as it was written.
    """
    facts = tuple(row)
    cached, solve_version, ahead, ready_at, whole, *boards = facts[WIDTH:]
    found, its_solve = read_both(facts, cached=cached)
    more = read_boards(found.id, boards) if whole else {}
    if ahead is not None:
        more["queue_position"] = ahead
    if ready_at is not None and found.finished_at is None:
        more["preparing_s"] = max(1.0, ready_at - now)
    return job_view(found, its_solve, now, solve_version or 0, **more)
