"""Fakes for services: a manual clock, a ticket counter, and a storage with a hook."""

from tilework.core.model.leases import Holder
from tilework.core.model.states import Queue
from tilework.core.services.jobs.clients import Clients
from tilework.core.services.reconciler import Reconciler
from tilework.core.services.tasks.task_worker import TaskWorker
from tilework.core.settings import Settings


class ManualClock:
    """A clock that only moves when it is advanced."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now

    def advance(self, seconds: float) -> None:
        self.now += seconds


class FakeTickets:
    """Counts tickets instead of sending them; ``broken`` makes the broker unreachable."""

    def __init__(self) -> None:
        self.sent: dict[str, int] = {}
        self.broken = False

    def send(self, queue: str, count: int = 1) -> None:
        if self.broken:
            raise ConnectionError("no broker")
        self.sent[queue] = self.sent.get(queue, 0) + count

    def depth(self, queue: str) -> int | None:
        if self.broken:
            raise ConnectionError("no broker")
        return self.sent.get(queue, 0)

    def find_problem(self) -> str | None:
        return "start it" if self.broken else None


class HookedStorage:
    """A storage that calls a hook once, just before its first write transaction."""

    def __init__(self, database, action):
        self._actions = [action]
        self._database = database
        self.reading, self.check_schema = database.reading, database.check_schema
        self.clock = database.clock

    def writing(self):
        while self._actions:
            self._actions.pop()()
        return self._database.writing()


class TaskFixture:
    """Works on the tasks of some queues; a derived class has the engine."""

    queues: tuple[Queue, ...]

    def __init__(self, database, folder):
        self.database = database
        self.settings = Settings(data_dir=folder)
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
