from functools import partial

import pytest

from tests.support.services.fakes import FakeTickets, ManualClock
from tests.unit.services.lab.scripted_lab import A_STAR, BOARD, BREADTH_FIRST, GOAL, ScriptedLab
from tilework.core.model.lab.comparisons import ComparisonRequest
from tilework.core.model.leases import Holder
from tilework.core.model.states import Queue
from tilework.core.services.jobs.clients import Clients
from tilework.core.services.lab.comparisons import ComparisonService
from tilework.core.services.reconciler import Reconciler
from tilework.core.services.tasks import task_worker
from tilework.core.services.tasks.lab_engine import run_search
from tilework.core.services.tasks.task_worker import TaskWorker
from tilework.core.settings import Settings


class LabServices:
    """The lab's services over one database, with a manual clock and a scripted runner."""

    def __init__(self, database, folder, **changes):
        self.database = database
        self.settings = settings = Settings(data_dir=folder, **changes)
        self.clock, self.tickets = ManualClock(), FakeTickets()
        database.clock = self.clock
        self.runner = ScriptedLab()
        self.read = ComparisonService(database, self.tickets, settings)
        self.cancel = self.read.cancel
        self.reconcile = Reconciler(database, self.tickets, settings)
        self.clients = Clients(database)
        self.client = self.clients.new()

    def request(self, board=BOARD, methods=(A_STAR, BREADTH_FIRST), *, client=None, **options):
        options = {"client_id": client or self.client, "goal": GOAL} | options
        return self.read.submit(ComparisonRequest(start=board, methods=methods, **options))

    def work(self, owner="worker", should_stop=lambda: False):
        """Work until nothing waits."""
        engine = partial(run_search, run=self.runner.run)
        worker, done = TaskWorker(self.database, self.settings, Queue.LAB, engine), 0
        more = True
        while more and not should_stop():
            report = worker.run(owner, should_stop)
            done, more = done + report.done, report.has_more
        return done

    def claim(self, owner="lost"):
        """Claim as a worker that never returns."""
        now = self.clock()
        with self.database.writing() as session:
            holder = Holder(owner, now + self.settings.lease_s)
            assert session.tasks.claim(Queue.LAB, holder, now)

    def lose_leases(self):
        """Let every lease expire."""
        self.clock.advance(self.settings.lease_s + 1)
        self.reconcile.run_once()

    def states(self, comparison):
        return [run.state for run in self.read.view(comparison.id).runs]


@pytest.fixture
def make_lab(database, tmp_path, monkeypatch):
    monkeypatch.setattr(task_worker, "TICK_S", 0.01)
    return partial(LabServices, database, tmp_path)


@pytest.fixture
def lab(make_lab):
    return make_lab()
