from functools import partial

import pytest

from tests.support.services.fakes import TaskFixture
from tests.unit.services.lab.scripted_lab import A_STAR, BOARD, BREADTH_FIRST, GOAL, ScriptedLab
from tilework.core.model.comparisons import ComparisonOptions
from tilework.core.model.states import Queue
from tilework.core.services.comparisons import ComparisonService
from tilework.core.services.tasks import task_worker
from tilework.core.services.tasks.lab_engine import run_search


class LabServices(TaskFixture):
    """The lab's services over one database, with a scripted runner."""

    queues = (Queue.LAB,)

    def __init__(self, database, folder):
        super().__init__(database, folder)
        self.runner = ScriptedLab()
        self.engine = partial(run_search, run=self.runner.run)
        self.read = ComparisonService(database, self.tickets, self.settings)
        self.cancel = self.read.cancel

    def request(self, board=BOARD, methods=(A_STAR, BREADTH_FIRST), *, client=None, **options):
        goal = options.pop("goal", GOAL)
        options = ComparisonOptions(methods=methods, **options)
        return self.read.submit(client or self.client, board, goal, options)

    def lose_leases(self):
        """Let every lease expire."""
        self.clock.advance(self.settings.lease_s + 1)
        self.reconcile.run_once()

    def states(self, comparison):
        return [run.state for run in self.read.view(comparison.id).runs]


@pytest.fixture
def lab(database, tmp_path, monkeypatch):
    monkeypatch.setattr(task_worker, "TICK_S", 0.01)
    return LabServices(database, tmp_path)
