from collections import deque
from collections.abc import Callable

import pytest

from tests.support.services.fakes import TaskFixture
from tilework.core.model.states import Queue
from tilework.core.model.tasks import Question, TaskEnd
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.moves import from_letters
from tilework.core.search.limits import Limits
from tilework.core.services.tasks import task_worker
from tilework.core.services.tasks.questions import GameService, ShortestPathsService
from tilework.core.services.tasks.solver_engine import OnProgress, SolverEngine

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


class TaskServices(TaskFixture):
    """The task services over one database, with a scripted engine."""

    queues = (Queue.QUICK_ANALYSIS, Queue.ANALYSIS)

    def __init__(self, database, folder):
        super().__init__(database, folder)
        self.engine = ScriptedEngine(self.settings.pdb_folder)
        self.games = GameService(database, self.tickets)
        self.ways = ShortestPathsService(database, self.tickets)

    def request(self, letters="LL", start=START, **options):
        client, goal = options.pop("client", self.client), options.pop("goal", GOAL)
        return self.games.submit(client, start, goal, from_letters(letters), **options)

    def request_ways(self, start=START, **options):
        client = options.pop("client", self.client)
        goal = options.pop("goal", blank_last(start.size))
        return self.ways.submit(client, start, goal, **options)


@pytest.fixture
def service(database, tmp_path, monkeypatch):
    monkeypatch.setattr(task_worker, "TICK_S", 0.01)
    return TaskServices(database, tmp_path)
