from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.core.services.staging import CountedTickets, HandClock
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.moves import from_letters
from tilework.core.search.limits import Limits
from tilework.core.services.analyses.cancel import CancelAnalysis
from tilework.core.services.analyses.read import ReadAnalyses
from tilework.core.services.analyses.records import AnalysisView, GameSpec
from tilework.core.services.analyses.submit import GameRequest, SubmitAnalysis
from tilework.core.services.analyses.work import AnalysisWork
from tilework.core.services.jobs.clients import Clients
from tilework.core.services.leases import Holder
from tilework.core.services.reconcile import Reconcile
from tilework.core.services.retention.purge import Purge
from tilework.core.settings import Settings
from tilework.core.solver.analysis.analyse import analyse
from tilework.core.solver.analysis.result import Analysis, AnalysisListener
from tilework.core.storage.database import Database

GOAL = blank_last(Size(3, 3))
START = Board([1, 2, 3, 4, 5, 6, 0, 7, 8])
GAME = "RLLL"
"""Its first move is undone by the second: two moves lost, the way back is two."""

Script = Callable[[GameSpec, Limits, AnalysisListener], Analysis] | Exception


@dataclass
class ScriptedAnalyst:
    """Does what the scripts say, one entry a call; then analyses."""

    scripts: deque[Script] = field(default_factory=deque)
    specs: list[GameSpec] = field(default_factory=list)

    def analyse(self, spec: GameSpec, limits: Limits, progress: AnalysisListener) -> Analysis:
        self.specs.append(spec)
        script = self.scripts.popleft() if self.scripts else _analysed
        if isinstance(script, Exception):
            raise script
        return script(spec, limits, progress)


def _analysed(spec: GameSpec, limits: Limits, progress: AnalysisListener) -> Analysis:
    return analyse(spec.start, spec.goal, spec.moves, limits=limits, progress=progress)


@dataclass
class House:
    """The services of analyses over one database, with a clock and an analyst in hand."""

    database: Database
    settings: Settings
    clock: HandClock
    tickets: CountedTickets
    analyst: ScriptedAnalyst
    submit: SubmitAnalysis
    read: ReadAnalyses
    cancel: CancelAnalysis
    reconcile: Reconcile
    purge: Purge
    client: str

    def ask(self, letters: str = "LL", start: Board = START, **options: Any) -> AnalysisView:
        return self.submit(
            GameRequest(
                client_id=options.pop("client", self.client),
                start=start,
                goal=options.pop("goal", GOAL),
                moves=from_letters(letters),
                **options,
            )
        )

    def work(self, owner: str = "worker", stopping: Callable[[], bool] = lambda: False) -> int:
        """Work until nothing waits."""
        worker, done, more = AnalysisWork(self.database, self.settings, self.analyst), 0, True
        while more and not stopping():
            report = worker.serve(owner, stopping)
            done, more = done + report.done, report.more
        return done

    def claim(self, owner: str = "lost") -> None:
        """Claim as a worker that is never heard of again."""
        with self.database.writing() as session:
            holder = Holder(owner, self.clock() + self.settings.lease_s)
            assert session.analyses.claim(holder, self.clock()) is not None


def furnish(database: Database, folder: Path, **changes: Any) -> House:
    settings = Settings(data_dir=folder, **changes)
    clock, tickets = HandClock(), CountedTickets()
    database.clock = clock
    return House(
        database=database,
        settings=settings,
        clock=clock,
        tickets=tickets,
        analyst=ScriptedAnalyst(),
        submit=SubmitAnalysis(database, tickets, settings),
        read=ReadAnalyses(database),
        cancel=CancelAnalysis(database),
        reconcile=Reconcile(database, tickets, settings),
        purge=Purge(database, settings),
        client=Clients(database).new(),
    )


@pytest.fixture
def make_house(database: Database, tmp_path: Path) -> Callable[..., House]:
    return partial(furnish, database, tmp_path)


@pytest.fixture
def house(make_house: Callable[..., House]) -> House:
    return make_house()
