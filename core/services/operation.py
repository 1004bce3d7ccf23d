"""What operators see, suspend, retry and drop."""

from __future__ import annotations

from collections import defaultdict

from tilework.core.errors import NotFoundError, OptionError
from tilework.core.model.farm.workload import WORKER_TIMEOUT_S
from tilework.core.model.ids import MAX_QUOTED
from tilework.core.model.jobs import JobView
from tilework.core.model.operation import HeldWorkView, OperatorView, Throughput, WorkerView
from tilework.core.model.states import (
    Priority,
    Queue,
    SliceState,
    SolveState,
    SuspensionKind,
)
from tilework.core.services.farm.state_machine.events import WorkDamaged
from tilework.core.services.farm.state_machine.machine import report_event
from tilework.core.services.jobs.jobs import JobService
from tilework.core.services.pattern_databases import PatternDatabases
from tilework.core.settings import Settings
from tilework.core.storage.database import Database
from tilework.core.storage.session import Session


class Operation:
    """The state of the service for its operators, and their actions."""

    def __init__(self, storage: Database, settings: Settings, jobs: JobService) -> None:
        self._storage = storage
        self._clock = storage.clock
        self._jobs = jobs
        self.databases = PatternDatabases(
            settings.pdb_folder, settings.pdb_budget, are_built=settings.pdb_build
        )

    def view(self) -> OperatorView:
        now = self._clock()
        statistics, queues = self._jobs.statistics(), self._jobs.queues()
        with self._storage.reading() as session:
            operation = session.operation
            suspensions = operation.suspensions()
            work_by_worker: dict[str, list[HeldWorkView]] = defaultdict(list)
            for work in operation.work():
                work_by_worker[work.worker].append(work)
            present = {row[0]: row for row in operation.workers(now - WORKER_TIMEOUT_S)}
            throughput = Throughput(*operation.count_recent_jobs(now), statistics.nodes_per_s)
            quarantine = operation.quarantine()
        suspended = {item.name for item in suspensions if item.kind is SuspensionKind.WORKER}
        workers = []
        for name in sorted(present.keys() | work_by_worker.keys()):
            _, version, seen_at, ready_at = present.get(name, (name, None, None, None))
            workers.append(
                WorkerView(
                    name=name,
                    version=version,
                    seen_at=seen_at,
                    preparing=ready_at is not None,
                    suspended=name in suspended,
                    work=work_by_worker.get(name, []),
                )
            )
        return OperatorView(
            queues=queues,
            workers=workers,
            jobs=statistics.jobs,
            throughput=throughput,
            quarantine=quarantine,
            suspensions=suspensions,
            databases=self.databases.view(),
        )

    def suspend(self, kind: SuspensionKind, name: str) -> None:
        """Suspend a queue, worker or client; raise NotFoundError if there is none of that name."""
        now = self._clock()
        with self._storage.writing() as session:
            self._check_exists(session, kind, name, now)
            session.operation.suspend(kind, name, now)

    def resume(self, kind: SuspensionKind, name: str) -> None:
        """End a suspension, if there is one."""
        with self._storage.writing() as session:
            session.operation.resume(kind, name)

    def _check_exists(self, session: Session, kind: SuspensionKind, name: str, now: float) -> None:
        if kind is SuspensionKind.QUEUE:
            if name not in list(Queue):
                raise OptionError(
                    "queue",
                    "unknown queue {name!r}; choose from {choices}",
                    name=name[:40],
                    choices=", ".join(Queue),
                )
        elif kind is SuspensionKind.CLIENT:
            if not session.clients.exists(name):
                raise NotFoundError("no-client", "there is no client {id!r}", id=name[:MAX_QUOTED])
        elif name not in [row[0] for row in session.operation.workers(now - WORKER_TIMEOUT_S)]:
            raise NotFoundError(
                "no-worker",
                "there is no worker {name!r}; only workers of long searches can be suspended",
                name=name[:MAX_QUOTED],
            )

    def cancel(self, job_id: str) -> JobView:
        """Cancel a job of any client; raise NotFoundError if there is none."""
        return self._jobs.cancel(job_id, None, brief=True)

    def set_priority(self, job_id: str, priority: Priority) -> JobView:
        """Change the priority of a job among the jobs of its client."""
        job = self._jobs.view(job_id, brief=True)
        if job.solve_id is not None and not job.finished:
            with self._storage.writing() as session:
                session.solves.lock(job.solve_id)
                session.jobs.set_priority(job_id, priority)
                session.jobs.promote(job.client_id, priority, [job.solve_id])
                # If the priority was lowered, other work goes before this job.
                for higher in (Priority.HIGH, Priority.NORMAL):
                    if higher.rank > priority.rank:
                        session.jobs.promote(job.client_id, higher)
        return self._jobs.view(job_id, brief=True)

    def retry(self, solve_id: str) -> None:
        """Let quarantined slices be searched again: now, or when a job needs them.

        Raises NotFoundError if there are none.
        """
        now = self._clock()
        with self._storage.writing() as session:
            self._check_quarantined(session, solve_id)
            solve = session.solves.lock(solve_id)
            is_active = solve.state is SolveState.ACTIVE
            state = SliceState.READY if is_active else SliceState.PARKED
            session.operation.retry_quarantined(solve_id, state, now)

    def drop(self, solve_id: str) -> None:
        """Delete a search with quarantined slices; it restarts from the proven bounds.

        Raises NotFoundError if there are none.
        """
        with self._storage.reading() as session:
            self._check_quarantined(session, solve_id)
        report_event(self._storage, solve_id, WorkDamaged())

    def _check_quarantined(self, session: Session, solve_id: str) -> None:
        if solve_id not in [item.solve_id for item in session.operation.quarantine()]:
            raise NotFoundError(
                "no-quarantine",
                "nothing of {id!r} is in quarantine",
                id=solve_id[:MAX_QUOTED],
            )
