"""One run: start a system, load it, inject faults, wait for the end and check what happened."""

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

from tools.chaos import checker, puzzles
from tools.chaos.clients import ApiClient, LoadClient
from tools.chaos.fault_thread import FaultThread
from tools.chaos.history import History
from tools.chaos.recount import find_wrong_counts
from tools.chaos.system.records import Records
from tools.chaos.system.system import System, running_system

TIMEOUT_S: Final = 240.0
"""For unfinished work once there are no more faults."""

LONG_S: Final = 60.0
"""A run of this length or more contains a search that takes a worker half a minute."""

RECOUNTED: Final = 20
"""Thresholds that are searched again."""

_LEASED: Final = "SELECT id FROM slice WHERE state = 'leased'"


@dataclass(frozen=True)
class Plan:
    database: str
    seconds: float
    seed: int
    faults: Sequence[str]
    databases_dir: Path
    every: float = 2.0
    clients: int = 4
    lease_s: float = 3.0
    keeps: bool = False


@dataclass
class Outcome:
    """The results of a run; the work of `quarantined` jobs killed its workers repeatedly."""

    history: History
    states: Counter[str] = field(default_factory=Counter)
    quarantined: int = 0
    standstills_s: list[float] = field(default_factory=list)
    lost_percent: float = 0.0
    recovery_s: float = 0.0
    restarts: int = 0


def run(plan: Plan) -> Outcome:
    """Run a plan; keep the system's folder if there was an error."""
    folder = Path(tempfile.mkdtemp(prefix="tilework-chaos-"))
    history = History()
    with running_system(folder / "data", plan.database, plan.lease_s, plan.databases_dir) as system:
        records = Records(system.database_url)
        try:
            _disturb(plan, system, records, history)
            outcome = _check(plan, system, records, history)
        finally:
            records.dispose()
    if history.errors or plan.keeps:
        print(f"the logs are in {folder}")
    else:
        shutil.rmtree(folder)
    return outcome


def _disturb(plan: Plan, system: System, records: Records, history: History) -> None:
    # One long search next to the short ones, if there is time for it.
    first = puzzles.longest_5x5() if plan.seconds >= LONG_S else None
    threads: list[LoadClient | FaultThread] = [
        LoadClient(number, system.server, history, plan.seed, None if number else first)
        for number in range(plan.clients)
    ]
    threads.append(
        FaultThread(system, records, history, chosen=plan.faults, every=plan.every, seed=plan.seed)
    )
    _warm_up(system, history)
    for thread in threads:
        thread.start()
    time.sleep(plan.seconds)
    for thread in threads:
        thread.stop()
    for thread in threads:
        thread.join()


def _warm_up(system: System, history: History) -> None:
    """Solve a board of each size, so that everything is loaded before the clock starts."""
    client, choose = ApiClient(system.server, history), random.Random(0)
    sizes = (puzzles.on_solution(choose, side, length) for side, length in ((4, 40), (5, 50)))
    for puzzle in (puzzles.random_3x3(choose), *sizes):
        job = client.retry("POST", "/api/v1/jobs", {"board": puzzle.tiles}).document
        while job["finished_at"] is None:
            job = client.retry("GET", f"/api/v1/jobs/{job['id']}?wait=5").document
    client.close()


def _check(plan: Plan, system: System, records: Records, history: History) -> Outcome:
    started = time.monotonic()
    records.wait_until(lambda: records.count_unfinished() == 0, TIMEOUT_S)
    # Leases of work that no job needs any more have time to be returned.
    records.wait_until(lambda: not records.rows(_LEASED), 4 * plan.lease_s)
    outcome = Outcome(history, recovery_s=time.monotonic() - started, restarts=system.restarts)
    client = ApiClient(system.server, history)
    solutions = checker.read_all(client, history)
    client.close()
    checker.mark_damaged(records, history)
    for job in history.jobs.values():
        if job.seen:
            errors = checker.find_job_errors(job, solutions.get(job.id))
            history.errors += [f"{job.id} {error}" for error in errors]
            outcome.states[job.seen[-1]["state"]] += 1
            outcome.quarantined += job.seen[-1]["message_code"] == "quarantined"
    history.errors += checker.find_row_errors(records, history)
    history.errors += find_wrong_counts(records, history, system.pdb_folder, RECOUNTED, plan.seed)
    outcome.standstills_s = checker.standstills(records, history)
    outcome.lost_percent = checker.lost_percent(records, history)
    return outcome
