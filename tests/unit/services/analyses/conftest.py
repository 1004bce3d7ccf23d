from collections import deque
from collections.abc import Callable
from functools import partial

import pytest

from tests.support.services.props import CountedTickets, HandClock
from tilework.core.model.leases import Holder
from tilework.core.model.questions import Answer, GameSpec, Spec
from tilework.core.model.states import ANALYSIS_QUEUES, Queue
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.moves import from_letters
from tilework.core.search.limits import Limits
from tilework.core.services.analyses import work
from tilework.core.services.analyses.cancel import CancelAnalysis
from tilework.core.services.analyses.games import GameRequest, SubmitGame
from tilework.core.services.analyses.local_analyst import Listener, LocalAnalyst
from tilework.core.services.analyses.read import ReadAnalyses
from tilework.core.services.analyses.read_ways import ReadWays
from tilework.core.services.analyses.ways import SubmitWays, WaysRequest
from tilework.core.services.analyses.work import AnalysisWork
from tilework.core.services.jobs.clients import Clients
from tilework.core.services.reconcile import Reconcile
from tilework.core.services.retention.purge import Purge
from tilework.core.settings import Settings

GOAL = blank_last(Size(3, 3))
START = Board([1, 2, 3, 4, 5, 6, 0, 7, 8])

Script = Callable[[Spec, Limits, Listener], Answer | None] | Exception


class ScriptedAnalyst:
    """Does what the scripts say, one entry a call; then answers."""

    def __init__(self, folder):
        self.solver = LocalAnalyst(folder)
        self.scripts: deque[Script] = deque()
        self.specs: list[Spec] = []

    def answer(self, spec, limits, tell):
        self.specs.append(spec)
        script = self.scripts.popleft() if self.scripts else self.solver.answer
        if isinstance(script, Exception):
            raise script
        return script(spec, limits, tell)


class House:
    """The services of analyses over one database, with a clock and an analyst in hand."""

    def __init__(self, database, folder, **changes):
        self.database = database
        self.settings = settings = Settings(data_dir=folder, **changes)
        self.clock, self.tickets = HandClock(), CountedTickets()
        database.clock = self.clock
        self.analyst = ScriptedAnalyst(settings.pdb_folder)
        self.submit = SubmitGame(database, self.tickets, settings)
        self.read = ReadAnalyses(database, GameSpec, settings)
        self.cancel = CancelAnalysis(database, self.read)
        self.submit_ways = SubmitWays(database, self.tickets, settings)
        self.ways = ReadWays(database, settings)
        self.reconcile = Reconcile(database, self.tickets, settings)
        self.purge = Purge(database, settings)
        self.client = Clients(database).new()

    def ask(self, letters="LL", start=START, **options):
        asked = {"client_id": options.pop("client", self.client), "goal": GOAL} | options
        return self.submit(GameRequest(start=start, moves=from_letters(letters), **asked))

    def ask_ways(self, start=START, **options):
        client = options.pop("client", self.client)
        goal = options.pop("goal", blank_last(start.size))
        return self.submit_ways(WaysRequest(client_id=client, start=start, goal=goal, **options))

    def work(self, owner="worker", stopping=lambda: False):
        """Work until nothing waits."""
        done = 0
        for queue in ANALYSIS_QUEUES:
            worker, more = AnalysisWork(self.database, self.settings, self.analyst, queue), True
            while more and not stopping():
                report = worker.serve(owner, stopping)
                done, more = done + report.done, report.more
        return done

    def claim(self, owner="lost"):
        """Claim as a worker that is never heard of again."""
        with self.database.writing() as session:
            holder = Holder(owner, self.clock() + self.settings.lease_s)
            claimed = session.analyses.claim(Queue.QUICK_ANALYSIS, holder, self.clock())
            assert claimed is not None


@pytest.fixture
def make_house(database, tmp_path, monkeypatch):
    monkeypatch.setattr(work, "TICK_S", 0.01)
    return partial(House, database, tmp_path)


@pytest.fixture
def house(make_house):
    return make_house()
