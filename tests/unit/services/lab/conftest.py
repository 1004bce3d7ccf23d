from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.support.services.props import CountedTickets, HandClock
from tests.unit.services.lab.staging import A_STAR, BOARD, BREADTH_FIRST, GOAL, ScriptedLab
from tilework.core.lab.method import Method
from tilework.core.puzzle.board import Board
from tilework.core.services.jobs.clients import Clients
from tilework.core.services.lab import work
from tilework.core.services.lab.cancel import CancelComparison
from tilework.core.services.lab.read import ReadLab
from tilework.core.services.lab.requests import ComparisonRequest
from tilework.core.services.lab.submit import SubmitComparison
from tilework.core.services.lab.views import ComparisonView
from tilework.core.services.lab.work import LabWork
from tilework.core.services.leases import Holder
from tilework.core.services.reconcile import Reconcile
from tilework.core.services.states import RunState
from tilework.core.settings import Settings
from tilework.core.storage.database import Database


class Lab:
    """The lab's services over one database, with a clock and a runner in hand."""

    def __init__(self, database: Database, folder: Path, **changes: Any) -> None:
        self.database = database
        self.settings = settings = Settings(data_dir=folder, **changes)
        self.clock, self.tickets = HandClock(), CountedTickets()
        database.clock = self.clock
        self.runner = ScriptedLab()
        self.compare = SubmitComparison(database, self.tickets, settings)
        self.read = ReadLab(database)
        self.cancel = CancelComparison(database)
        self.reconcile = Reconcile(database, self.tickets, settings)
        self.clients = Clients(database)
        self.client = self.clients.new()

    def ask(
        self,
        board: Board | None = BOARD,
        methods: Sequence[Method] = (A_STAR, BREADTH_FIRST),
        *,
        client: str | None = None,
        **options: Any,
    ) -> ComparisonView:
        return self.compare(
            ComparisonRequest(
                client_id=client or self.client,
                start=board,
                goal=options.pop("goal", GOAL),
                methods=methods,
                **options,
            )
        )

    def work(self, owner: str = "worker", stopping: Callable[[], bool] = lambda: False) -> int:
        """Work until nothing waits."""
        worker, done = LabWork(self.database, self.settings, self.runner), 0
        more = True
        while more and not stopping():
            report = worker.serve(owner, stopping)
            done, more = done + report.done, report.more
        return done

    def claim(self, owner: str = "lost") -> None:
        """Claim as a worker that is never heard of again."""
        now = self.clock()
        with self.database.writing() as session:
            holder = Holder(owner, now + self.settings.lease_s)
            assert session.runs.claim(holder, now) is not None

    def lose_leases(self) -> None:
        """Let every lease run out."""
        self.clock.turn(self.settings.lease_s + 1)
        self.reconcile.run_once()

    def states(self, comparison: ComparisonView) -> list[RunState]:
        return [run.state for run in self.read.view(comparison.id).runs]


furnish = Lab


@pytest.fixture
def make_lab(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Lab]:
    monkeypatch.setattr(work, "TICK_S", 0.01)
    return partial(Lab, database, tmp_path)


@pytest.fixture
def lab(make_lab: Callable[..., Lab]) -> Lab:
    return make_lab()
