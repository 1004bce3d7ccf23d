"""One run: starts a system, puts it under load and faults, and checks the results."""

from __future__ import annotations

import random
import shutil
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from tools.benchmarks.record import Figure
from tools.chaos import checker, puzzles
from tools.chaos.checker import find_wrong_counts
from tools.chaos.clients import JOBS, ApiClient, LoadClient
from tools.chaos.faults import Faults, faults_for_database
from tools.chaos.history import History
from tools.chaos.system import LEASE_S, Records, System, running_system

TIMEOUT_S: Final = 240.0
"""The time for unfinished work after the last fault."""

LONG_S: Final = 60.0
"""Runs of at least this length contain a search that takes a worker half a minute."""

RECOUNTED_THRESHOLDS: Final = 20
"""The number of thresholds that are searched again."""

_CLIENTS: Final = 4
_LEASED: Final = "SELECT id FROM slice WHERE state = 'leased'"


@dataclass(frozen=True)
class Plan:
    database: str
    seconds: float
    seed: int
    faults: Sequence[str]
    pdb_folder: Path
    every: float = 2.0
    keep_logs: bool = False

    @property
    def options(self) -> str:
        """The command line of the plan."""
        text = (
            f"--database {self.database} --seed {self.seed} --seconds {self.seconds:g} "
            f"--every {self.every:g}"
        )
        if list(self.faults) != faults_for_database(self.database):
            text += f" --faults {','.join(self.faults)}"
        return text


def make_figure(plan: Plan, history: History) -> Figure:
    """Return the row of a run."""
    counts = {
        "jobs": history.states.total(),
        "faults": history.faults.total(),
        "kills": len(history.kills),
    }
    errors = len(history.errors)
    return Figure(plan.options, errors, "errors", 0, details=counts | history.figures)


def run(plan: Plan) -> History:
    """Run a plan; keep the system's folder if there was an error."""
    folder = Path(tempfile.mkdtemp(prefix="tilework-chaos-"))
    history = History()
    with running_system(folder / "data", plan.database, plan.pdb_folder) as system:
        records = Records(system.database_url)
        try:
            _run_under_faults(plan, system, records, history)
            check(
                *(system.server, records, history),
                lease_s=LEASE_S,
                pdb_folder=system.pdb_folder,
                seed=plan.seed,
            )
        finally:
            records.dispose()
    if history.errors or plan.keep_logs:
        print(f"the logs are in {folder}")
    else:
        shutil.rmtree(folder)
    return history


def _run_under_faults(plan: Plan, system: System, records: Records, history: History) -> None:
    # Add one long search to the short ones, if there is time for it.
    first_puzzle = puzzles.make_longest_5x5() if plan.seconds >= LONG_S else None
    faults = Faults(
        system, records, history, names=plan.faults, interval_s=plan.every, seed=plan.seed
    )
    threads: list[LoadClient | Faults] = [
        LoadClient(number, system.server, history, plan.seed, None if number else first_puzzle)
        for number in range(_CLIENTS)
    ]
    threads.append(faults)
    warm_up(system.server, history)
    for thread in threads:
        thread.start()
    time.sleep(plan.seconds)
    for thread in threads:
        thread.stop()
    for thread in threads:
        thread.join()


def warm_up(server: str, history: History) -> None:
    """Solve a board of each size, so that everything is loaded before the measured time."""
    client, rng = ApiClient(server, history), random.Random(0)
    larger_puzzles = (
        puzzles.draw_from_solution(rng, side, length) for side, length in ((4, 40), (5, 50))
    )
    for puzzle in (puzzles.draw_3x3(rng), *larger_puzzles):
        job = client.retry("POST", JOBS, {"board": puzzle.tiles}).document
        while job["finished_at"] is None:
            job = client.retry("GET", f"/api/v1/jobs/{job['id']}?wait=5").document
    client.close()


def check(
    server: str, records: Records, history: History, *, lease_s: float, pdb_folder: Path, seed: int
) -> None:
    """Wait until all work has ended, then check everything that clients were told."""
    records.wait_until(lambda: records.count_unfinished() == 0, TIMEOUT_S)
    # Allow time to return the leases of work that no job needs any more.
    records.wait_until(lambda: not records.rows(_LEASED), 4 * lease_s)
    client = ApiClient(server, history)
    solutions = checker.read_all(client, history)
    client.close()
    checker.mark_damaged(records, history)
    for job in history.jobs.values():
        if job.documents:
            errors = checker.find_job_errors(job, solutions.get(job.id))
            history.errors += [f"{job.id} {error}" for error in errors]
            history.states[job.documents[-1]["state"]] += 1
    history.errors += checker.find_row_errors(records, history)
    history.errors += find_wrong_counts(records, history, pdb_folder, RECOUNTED_THRESHOLDS, seed)
    history.figures = {
        "standstill_p99_s": compute_p99(checker.measure_standstills(records, history)),
        "small_p99_s": compute_p99(checker.measure_small_jobs(history)),
        "repeated_percent": round(checker.measure_lost_percent(records, history), 2),
    }


def compute_p99(seconds: Sequence[float]) -> float:
    return round(float(np.percentile(seconds or [0.0], 99, method="inverted_cdf")), 3)
