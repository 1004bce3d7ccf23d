from collections import deque
from collections.abc import Callable
from functools import partial

import pytest

from tests.support.services.fakes import FakeTickets, ManualClock
from tilework.core.model.leases import Holder
from tilework.core.model.states import Queue
from tilework.core.model.task_specs import Question
from tilework.core.model.tasks import TaskEnd
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.moves import from_letters
from tilework.core.search.limits import Limits
from tilework.core.services.jobs.clients import Clients
from tilework.core.services.purger import Purger
from tilework.core.services.reconciler import Reconciler
from tilework.core.services.tasks import task_worker
from tilework.core.services.tasks.games import GameService
from tilework.core.services.tasks.shortest_paths import ShortestPathsService
from tilework.core.services.tasks.solver_engine import OnProgress, SolverEngine
from tilework.core.services.tasks.task_worker import TaskWorker
from tilework.core.settings import Settings

GOAL = blank_last(Size(3, 3))
START = Board([1, 2, 3, 4, 5, 6, 0, 7, 8])

Script = Callable[[Question, Limits, OnProgress], TaskEnd | None] | Exception


class ScriptedEngine:
    """Follows scripts, one per call; without one, it runs the solver."""

    def __init__(self, folder):
        self.solver = SolverEngine(folder)
        self.scripts: deque[Script] = deque()
        self.specs: list[Question] = []

    def __call__(self, spec, limits, report):
        self.specs.append(spec)
        script = self.scripts.popleft() if self.scripts else self.solver
        if isinstance(script, Exception):
            raise script
        return script(spec, limits, report)


class TaskServices:
    """The task services over one database, with a manual clock and a scripted engine."""

    def __init__(self, database, folder, **changes):
        self.database = database
        self.settings = settings = Settings(data_dir=folder, **changes)
        self.clock, self.tickets = ManualClock(), FakeTickets()
        database.clock = self.clock
        self.engine = ScriptedEngine(settings.pdb_folder)
        self.games = GameService(database, self.tickets, settings)
        self.ways = ShortestPathsService(database, self.tickets, settings)
        self.reconcile = Reconciler(database, self.tickets, settings)
        self.purge = Purger(database, settings)
        self.client = Clients(database).new()

    def request(self, letters="LL", start=START, **options):
        client, goal = options.pop("client", self.client), options.pop("goal", GOAL)
        return self.games.submit(client, start, goal, from_letters(letters), **options)

    def request_ways(self, start=START, **options):
        client = options.pop("client", self.client)
        goal = options.pop("goal", blank_last(start.size))
        return self.ways.submit(client, start, goal, **options)

    def work(self, owner="worker", should_stop=lambda: False):
        """Work until no task is waiting."""
        done = 0
        for queue in (Queue.QUICK_ANALYSIS, Queue.ANALYSIS):
            worker, more = TaskWorker(self.database, self.settings, queue, self.engine), True
            while more and not should_stop():
                report = worker.run(owner, should_stop)
                done, more = done + report.done, report.has_more
        return done

    def claim(self, owner="lost"):
        """Lease a task for a worker that never returns."""
        with self.database.writing() as session:
            holder = Holder(owner, self.clock() + self.settings.lease_s)
            assert session.tasks.claim(Queue.QUICK_ANALYSIS, holder, self.clock())


@pytest.fixture
def make_service(database, tmp_path, monkeypatch):
    monkeypatch.setattr(task_worker, "TICK_S", 0.01)
    return partial(TaskServices, database, tmp_path)


@pytest.fixture
def service(make_service):
    return make_service()
