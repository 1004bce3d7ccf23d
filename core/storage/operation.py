"""What operators see and suspend, and the statistics of whole tables."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from operator import itemgetter

from sqlalchemy import (
    Double,
    case,
    cast,
    delete,
    func,
    select,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite

from tilework.core.messages import Message
from tilework.core.model.farm.estimate import STALE_S
from tilework.core.model.farm.workload import WORKER_TIMEOUT_S
from tilework.core.model.ids import first_id
from tilework.core.model.operation import (
    HeldWorkView,
    QuarantineView,
    QueueCounts,
    SizeStatistics,
    Suspension,
)
from tilework.core.model.states import (
    ACTIVE_JOB_STATES,
    TASK_QUEUES,
    CounterName,
    JobState,
    Queue,
    RunState,
    SliceState,
    SolveState,
    SuspensionKind,
)
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.metric import PRIVATE_MARK, Metric
from tilework.core.storage.models import counter, job, slice_, solve, suspension, task, worker
from tilework.core.storage.repository import Repository, insert_if_absent
from tilework.core.storage.tasks import unfinished_task

MAX_QUARANTINED = 1_000
"""The maximum number of quarantined slices that are read."""

RATIO_FROM_CELLS = 16
"""For larger boards, the quality of solutions is reported, because optima may be unknown."""

_RECENT_JOBS = 200

# Unknown states and names are damage, which is found when their row is read.
_JOB_STATES = frozenset(map(str, JobState))
_SUSPENSION_KINDS = frozenset(map(str, SuspensionKind))
_COUNTER_NAMES = frozenset(map(str, CounterName))


@cache
def _add(dialect: str) -> sqlite.Insert | postgresql.Insert:
    insert = (sqlite.insert if dialect == "sqlite" else postgresql.insert)(counter)
    return insert.on_conflict_do_update(
        index_elements=[counter.c.name, counter.c.label],
        set_={"count": counter.c.count + insert.excluded.count},
    )


class OperationRepository(Repository):
    """The state of the service: suspensions, held work, counters of incidents, statistics."""

    def suspend(self, kind: SuspensionKind, name: str, now: float) -> None:
        values = {"kind": kind, "name": name, "since": now}
        insert_if_absent(self._connection, suspension, values)

    def resume(self, kind: SuspensionKind, name: str) -> None:
        self._connection.execute(
            delete(suspension).where(suspension.c.kind == kind, suspension.c.name == name)
        )

    def forget_workers(self) -> None:
        """Delete the suspensions of workers that have left."""
        has_left = suspension.c.name.not_in(select(worker.c.name))
        self._connection.execute(
            delete(suspension).where(suspension.c.kind == SuspensionKind.WORKER, has_left)
        )

    def suspensions(self) -> list[Suspension]:
        statement = select(suspension.c.kind, suspension.c.name, suspension.c.since)
        rows = self._connection.execute(statement.order_by(suspension.c.kind, suspension.c.name))
        return [
            Suspension(SuspensionKind(kind), name, since)
            for kind, name, since in rows
            if kind in _SUSPENSION_KINDS
        ]

    def suspended_queues(self) -> set[str]:
        return {
            suspension.name
            for suspension in self.suspensions()
            if suspension.kind is SuspensionKind.QUEUE
        }

    def workers(self, since: float) -> list[tuple[str, str, float, float | None]]:
        """Return name, version, heartbeat and readiness of the workers seen since a time."""
        rows = self._connection.execute(
            select(worker.c.name, worker.c.version, worker.c.seen_at, worker.c.ready_at)
            .where(worker.c.seen_at >= since)
            .order_by(worker.c.name)
        )
        return list(map(tuple, rows))

    def work(self) -> list[HeldWorkView]:
        """Return all work that workers hold."""
        # Without joins, groups and orders, for which a planner may scan all finished rows.
        leased = select(
            slice_.c.owner, slice_.c.queue, slice_.c.kind, slice_.c.updated_at, slice_.c.solve_id
        ).where(slice_.c.state == SliceState.LEASED, slice_.c.lease_until.is_not(None))
        work = []
        for owner, queue, kind, since, solve_id in self._connection.execute(leased).all():
            job_id = self._connection.execute(
                select(job.c.id)
                .where(job.c.solve_id == solve_id, job.c.state.in_(ACTIVE_JOB_STATES))
                .limit(1)
            ).scalar()
            width, height = self._size(solve_id)
            work.append(
                HeldWorkView(owner or "", queue, kind, since, width, height, job_id, solve_id)
            )
        running = (
            select(task.c.owner, task.c.queue, task.c.kind, task.c.started_at)
            .where(task.c.state == RunState.RUNNING)
            .order_by(task.c.owner, task.c.id)
        )
        return work + [HeldWorkView(*row) for row in self._connection.execute(running)]

    def quarantine(self) -> list[QuarantineView]:
        """Return the solves with quarantined slices, each with the newest reason."""
        by_solve: dict[str, list[tuple[float, Message | None]]] = defaultdict(list)
        statement = select(slice_.c.solve_id, slice_.c.message, slice_.c.updated_at).where(
            slice_.c.state == SliceState.QUARANTINED, slice_.c.lease_until.is_(None)
        )
        for solve_id, message, since in self._connection.execute(statement.limit(MAX_QUARANTINED)):
            by_solve[solve_id].append((since, message))
        views = []
        for solve_id, slices in sorted(by_solve.items()):
            since, message = max(slices, key=itemgetter(0))
            size = self._size(solve_id)
            views.append(QuarantineView(solve_id, *size, len(slices), message, since))
        return views

    def _size(self, solve_id: str) -> tuple[int, int]:
        statement = select(solve.c.width, solve.c.height).where(solve.c.id == solve_id)
        width, height = self._connection.execute(statement).one()
        return width, height

    def retry_quarantined(self, solve_id: str, state: SliceState, now: float) -> int:
        """Change the quarantined slices of a locked solve to a state; return their number."""
        statement = (
            update(slice_)
            .where(slice_.c.solve_id == solve_id, slice_.c.state == SliceState.QUARANTINED)
            .values(state=state, expiries=0, attempts=0, updated_at=now)
        )
        return self._connection.execute(statement).rowcount

    def add_to_counter(self, name: CounterName, label: str, count: int) -> None:
        values = {"name": name, "label": label, "count": count}
        self._connection.execute(_add(self._connection.dialect.name), values)

    def counters(self) -> dict[tuple[CounterName, str], int]:
        """Return all counters by name and label."""
        rows = self._connection.execute(
            select(counter.c.name, counter.c.label, counter.c.count).order_by(
                counter.c.name, counter.c.label
            )
        )
        return {
            (CounterName(name), label): count
            for name, label, count in rows
            if name in _COUNTER_NAMES
        }

    def count_recent_jobs(self, now: float) -> tuple[int, int]:
        """Count the jobs submitted in the last minute, and those that ended in it.

        Of the latter, only those submitted in the last ten minutes are counted.
        """
        # Ids begin with the time, so the primary key finds recent jobs.
        since = now - 60
        submitted = select(func.count()).where(job.c.id >= first_id(since))
        ended = select(func.count()).where(
            job.c.id >= first_id(now - 600), job.c.finished_at >= since
        )
        return (
            self._connection.execute(submitted).scalar_one(),
            self._connection.execute(ended).scalar_one(),
        )

    def job_states(self) -> dict[JobState, int]:
        statement = select(job.c.state, func.count()).group_by(job.c.state)
        rows = self._connection.execute(statement)
        return {JobState(state): count for state, count in rows if state in _JOB_STATES}

    def cached_jobs(self) -> int:
        """Count the jobs that were answered from stored results."""
        return self._connection.execute(select(func.count()).where(job.c.cached)).scalar_one()

    def sizes(self) -> list[SizeStatistics]:
        """Count the puzzles by size, smallest first."""
        is_settled = solve.c.state == SolveState.SETTLED
        cells = solve.c.width * solve.c.height
        is_open = (cells > RATIO_FROM_CELLS) & ~is_settled & (solve.c.lower_bound > 0)
        ratio = case((is_open, cast(solve.c.upper_bound, Double) / solve.c.lower_bound))
        statement = (
            select(
                solve.c.width,
                solve.c.height,
                func.count(),
                func.count(solve.c.upper_bound),
                func.sum(case((is_settled, 1), else_=0)),
                func.max(case((is_settled, solve.c.upper_bound))),
                func.min(ratio),
                func.avg(ratio),
            )
            # Lengths in slides, and puzzles that are solved again, are not counted.
            .where(
                ~solve.c.canonical_key.endswith(Metric.SLIDES.key("")),
                ~solve.c.canonical_key.contains(PRIVATE_MARK),
            )
            .group_by(solve.c.width, solve.c.height)
            .order_by(cells, solve.c.width)
        )
        return [SizeStatistics(*row) for row in self._connection.execute(statement)]

    def mean_seconds(self) -> dict[Size, float]:
        """Return the mean search time of the newest jobs that ended optimal, by size."""
        recent = (
            select(job.c.width, job.c.height, job.c.cached, job.c.metric, job.c.wall_s)
            .where(job.c.state == JobState.OPTIMAL)
            .order_by(job.c.deadline.desc())
            .limit(_RECENT_JOBS)
            .subquery()
        )
        statement = (
            select(recent.c.width, recent.c.height, func.avg(recent.c.wall_s))
            .where(~recent.c.cached, recent.c.metric == Metric.MOVES, recent.c.wall_s.is_not(None))
            .group_by(recent.c.width, recent.c.height)
        )
        rows = self._connection.execute(statement)
        return {Size(width, height): float(seconds) for width, height, seconds in rows}

    def effort(self) -> tuple[int, float]:
        """Sum nodes and seconds over all solves."""
        nodes, seconds = self._connection.execute(
            select(
                func.coalesce(func.sum(solve.c.nodes), 0),
                func.coalesce(func.sum(solve.c.seconds), 0.0),
            )
        ).one()
        return int(nodes), float(seconds)

    def activity(self, now: float) -> tuple[float, int]:
        """Return the nodes per second of all long searches, and the number of workers."""
        rate = select(func.coalesce(func.sum(solve.c.recent_nodes / solve.c.recent_s), 0.0)).where(
            solve.c.state == SolveState.ACTIVE,
            solve.c.rate_at >= now - STALE_S,
            solve.c.recent_s > 0,
        )
        workers = select(func.count()).where(worker.c.seen_at >= now - WORKER_TIMEOUT_S)
        per_s, count = self._connection.execute(
            select(rate.scalar_subquery(), workers.scalar_subquery())
        ).one()
        return float(per_s), int(count)

    def quarantined(self) -> int:
        """Count the quarantined slices."""
        # By queue as well, because the index begins with it.
        statement = select(func.count()).where(
            slice_.c.queue.in_(list(Queue)), slice_.c.state == SliceState.QUARANTINED
        )
        return self._connection.execute(statement).scalar_one()

    def queues(self, now: float) -> dict[Queue, QueueCounts]:
        """Count waiting and running work by queue; empty queues are left out."""
        # All queues are listed, so that the index by queue and state is used.
        unfinished_slice = slice_.c.state.in_((SliceState.READY, SliceState.LEASED))
        counts = {}
        for table, held, condition in (
            (slice_, SliceState.LEASED, slice_.c.queue.in_(list(Queue)) & unfinished_slice),
            (task, RunState.RUNNING, unfinished_task() & task.c.queue.in_(TASK_QUEUES)),
        ):
            is_held = table.c.state == held
            is_leased = is_held & (table.c.lease_until >= now)
            statement = (
                select(
                    table.c.queue,
                    func.sum(case((is_held, 0), else_=1)),
                    func.sum(case((is_leased, 1), else_=0)),
                    func.min(case((is_held, None), else_=table.c.updated_at)),
                )
                .where(condition)
                .group_by(table.c.queue)
            )
            for queue, ready, leased, oldest in self._connection.execute(statement):
                counts[Queue(queue)] = QueueCounts(int(ready), int(leased), oldest)
        return counts
