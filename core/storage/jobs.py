"""The ``job`` table: creating, changing and ending jobs, and the order of their work."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import groupby
from operator import attrgetter
from typing import Any

from sqlalchemy import (
    Double,
    Text,
    bindparam,
    case,
    exists,
    func,
    literal,
    literal_column,
    select,
    type_coerce,
    update,
)

from tilework.core.messages import Message
from tilework.core.model.farm.solves import Bounds
from tilework.core.model.farm.workload import SMALL_CELLS
from tilework.core.model.job_options import JobOptions
from tilework.core.model.jobs import RECORD_LOST, Effort, Ending, Job
from tilework.core.model.states import (
    ACTIVE_JOB_STATES,
    JobState,
    Priority,
    Queue,
    SliceState,
)
from tilework.core.puzzle.metric import Metric
from tilework.core.solver.target import Algorithm, Heuristic, TargetKind
from tilework.core.storage.models import job, slice_, solve
from tilework.core.storage.repository import Repository, readable, reads
from tilework.core.storage.tasks import TaskRepository
from tilework.core.storage.workers import READY

_SAME = (
    *("id", "client_id", "solve_id", "batch_id", "batch_index", "width", "height", "transform"),
    *("created_at", "deadline", "started_at", "finished_at"),
)
"""The columns that a `Job` has under the same names."""

JOB_COLUMNS = (
    *(job.c[name] for name in _SAME),
    job.c.queue,
    job.c.state,
    job.c.version,
    job.c.lower_bound,
    job.c.upper_bound,
    # Read as a part of its row, so that an unreadable one affects only that.
    type_coerce(job.c.message, Text),
    job.c.metric,
    job.c.target,
    job.c.gap,
    job.c.time_limit_s,
    job.c.algorithm,
    job.c.heuristic,
    job.c.priority,
    *(job.c[name] for name in Effort._fields),
)
"""The columns of a job without its boards."""

# Literals: parameters of a list would be expanded again for each execution.
_active = job.c.state.in_([literal_column(f"'{state}'") for state in ACTIVE_JOB_STATES])
_ADD = job.insert()
_ACTIVE = (
    select(*JOB_COLUMNS).where(job.c.solve_id == bindparam("solve_id"), _active).order_by(job.c.id)
)
_since = bindparam("since", type_=Double)
# The search of a job may have begun before the job, for other jobs.
_begun_at = case((job.c.created_at > _since, job.c.created_at), else_=_since)
_ENDED = ("state", "finished_at", "lower_bound", "upper_bound", "message", *Effort._fields)
_END = (
    update(job)
    .where(job.c.id == bindparam("job_id"), _active)
    .values(
        version=job.c.version + 1,
        started_at=func.coalesce(job.c.started_at, _begun_at),
        **{name: bindparam(name) for name in _ENDED},
    )
    .returning(job.c.callback_url)
)
_among = job.c.id.in_(bindparam("ids", expanding=True))
_START = (
    update(job)
    .where(_among, job.c.state == JobState.QUEUED)
    .values(state=JobState.RUNNING, version=job.c.version + 1, started_at=_begun_at)
)
_MOVE = (
    update(job)
    .where(_among, _active)
    .values(
        queue=bindparam("to"),
        state=JobState.RUNNING,
        started_at=func.coalesce(job.c.started_at, _begun_at),
        version=job.c.version + 1,
    )
)
_DUE = (
    select(job.c.solve_id)
    .where(_active, job.c.deadline <= bindparam("now"), job.c.solve_id.is_not(None))
    .limit(100)
)
_SOME_LOWER = (
    select(literal(1))
    .where(
        job.c.client_id == bindparam("client"),
        job.c.finished_at.is_(None),
        job.c.priority < bindparam("rank"),
    )
    .limit(1)
)
_UNFINISHED_BY = select(
    select(func.count()).where(_active, job.c.client_id == bindparam("client")).scalar_subquery(),
    READY.scalar_subquery(),
    _SOME_LOWER.scalar_subquery(),
)
_HIGHEST = select(func.max(job.c.priority)).where(
    job.c.solve_id == bindparam("solve"), job.c.state.in_(ACTIVE_JOB_STATES)
)


class JobRepository(Repository):
    """Creates, changes and ends jobs, and changes their deadlines and the order of their work."""

    def add(self, jobs: Sequence[Job]) -> None:
        """Insert jobs, with the callbacks of those that have already ended."""
        if jobs:
            self._connection.execute(_ADD, [_serialize(new) for new in jobs])
        for new in jobs:
            if new.finished_at is not None:
                self._call_back(new, new.callback_url, new.finished_at)

    def list_active(self, solve_id: str, now: float) -> list[Job]:
        """Return the unfinished jobs of a locked solve, oldest first; unreadable ones fail."""
        rows = self._connection.execute(_ACTIVE, {"solve_id": solve_id}).all()
        jobs = list(readable(read_job, rows))
        for lost_id in {row.id for row in rows}.difference(record.id for record in jobs):
            self._connection.execute(
                update(job)
                .where(job.c.id == lost_id)
                .values(state=JobState.FAILED, finished_at=now, message=RECORD_LOST)
            )
        return jobs

    def find_twin(self, solve_id: str, other: Job) -> Job | None:
        """Return an unfinished job of a solve with the same options as `other`."""
        options = other.options
        statement = select(*JOB_COLUMNS).where(
            job.c.solve_id == solve_id,
            _active,
            job.c.algorithm == options.algorithm,
            job.c.heuristic == options.heuristic,
            job.c.target == options.target,
            job.c.gap == (options.gap or 0.0),
        )
        return next(readable(read_job, self._connection.execute(statement.limit(1))), None)

    def end(self, ending: Ending, now: float) -> None:
        """End an unfinished job of a locked solve or run, and create its callback."""
        values = {
            "job_id": ending.job.id,
            "state": ending.state,
            "finished_at": now,
            "lower_bound": ending.bounds.lower,
            "upper_bound": ending.bounds.upper,
            "message": ending.message,
            "since": ending.started_at,
            **_serialize_effort(ending.effort),
        }
        self._call_back(ending.job, self._connection.execute(_END, values).scalar(), now)

    def _call_back(self, job: Job, url: str | None, now: float) -> None:
        if url is not None:
            TaskRepository(self._connection).add_call(job.id, job.client_id, url, now)

    def start(self, ids: Collection[str], started_at: float) -> None:
        """Change queued jobs of a locked solve to running, since ``started_at``."""
        self._connection.execute(_START, {"ids": list(ids), "since": started_at})

    def move(self, ids: Collection[str], queue: Queue, started_at: float) -> None:
        """Change unfinished jobs of a locked solve to running, in another queue."""
        values = {"ids": list(ids), "to": queue, "since": started_at}
        self._connection.execute(_MOVE, values)

    def list_due(self, now: float) -> list[str]:
        """Return the ids of up to 100 solves with a job past its deadline."""
        return list(dict.fromkeys(self._connection.execute(_DUE, {"now": now}).scalars()))

    def list_waiting(self, now: float) -> list[str]:
        """Return the ids of jobs whose time limit starts when a worker is ready."""
        statement = select(job.c.id).where(
            _active, job.c.deadline > now + job.c.time_limit_s, job.c.solve_id.is_not(None)
        )
        return list(self._connection.execute(statement).scalars())

    def start_clocks(self, ids: Collection[str], now: float) -> None:
        """Start the time limits of those jobs that still wait and are not being changed."""
        # Waiting for a job while holding others could deadlock with a worker that ends several.
        waiting = (
            select(job.c.id)
            .where(job.c.id.in_(ids), _active, job.c.deadline > now + job.c.time_limit_s)
            .with_for_update(skip_locked=True)
        )
        deadline = literal(now, Double) + job.c.time_limit_s
        self._connection.execute(update(job).where(job.c.id.in_(waiting)).values(deadline=deadline))

    def extend_deadlines(self, solve_id: str, seconds: float) -> None:
        """Postpone the deadlines of the unfinished jobs of a locked solve."""
        self._connection.execute(
            update(job)
            .where(_active, job.c.solve_id == solve_id)
            .values(deadline=job.c.deadline + seconds)
        )

    def count_unfinished_by(
        self, client_id: str, priority: Priority, since: float
    ) -> tuple[int, float | None, bool]:
        """Count a client's unfinished jobs.

        Also return `WorkerRepository.ready_at`, and whether a job has a lower priority than this.
        """
        values = {"client": client_id, "rank": priority.rank, "since": since}
        count, ready_at, some_lower = self._connection.execute(_UNFINISHED_BY, values).one()
        return count, ready_at, some_lower is not None

    def count_unfinished(self) -> int:
        """Count the unfinished jobs of all clients."""
        return self._connection.execute(select(func.count()).where(_active)).scalar_one()

    def set_priority(self, job_id: str, priority: Priority) -> None:
        """Change the priority of an unfinished job."""
        self._connection.execute(
            update(job)
            .where(job.c.id == job_id, job.c.finished_at.is_(None))
            .values(priority=priority.rank, version=job.c.version + 1)
        )

    def promote(
        self, client_id: str, priority: Priority, solve_ids: Collection[str] | None = None
    ) -> None:
        """Let these solves of a client, by default all, go before its work of a lower priority.

        They exchange positions in the queue. The client keeps the same positions, so other clients
        wait exactly as long as before.
        """
        values = {"client": client_id, "rank": priority.rank}
        if (
            priority is Priority.LOW
            or self._connection.execute(_SOME_LOWER, values).first() is None
        ):
            return
        moved = self._exchange(client_id, priority.rank, solve_ids)
        if moved and priority is Priority.HIGH:
            # Normal work that has moved back now goes before work of low priority.
            self.promote(client_id, Priority.NORMAL, moved)

    def promote_search(self, client_id: str, solve_id: str) -> None:
        """Do the same for a long search, by the highest priority of its jobs."""
        rank = self._connection.execute(_HIGHEST, {"solve": solve_id}).scalar()
        if rank is not None:
            self.promote(client_id, Priority.from_rank(rank), [solve_id])

    def _exchange(self, client_id: str, rank: int, solve_ids: Collection[str] | None) -> list[str]:
        """Exchange positions, and return the solves whose work has moved back."""
        # Initial searches of large boards take much longer, so they only exchange positions with
        # each other.
        is_large = (slice_.c.queue != Queue.SEARCH) & (solve.c.width * solve.c.height > SMALL_CELLS)
        other = job.alias()
        has_priority = exists().where(
            other.c.solve_id == slice_.c.solve_id,
            other.c.state.in_(ACTIVE_JOB_STATES),
            other.c.priority >= rank,
        )
        waiting = (
            select(*(slice_.c[name] for name in ("id", "solve_id", "priority", "queue")))
            .add_columns(is_large.label("is_large"))
            .join_from(slice_, solve, slice_.c.solve_id == solve.c.id)
            .where(slice_.c.state == SliceState.READY, solve.c.client_id == client_id)
            .order_by(slice_.c.priority, slice_.c.id)
            # A worker may be claiming a slice right now.
            .with_for_update(of=slice_, skip_locked=True)
        )
        promoted = waiting.where(has_priority)
        if solve_ids is not None:
            promoted = promoted.where(slice_.c.solve_id.in_(solve_ids))
        lower_solves = select(job.c.solve_id).where(
            job.c.client_id == client_id, job.c.finished_at.is_(None), job.c.priority < rank
        )
        passed = waiting.where(slice_.c.solve_id.in_(lower_solves), ~has_priority)
        key = attrgetter("queue", "is_large")
        positions: list[dict[str, object]] = []
        moved: list[str] = []
        for (queue, large), group in groupby(
            sorted(self._connection.execute(promoted), key=key), key
        ):
            own = list(group)
            statement = passed.where(slice_.c.queue == queue, is_large if large else ~is_large)
            lower = self._connection.execute(statement.limit(len(own))).all()
            turns = sorted(row.priority for row in (*own, *lower))
            for row, turn in zip((*own, *lower), turns, strict=True):
                if turn != row.priority:
                    positions.append({"of_slice": row.id, "position": turn})
                if turn > row.priority:
                    moved.append(row.solve_id)
        if positions:
            by_id = update(slice_).where(slice_.c.id == bindparam("of_slice"))
            self._connection.execute(by_id.values(priority=bindparam("position")), positions)
        return moved


@reads
def read_job(values: Sequence[Any], **attributes: Any) -> Job:
    """Read values of `JOB_COLUMNS`; ``attributes`` are the other attributes of the `Job`."""
    (
        queue, state, revision, lower_bound, upper_bound, message, metric, target, gap,
        time_limit_s, algorithm, heuristic, priority, *effort,
    ) = values[len(_SAME) :]  # fmt: skip
    return Job(
        **dict(zip(_SAME, values, strict=False)),
        options=_options(metric, (target, gap, time_limit_s, algorithm, heuristic, priority)),
        queue=Queue(queue),
        state=JobState(state),
        revision=revision,
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


def _serialize_effort(effort: Effort | None) -> dict[str, object]:
    return dict.fromkeys(Effort._fields) if effort is None else effort._asdict()


def _serialize(new: Job) -> dict[str, object]:
    options = new.options
    return {name: getattr(new, name) for name in _SAME} | {
        "metric": options.metric,
        "target": options.target,
        "gap": options.gap or 0.0,
        "algorithm": options.algorithm,
        "heuristic": options.heuristic,
        "time_limit_s": options.time_limit_s,
        "queue": new.queue,
        "priority": options.priority.rank,
        "state": new.state,
        "cached": new.cached,
        "version": new.revision,
        "lower_bound": new.bounds.lower,
        "upper_bound": new.bounds.upper,
        "message": new.message,
        **_serialize_effort(new.effort),
        "callback_url": new.callback_url,
        "is_hint": new.is_hint,
        "board": new.board_bytes,
        "goal": new.goal_bytes,
    }
