"""Reading the rows of jobs and their solves."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from tilework.core.messages import Message
from tilework.core.model.farm.solves import Bounds, Solve
from tilework.core.model.job_options import JobOptions
from tilework.core.model.jobs import Effort, Job
from tilework.core.model.states import JobState, Priority, Queue
from tilework.core.puzzle.metric import Metric
from tilework.core.solver.target import Algorithm, Heuristic, TargetKind
from tilework.core.storage.damage.checksums import (
    JOB_BOARDS,
    JOB_COLUMNS,
    SOLVE_COLUMNS,
    check_job,
    damaged,
)
from tilework.core.storage.farm.solve_repository import read_solve
from tilework.core.storage.models import job

JOB_WITH_SOLVE = (*JOB_COLUMNS, *SOLVE_COLUMNS)
"""The columns of a job and its solve, which the job of an unsolvable board does not have."""

BOARDS = (job.c.board, job.c.goal, job.c.boards_seal)

_JOB_WIDTH = len(JOB_COLUMNS)
WIDTH = len(JOB_WITH_SOLVE)
"""The number of values that `read_both` needs."""


def read_both(values: Sequence[Any], **attributes: Any) -> tuple[Job, Solve | None]:
    """Read values of `JOB_WITH_SOLVE`.

    Here and below, DamagedRowError is raised if they are not as they were written.
    """
    stored_job = read_job(values[:_JOB_WIDTH], **attributes)
    return stored_job, None if values[_JOB_WIDTH] is None else read_solve(values[_JOB_WIDTH:WIDTH])


def read_job(values: Sequence[Any], **attributes: Any) -> Job:
    """Read values of `JOB_COLUMNS`; ``attributes`` are the other attributes of the `Job`."""
    check_job(values)
    (
        id_, client_id, solve_id, batch_id, batch_index, width, height, target, gap, algorithm,
        heuristic, time_limit_s, deadline, created_at, transform, metric, _,
        _, state, lower_bound, upper_bound, finished_at, _,
        _, message, nodes, wall_s, threshold, covered, engine, _,
        queue, revision, started_at, priority,
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
        effort=Effort(nodes, wall_s, threshold, covered, engine),
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


def read_boards(job_id: str, values: Sequence[Any]) -> dict[str, Any]:
    """Read values of `BOARDS` as attributes of a `Job`."""
    board, goal, checksum = values
    # A damaged board can still be a valid board.
    if not JOB_BOARDS.matches((job_id, board, goal), checksum):
        raise damaged("job", job_id)
    return {"board_bytes": board, "goal_bytes": goal}
