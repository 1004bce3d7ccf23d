from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.support.services.fakes import FakeTickets, ManualClock
from tests.support.services.scripted_solver import ScriptedSolver
from tilework.core.model.farm.changes import Applied
from tilework.core.model.farm.solves import Slice, Solve
from tilework.core.model.job_options import JobOptions
from tilework.core.model.jobs import JobView
from tilework.core.model.leases import Holder
from tilework.core.model.states import Queue, SliceKind, SliceState
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.goals import blank_last
from tilework.core.services.farm.slice_worker import SliceWorker
from tilework.core.services.farm.state_machine.events import ProofChecked, SliceEvent
from tilework.core.services.farm.state_machine.machine import apply_event, restart_solve
from tilework.core.services.health import Health
from tilework.core.services.jobs.batches import ReadBatch, SubmitBatch
from tilework.core.services.jobs.clients import Clients
from tilework.core.services.jobs.jobs import JobService
from tilework.core.services.jobs.submit import Submission, SubmitJob
from tilework.core.services.reconciler import Reconciler
from tilework.core.settings import Settings
from tilework.core.solver.target import Target, TargetKind
from tilework.core.storage.database import Database

OPTIMAL = Target()


def options(target: Target = OPTIMAL, seconds: float | None = None, **extra: Any) -> JobOptions:
    gap = target.gap if target.kind is TargetKind.GAP else None
    fields = {"target": target.kind, "gap": gap, "time_limit_s": seconds}
    return JobOptions(**fields, **extra)


class ServiceFixture:
    """All services over one database, with a manual clock and a scripted solver."""

    def __init__(self, database: Database, settings: Settings) -> None:
        self.database, self.settings = database, settings
        database.clock = self.clock = ManualClock()
        database.on_damage = partial(restart_solve, database)
        self.tickets, self.solver = FakeTickets(), ScriptedSolver()
        arguments = (database, self.tickets, settings)
        self.submit, self.submit_batch = SubmitJob(*arguments), SubmitBatch(*arguments)
        self.read, self.read_batch = JobService(database, self.tickets), ReadBatch(database)
        self.cancel = self.read.cancel
        self.health, self.reconcile = Health(*arguments), Reconciler(database, self.tickets)
        self.clients = Clients(database)
        self.client = self.clients.new()

    def request(
        self,
        board: Board,
        target: Target = OPTIMAL,
        *,
        goal: Board | None = None,
        client: str | None = None,
        seconds: float | None = None,
        key: str | None = None,
        fresh: bool = False,
        **extra: Any,
    ) -> JobView:
        return self.submit(
            Submission(
                client_id=client or self.client,
                boards=[(board, goal or blank_last(board.size))],
                options=options(target, seconds, **extra),
                idempotency_key=key,
                fresh=fresh,
            )
        )

    def worker(self, solver: ScriptedSolver | None = None) -> SliceWorker:
        return SliceWorker(self.database, self.tickets, self.settings, solver or self.solver)

    def work(self, *queues: str) -> int:
        """Work until nothing is ready in the queues."""
        worker, done = self.worker(), 0
        for queue in queues or ("interactive", "batch", "search"):
            has_more = True
            while has_more:
                report = worker.run(queue, "worker", lambda: False)
                done, has_more = done + report.done, report.has_more
        return done

    def advance_time(self, seconds: float = 1e6) -> None:
        """Advance the clock, by default beyond all deadlines, and reconcile."""
        self.clock.advance(seconds)
        self.reconcile.run_once()

    def lose_leases(self) -> None:
        """Let all current leases expire."""
        self.advance_time(self.settings.lease_s + 1)

    def claim(self, queue: str = "interactive", owner: str = "lost") -> int:
        """Lease work for a worker that never returns; return the number of claims."""
        return len(self.worker().lease(queue, owner))  # type: ignore[arg-type]

    def read_solve(self, job: JobView) -> Solve:
        assert job.solve_id is not None
        with self.database.writing() as session:
            return session.solves.lock(job.solve_id)

    def count_slices(self, job: JobView) -> dict[SliceState, int]:
        """Count the unfinished slices on which the result depends, by state."""
        counts: Counter[SliceState] = Counter()
        with self.database.reading() as session:
            for group in session.slices.groups(job.solve_id or ""):
                if group.kind is not SliceKind.IMPROVE:
                    counts[group.state] += group.slices
        return dict(counts)

    def apply_event(self, event: SliceEvent) -> Applied:
        """Apply an event to a slice."""
        with self.database.writing() as session:
            return apply_event(session, event.slice.solve_id, event, self.clock())

    def complete_checks(self) -> int:
        """Complete all checks, so that their records prove bounds; return their number."""
        with self.database.writing() as session:
            ready = [claim.slice for claim in session.slices.next(Queue.SEARCH, 100)]
            checks = [slice_ for slice_ in ready if slice_.kind is SliceKind.CHECK]
            holder = Holder("checker", self.clock() + 15)
            session.slices.lease([check.id for check in checks], holder, self.clock())
        for check in checks:
            leased = replace(check, state=SliceState.LEASED, owner="checker", attempts=1)
            self.apply_event(ProofChecked(leased, int(check.cursor), None, self.solver.root()))
        return len(checks)

    def lease_slice(self, owner: str = "w") -> Slice:
        """Lease one slice."""
        [claim] = self.worker().lease(Queue.SEARCH, owner)
        return claim.slice


def make_service_fixture(database: Database, folder: Path, **changes: Any) -> ServiceFixture:
    """Create all services over a database with the newest schema."""
    return ServiceFixture(database, Settings(data_dir=folder, **changes))


@pytest.fixture
def make_service(database: Database, tmp_path: Path) -> Callable[..., ServiceFixture]:
    return partial(make_service_fixture, database, tmp_path)


@pytest.fixture
def service(make_service: Callable[..., ServiceFixture]) -> ServiceFixture:
    return make_service()
