"""Statistics of whole tables, for the statistics page, queues and health."""

from __future__ import annotations

from sqlalchemy import (
    Double,
    bindparam,
    case,
    cast,
    func,
    select,
)

from tilework.core.model.farm.estimate import STALE_S
from tilework.core.model.farm.workload import WORKER_TIMEOUT_S
from tilework.core.model.states import (
    TASK_QUEUES,
    JobState,
    Queue,
    RunState,
    SliceState,
    SolveState,
)
from tilework.core.model.statistics import QueueCounts, SizeStatistics
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.metric import PRIVATE_MARK, Metric
from tilework.core.storage.models import job, slice_, solve, task, worker
from tilework.core.storage.repository import Repository
from tilework.core.storage.tasks import unfinished_task

RATIO_FROM_CELLS = 16
"""For larger boards, the quality of solutions is reported, because optima may be unknown."""

_STATES = select(job.c.state, func.count()).group_by(job.c.state)
# An unknown state is damage, which is found when the row is read.
_JOB_STATES = frozenset(map(str, JobState))
_CACHED = select(func.count()).where(job.c.cached)
_settled = solve.c.state == SolveState.SETTLED
_cells = solve.c.width * solve.c.height
_open = (_cells > RATIO_FROM_CELLS) & ~_settled & (solve.c.lower_bound > 0)
_ratio = case((_open, cast(solve.c.upper_bound, Double) / solve.c.lower_bound))
_SIZES = (
    select(
        solve.c.width,
        solve.c.height,
        func.count(),
        func.count(solve.c.upper_bound),
        func.sum(case((_settled, 1), else_=0)),
        func.max(case((_settled, solve.c.upper_bound))),
        func.min(_ratio),
        func.avg(_ratio),
    )
    # Lengths in slides, and puzzles that are solved again, are not counted.
    .where(
        ~solve.c.canonical_key.endswith(Metric.SLIDES.key("")),
        ~solve.c.canonical_key.contains(PRIVATE_MARK),
    )
    .group_by(solve.c.width, solve.c.height)
    .order_by(_cells, solve.c.width)
)
_RECENT_JOBS = 200
_recent = (
    select(job.c.width, job.c.height, job.c.cached, job.c.metric, job.c.wall_s)
    .where(job.c.state == JobState.OPTIMAL)
    .order_by(job.c.deadline.desc())
    .limit(_RECENT_JOBS)
    .subquery()
)
_MEAN_SECONDS = (
    select(_recent.c.width, _recent.c.height, func.avg(_recent.c.wall_s))
    .where(
        ~_recent.c.cached,
        _recent.c.metric == Metric.MOVES,
        _recent.c.wall_s.is_not(None),
    )
    .group_by(_recent.c.width, _recent.c.height)
)
_EFFORT = select(
    func.coalesce(func.sum(solve.c.nodes), 0), func.coalesce(func.sum(solve.c.seconds), 0.0)
)
_rate = (
    select(func.coalesce(func.sum(solve.c.recent_nodes / solve.c.recent_s), 0.0))
    .where(
        solve.c.state == SolveState.ACTIVE,
        solve.c.rate_at >= bindparam("fresh"),
        solve.c.recent_s > 0,
    )
    .scalar_subquery()
)
_workers = select(func.count()).where(worker.c.seen_at >= bindparam("seen")).scalar_subquery()
_ACTIVITY = select(_rate, _workers)
_leased = slice_.c.state == SliceState.LEASED
_QUEUES = (
    select(
        slice_.c.queue,
        func.sum(case((_leased, 0), else_=1)),
        func.sum(case((_leased & (slice_.c.lease_until >= bindparam("now")), 1), else_=0)),
        func.min(case((_leased, None), else_=slice_.c.updated_at)),
    )
    .where(
        # All queues are listed, so that the index by queue and state is used.
        slice_.c.queue.in_(list(Queue)),
        slice_.c.state.in_((SliceState.READY, SliceState.LEASED)),
    )
    .group_by(slice_.c.queue)
)
# By queue as well, because the index begins with it.
_QUARANTINED = select(func.count()).where(
    slice_.c.queue.in_(list(Queue)), slice_.c.state == SliceState.QUARANTINED
)
_running = task.c.state == RunState.RUNNING
_TASKS = (
    select(
        task.c.queue,
        func.sum(case((_running, 0), else_=1)),
        func.sum(case((_running & (task.c.lease_until >= bindparam("now")), 1), else_=0)),
        func.min(case((_running, None), else_=task.c.updated_at)),
    )
    .where(unfinished_task(), task.c.queue.in_(TASK_QUEUES))
    .group_by(task.c.queue)
)


class StatisticsRepository(Repository):
    """Counts jobs, solves and slices."""

    def job_states(self) -> dict[JobState, int]:
        rows = self._connection.execute(_STATES)
        return {JobState(state): count for state, count in rows if state in _JOB_STATES}

    def cached_jobs(self) -> int:
        """Count the jobs that were answered from stored results."""
        return self._connection.execute(_CACHED).scalar_one()

    def sizes(self) -> list[SizeStatistics]:
        """Count the puzzles by size, smallest first."""
        return [SizeStatistics(*row) for row in self._connection.execute(_SIZES)]

    def mean_seconds(self) -> dict[Size, float]:
        """Return the mean search time of the newest jobs that ended optimal, by size."""
        rows = self._connection.execute(_MEAN_SECONDS)
        return {Size(width, height): float(seconds) for width, height, seconds in rows}

    def effort(self) -> tuple[int, float]:
        """Sum nodes and seconds over all solves."""
        nodes, seconds = self._connection.execute(_EFFORT).one()
        return int(nodes), float(seconds)

    def activity(self, now: float) -> tuple[float, int]:
        """Return the nodes per second of all long searches, and the number of workers."""
        moments = {"fresh": now - STALE_S, "seen": now - WORKER_TIMEOUT_S}
        per_s, workers = self._connection.execute(_ACTIVITY, moments).one()
        return float(per_s), int(workers)

    def quarantined(self) -> int:
        """Count the quarantined slices."""
        return self._connection.execute(_QUARANTINED).scalar_one()

    def queues(self, now: float) -> dict[Queue, QueueCounts]:
        """Count waiting and running work by queue; empty queues are left out."""
        return {
            Queue(queue): QueueCounts(int(ready), int(leased), oldest)
            for statement in (_QUEUES, _TASKS)
            for queue, ready, leased, oldest in self._connection.execute(statement, {"now": now})
        }
