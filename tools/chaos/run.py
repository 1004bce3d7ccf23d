"""One run: a system, its load, its faults, its rest, and what came of it."""

from __future__ import annotations

import random
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tools.chaos.checking.checker import (
    lost_share,
    note_damage,
    read_all,
    standstills,
    wrongs_of,
    wrongs_of_rows,
)
from tools.chaos.checking.counting import wrong_counts
from tools.chaos.faults.thread import Faults
from tools.chaos.load import boards
from tools.chaos.load.history import History
from tools.chaos.load.visitor import Visit, Visitor
from tools.chaos.system.database import Records
from tools.chaos.system.whole import System, running_system

PATIENCE_S: Final = 240.0
"""For what is unfinished once there are no more faults."""

LONG_S: Final = 60.0
"""From here on a run has a search that takes a worker half a minute."""

RECOUNTED: Final = 20
"""Thresholds that are searched again."""


@dataclass(frozen=True)
class Plan:
    database: str
    seconds: float
    seed: int
    faults: Sequence[str]
    databases_dir: Path
    every: float = 2.0
    visitors: int = 4
    lease_s: float = 3.0
    keeps: bool = False


@dataclass
class Outcome:
    """What came of a run; ``short`` of its jobs ended early, as their slice was killed often."""

    history: History
    states: Counter[str] = field(default_factory=Counter)
    short: int = 0
    standstills_s: list[float] = field(default_factory=list)
    lost_percent: float = 0.0
    rest_s: float = 0.0
    restarts: int = 0


def run(plan: Plan) -> Outcome:
    """Run a plan; the system's folder stays where something was wrong."""
    folder = Path(tempfile.mkdtemp(prefix="tilework-chaos-"))
    history = History()
    with running_system(folder / "data", plan.database, plan.lease_s, plan.databases_dir) as system:
        records = Records(system.database_url)
        try:
            _disturb(plan, system, records, history)
            outcome = _judge(plan, system, records, history)
        finally:
            records.dispose()
    if history.wrongs or plan.keeps:
        print(f"the logs are in {folder}")
    else:
        shutil.rmtree(folder)
    return outcome


def _disturb(plan: Plan, system: System, records: Records, history: History) -> None:
    # A long search beside all that is short, where there is time for it.
    firsts = [boards.longest() if plan.seconds >= LONG_S else None]
    firsts += [None] * (plan.visitors - 1)
    visitors = [
        Visitor(number, system.server, history, plan.seed, first)
        for number, first in enumerate(firsts)
    ]
    faults = Faults(system, records, history, chosen=plan.faults, every=plan.every, seed=plan.seed)
    _warm_up(system, history)
    threads: list[Visitor | Faults] = [*visitors, faults]
    for thread in threads:
        thread.start()
    time.sleep(plan.seconds)
    for thread in threads:
        thread.stop()
    for thread in threads:
        thread.join()


def _warm_up(system: System, history: History) -> None:
    """Have a board of each size solved: what is loaded once is loaded before the clock starts."""
    client = Visit(system.server, history)
    choose = random.Random(0)
    for puzzle in (boards.small(choose), boards.middle(choose, 40), boards.large(choose, 50)):
        job = client.insist("POST", "/api/v1/jobs", {"board": puzzle.tiles}).document
        while job["finished_at"] is None:
            job = client.insist("GET", f"/api/v1/jobs/{job['id']}?wait=5").document
    client.close()


def _judge(plan: Plan, system: System, records: Records, history: History) -> Outcome:
    began = time.monotonic()
    records.await_that(lambda: records.unfinished() == 0, PATIENCE_S)
    # Whoever held something that nobody waits for has time to give it back.
    records.await_that(lambda: not records.rows(_HELD), 4 * plan.lease_s)
    rest_s = time.monotonic() - began
    outcome = Outcome(history, rest_s=rest_s, restarts=system.restarts)
    client = Visit(system.server, history)
    solutions = read_all(client, history)
    client.close()
    note_damage(records, history)
    wrongs = history.wrongs
    for job in history.jobs.values():
        if job.seen:
            wrongs += [f"{job.id} {words}" for words in wrongs_of(job, solutions.get(job.id))]
            outcome.states[job.seen[-1]["state"]] += 1
            outcome.short += job.seen[-1]["message_code"] == "quarantined"
    wrongs += wrongs_of_rows(records, history)
    wrongs += wrong_counts(records, history, system.pdb_folder, RECOUNTED, plan.seed)
    outcome.standstills_s = standstills(records, history)
    outcome.lost_percent = lost_share(records, history)
    return outcome


_HELD: Final = "SELECT id FROM slice WHERE state = 'leased'"
