"""The ``job`` table: creating, changing and ending jobs."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sqlalchemy import Double, bindparam, case, func, literal_column, select, update

from tilework.core.model.endings import RECORD_LOST, Ending
from tilework.core.model.jobs import Effort, Job, StoredSolution
from tilework.core.model.states import ACTIVE_JOB_STATES, JobState, Queue
from tilework.core.storage.farm.solutions import Reading
from tilework.core.storage.farm.workers import READY
from tilework.core.storage.jobs.answers import read_answer
from tilework.core.storage.jobs.rows import JOB_COLUMNS, read_job
from tilework.core.storage.models import job
from tilework.core.storage.repository import Repository, readable
from tilework.core.storage.tasks import TaskRepository

EFFORT = Effort._fields

# Literals: parameters of a list would be expanded again for each execution.
_active = job.c.state.in_([literal_column(f"'{state}'") for state in ACTIVE_JOB_STATES])
_ADD = job.insert()

_ACTIVE = (
    select(*JOB_COLUMNS).where(job.c.solve_id == bindparam("solve_id"), _active).order_by(job.c.id)
)
_TWIN = (
    select(*JOB_COLUMNS)
    .where(
        job.c.solve_id == bindparam("solve_id"),
        _active,
        job.c.algorithm == bindparam("algorithm"),
        job.c.heuristic == bindparam("heuristic"),
        job.c.target == bindparam("target"),
        job.c.gap == bindparam("gap"),
    )
    .limit(1)
)
_since = bindparam("since", type_=Double)
# The search of a job may have begun before the job, for other jobs.
_begun_at = case((job.c.created_at > _since, job.c.created_at), else_=_since)
_END = (
    update(job)
    .where(job.c.id == bindparam("job_id"), _active)
    .values(
        state=bindparam("state"),
        version=job.c.version + 1,
        started_at=func.coalesce(job.c.started_at, _begun_at),
        finished_at=bindparam("finished_at"),
        lower_bound=bindparam("lower_bound"),
        upper_bound=bindparam("upper_bound"),
        message=bindparam("message"),
        **{name: bindparam(name) for name in EFFORT},
    )
    .returning(job.c.callback_url)
)
_FAIL = (
    update(job)
    .where(job.c.id == bindparam("job_id"))
    .values(state=JobState.FAILED, finished_at=bindparam("now"), message=RECORD_LOST)
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
_UNFINISHED_BY = select(
    select(func.count())
    .where(_active, job.c.client_id == bindparam("client_id"))
    .scalar_subquery(),
    READY.scalar_subquery(),
)
_UNFINISHED = select(func.count()).where(_active)


_DUE = (
    select(job.c.solve_id)
    .where(_active, job.c.deadline <= bindparam("now"), job.c.solve_id.is_not(None))
    .limit(100)
)
_waits = (_active, job.c.deadline > bindparam("now") + job.c.time_limit_s)
_WAITING = select(job.c.id).where(*_waits, job.c.solve_id.is_not(None))
# Waiting for a job while holding others could deadlock with a worker that ends several jobs.
_waiting_among = (
    select(job.c.id)
    .where(job.c.id.in_(bindparam("ids", expanding=True)), *_waits)
    .with_for_update(skip_locked=True)
)
_START_CLOCKS = (
    update(job)
    .where(job.c.id.in_(_waiting_among))
    .values(deadline=bindparam("now", type_=Double) + job.c.time_limit_s)
)
_EXTEND = (
    update(job)
    .where(_active, job.c.solve_id == bindparam("of_solve"))
    .values(deadline=job.c.deadline + bindparam("seconds"))
)


class JobRepository(Repository):
    """Creates, changes and ends jobs, and changes their deadlines."""

    def add(self, jobs: Sequence[Job]) -> None:
        """Insert jobs, with the callbacks of those that have already ended."""
        if jobs:
            self._connection.execute(_ADD, [_values(new) for new in jobs])
        for new in jobs:
            if new.finished_at is not None:
                self._call_back(new, new.callback_url, new.finished_at)

    def answer(self, job_id: str, reading: Reading) -> StoredSolution:
        """Return a job's stored solution.

        The moves of a very long one are read when they are used, in other sessions; that raises
        ReplacedError if it has been replaced.

        Raises UnavailableError if it is repeatedly replaced while it is read.
        """
        return read_answer(self._connection, job_id, reading)

    def list_active(self, solve_id: str, now: float) -> list[Job]:
        """Return the unfinished jobs of a locked solve, oldest first; unreadable ones fail."""
        rows = self._connection.execute(_ACTIVE, {"solve_id": solve_id}).all()
        jobs = list(readable(read_job, rows))
        for lost_id in {row.id for row in rows}.difference(record.id for record in jobs):
            self._connection.execute(_FAIL, {"job_id": lost_id, "now": now})
        return jobs

    def find_twin(self, solve_id: str, other: Job) -> Job | None:
        """Return an unfinished job of a solve with the same options as `other`."""
        values = {
            "solve_id": solve_id,
            "algorithm": other.options.algorithm,
            "heuristic": other.options.heuristic,
            "target": other.options.target,
            "gap": other.options.gap or 0.0,
        }
        rows = self._connection.execute(_TWIN, values)
        return next(readable(read_job, rows), None)

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
            **_effort(ending.effort),
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
        return list(self._connection.execute(_WAITING, {"now": now}).scalars())

    def start_clocks(self, ids: Collection[str], now: float) -> None:
        """Start the time limits of those jobs that still wait and are not being changed."""
        self._connection.execute(_START_CLOCKS, {"ids": list(ids), "now": now})

    def extend_deadlines(self, solve_id: str, seconds: float) -> None:
        """Postpone the deadlines of the unfinished jobs of a locked solve."""
        self._connection.execute(_EXTEND, {"of_solve": solve_id, "seconds": seconds})

    def count_unfinished_by(self, client_id: str, since: float) -> tuple[int, float | None]:
        """Count a client's unfinished jobs; also return `WorkerRepository.ready_at`."""
        values = {"client_id": client_id, "since": since}
        count, ready_at = self._connection.execute(_UNFINISHED_BY, values).one()
        return count, ready_at

    def count_unfinished(self) -> int:
        """Count the unfinished jobs of all clients."""
        return self._connection.execute(_UNFINISHED).scalar_one()


def _effort(effort: Effort | None) -> dict[str, object]:
    return dict.fromkeys(EFFORT) if effort is None else effort._asdict()


def _values(new: Job) -> dict[str, object]:
    options = new.options
    return {
        "id": new.id,
        "client_id": new.client_id,
        "solve_id": new.solve_id,
        "batch_id": new.batch_id,
        "batch_index": new.batch_index,
        "width": new.width,
        "height": new.height,
        "metric": options.metric,
        "target": options.target,
        "gap": options.gap or 0.0,
        "algorithm": options.algorithm,
        "heuristic": options.heuristic,
        "time_limit_s": options.time_limit_s,
        "deadline": new.deadline,
        "queue": new.queue,
        "priority": options.priority.rank,
        "state": new.state,
        "cached": new.cached,
        "version": new.revision,
        "lower_bound": new.bounds.lower,
        "upper_bound": new.bounds.upper,
        "created_at": new.created_at,
        "started_at": new.started_at,
        "finished_at": new.finished_at,
        "message": new.message,
        **_effort(new.effort),
        "callback_url": new.callback_url,
        "transform": new.transform,
        "board": new.board_bytes,
        "goal": new.goal_bytes,
    }
