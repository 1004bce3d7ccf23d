from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.support.services.props import CountedTickets, HandClock
from tests.unit.services.lab.staging import A_STAR, BOARD, BREADTH_FIRST, GOAL, ScriptedLab
from tilework.core.lab.method import Method
from tilework.core.puzzle.board import Board
from tilework.core.services.jobs.clients import Clients
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


@dataclass
class Lab:
    """The lab's services over one database, with a clock and a runner in hand."""

    database: Database
    settings: Settings
    clock: HandClock
    tickets: CountedTickets
    runner: ScriptedLab
    compare: SubmitComparison
    read: ReadLab
    cancel: CancelComparison
    reconcile: Reconcile
    clients: Clients
    client: str

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

    def states(self, comparison: ComparisonView) -> list[RunState]:
        return [run.state for run in self.read.view(comparison.id).runs]


def furnish(database: Database, folder: Path, **changes: Any) -> Lab:
    settings = Settings(data_dir=folder, **changes)
    clock, tickets = HandClock(), CountedTickets()
    database.clock = clock
    clients = Clients(database)
    return Lab(
        database=database,
        settings=settings,
        clock=clock,
        tickets=tickets,
        runner=ScriptedLab(),
        compare=SubmitComparison(database, tickets, settings),
        read=ReadLab(database),
        cancel=CancelComparison(database),
        reconcile=Reconcile(database, tickets, settings),
        clients=clients,
        client=clients.new(),
    )


@pytest.fixture
def make_lab(database: Database, tmp_path: Path) -> Callable[..., Lab]:
    return partial(furnish, database, tmp_path)


@pytest.fixture
def lab(make_lab: Callable[..., Lab]) -> Lab:
    return make_lab()
