"""The services of tasks over one database, with a manual clock."""

from tests.support.services.fakes import FakeTickets, ManualClock
from tilework.core.model.leases import Holder
from tilework.core.model.states import Queue
from tilework.core.services.jobs.clients import Clients
from tilework.core.services.reconciler import Reconciler
from tilework.core.services.tasks.task_worker import TaskWorker
from tilework.core.settings import Settings


class TaskFixture:
    """Works on the tasks of some queues; a derived class has the engine."""

    queues: tuple[Queue, ...]

    def __init__(self, database, folder, **changes):
        self.database = database
        self.settings = Settings(data_dir=folder, **changes)
        self.clock, self.tickets = ManualClock(), FakeTickets()
        database.clock = self.clock
        self.reconcile = Reconciler(database, self.tickets)
        self.clients = Clients(database)
        self.client = self.clients.new()

    def work(self, owner="worker", should_stop=lambda: False):
        """Work until no task is waiting."""
        done = 0
        for queue in self.queues:
            worker, more = TaskWorker(self.database, self.settings, queue, self.engine), True
            while more and not should_stop():
                report = worker.run(owner, should_stop)
                done, more = done + report.done, report.has_more
        return done

    def claim(self, owner="lost"):
        """Lease a task for a worker that never returns."""
        now = self.clock()
        with self.database.writing() as session:
            holder = Holder(owner, now + self.settings.lease_s)
            assert session.tasks.claim(self.queues[0], holder, now)
