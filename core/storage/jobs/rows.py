"""Reading the rows of jobs and their solves."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from sqlalchemy import Text, type_coerce

from tilework.core.messages import Message
from tilework.core.model.farm.solves import Bounds, Solve
from tilework.core.model.job_options import JobOptions
from tilework.core.model.jobs import Effort, Job, JobView
from tilework.core.model.states import JobState, Priority, Queue
from tilework.core.puzzle.metric import Metric
from tilework.core.solver.target import Algorithm, Heuristic, TargetKind
from tilework.core.storage.checksums import SOLVE_COLUMNS
from tilework.core.storage.farm.solve_repository import read_solve
from tilework.core.storage.models import job
from tilework.core.storage.repository import reads

# The columns of a job without its boards.
JOB_COLUMNS = (
    job.c.id,
    job.c.client_id,
    job.c.solve_id,
    job.c.batch_id,
    job.c.batch_index,
    job.c.width,
    job.c.height,
    job.c.metric,
    job.c.target,
    job.c.gap,
    job.c.algorithm,
    job.c.heuristic,
    job.c.time_limit_s,
    job.c.priority,
    job.c.deadline,
    job.c.created_at,
    job.c.started_at,
    job.c.finished_at,
    job.c.transform,
    job.c.queue,
    job.c.state,
    job.c.version,
    job.c.lower_bound,
    job.c.upper_bound,
    # Read as a part of its row, so that an unreadable one affects only that.
    type_coerce(job.c.message, Text),
    job.c.nodes,
    job.c.wall_s,
    job.c.threshold,
    job.c.covered,
    job.c.engine,
)
JOB_WITH_SOLVE = (*JOB_COLUMNS, *SOLVE_COLUMNS)
"""The columns of a job and its solve, which the job of an unsolvable board does not have."""

_JOB_WIDTH = len(JOB_COLUMNS)
WIDTH = len(JOB_WITH_SOLVE)
"""The number of values that `read_both` needs."""


def read_both(values: Sequence[Any], **attributes: Any) -> tuple[Job, Solve | None]:
    """Read values of `JOB_WITH_SOLVE`.

    Raises DamagedRowError if the job cannot be read, and the errors of `check_solve`.
    """
    stored_job = read_job(values[:_JOB_WIDTH], **attributes)
    return stored_job, None if values[_JOB_WIDTH] is None else read_solve(values[_JOB_WIDTH:WIDTH])


@reads
def read_job(values: Sequence[Any], **attributes: Any) -> Job:
    """Read values of `JOB_COLUMNS`; ``attributes`` are the other attributes of the `Job`."""
    (
        id_, client_id, solve_id, batch_id, batch_index, width, height, metric, target, gap,
        algorithm, heuristic, time_limit_s, priority, deadline, created_at, started_at, finished_at,
        transform, queue, state, revision, lower_bound, upper_bound, message, *effort,
    ) = values  # fmt: skip
    return Job(
        id=id_,
        client_id=client_id,
        options=_options(metric, (target, gap, time_limit_s, algorithm, heuristic, priority)),
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
        bounds=Bounds(lower_bound, upper_bound),
        message=None if message is None else Message.from_json(message),
        effort=Effort(*effort),
        **attributes,
    )


@lru_cache(maxsize=1_024)
def _options(metric: str, others: tuple[Any, ...]) -> JobOptions:
    target, gap, time_limit_s, algorithm, heuristic, priority = others
    kind = TargetKind(target)
    # They were validated when they were submitted, so they are not validated again.
    return JobOptions.model_construct(
        metric=Metric(metric),
        target=kind,
        gap=gap if kind is TargetKind.GAP else None,
        time_limit_s=time_limit_s,
        algorithm=Algorithm(algorithm),
        heuristic=Heuristic(heuristic),
        priority=Priority.from_rank(priority),
    )


def with_boards(view: JobView) -> JobView:
    """Return a view whose boards have been unpacked.

    Raises DamagedRowError if they cannot be read.
    """
    view.board, view.goal  # noqa: B018 -- they are cached
    return view
