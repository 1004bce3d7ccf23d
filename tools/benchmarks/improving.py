"""Large boards on the service: quality of the solutions over time, and memory.

``first``: seconds from POST to the first solution. ``against``: jobs compared with `solve` with the
same time and cores. ``many``: 20 clients, each with a large board. ``long``: one board of each size
for minutes, the longest time without a better solution, and memory.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from statistics import mean, median
from typing import Any

from tilework.core.machine import usable_processors
from tilework.core.puzzle.board import Board
from tilework.core.search.limits import Limits
from tilework.core.solver.solve import solve
from tools.benchmarks.harness.boards import random_board, square_goal
from tools.benchmarks.harness.client import Client
from tools.benchmarks.harness.report import Figure, Part, at_least, run
from tools.benchmarks.harness.system import UNLIMITED, System, running_system, settle

FIRST_SEED = 9_000
FIRST_BARS_S = {10: 0.5, 32: 0.7, 100: 2.0, 256: 6.0}
AGAINST_SIDES = (10, 16, 32)
LONG_BARS = {10: 1.26, 16: 1.34, 32: 1.39, 100: 1.35}  # ratios after ten minutes
CLIENTS = 20
POLL_S = 0.2

Job = dict[str, Any]


@contextmanager
def ready_system(workers: int) -> Iterator[System]:
    """Run a system whose workers have loaded all their modules."""
    with running_system(**UNLIMITED, workers=workers, pdb_build=False) as system:
        settle(system, 10, 32, seconds=10.0)
        yield system


def make_large_board(side: int, index: int) -> Board:
    return random_board(side, FIRST_SEED + index)


def compute_ratio(job: Job, board: Board) -> float:
    """Return the length of a job's solution divided by the Manhattan distance."""
    return float(job["upper_bound"]) / board.manhattan()


def poll(client: Client, job: Job, pause_s: float = POLL_S) -> Iterator[Job]:
    while job["finished_at"] is None:
        time.sleep(pause_s)
        job = client.read(job)
        yield job


def measure_first_solutions(client: Client) -> Iterator[Figure]:
    for side, bar in FIRST_BARS_S.items():
        times = []
        for index in range(20, 23):
            start = time.monotonic()
            posted = client.submit(make_large_board(side, index), time_limit_s=60)
            updates = poll(client, posted, 0.02)
            next(update for update in updates if update["upper_bound"] is not None)
            times.append(time.monotonic() - start)
            client.cancel(posted)
            time.sleep(3.0)
        yield Figure(f"first answer, {side}×{side}", median(times), "s", bar)


def compare_with_solve(client: Client, seconds: float, count: int) -> Iterator[Figure]:
    for side in AGAINST_SIDES:
        job_ratios, solve_ratios = [], []
        for board in (make_large_board(side, index) for index in range(count)):
            job_ratios.append(compute_ratio(client.solve(board, time_limit_s=seconds), board))
            time.sleep(2.0)
            limits = Limits(seconds=seconds)
            result = solve(board, square_goal(side), limits=limits, threads=usable_processors())
            solve_ratios.append((result.upper_bound or 0) / board.manhattan())
            client.close()  # The server closes idle connections.
        difference = mean(job_ratios) - mean(solve_ratios)
        yield Figure(f"{side}×{side}, {seconds:g} s, mean ratio of jobs", mean(job_ratios), "")
        yield Figure(f"{side}×{side}, job worse than solve by", difference, "", 0.01)


def measure_many_clients(system: System, seconds: float) -> Iterator[Figure]:
    clients = [system.client() for _ in range(CLIENTS)]
    jobs = [
        client.submit(make_large_board(12, index), time_limit_s=seconds)
        for index, client in enumerate(clients)
    ]
    first_lengths: dict[str, int] = {}
    while any(job["finished_at"] is None for job in jobs):
        time.sleep(1.0)
        jobs = [client.read(job) for client, job in zip(clients, jobs, strict=True)]
        for job in jobs:
            if job["upper_bound"] is not None:
                first_lengths.setdefault(job["id"], job["upper_bound"])
    improved_count = sum(job["upper_bound"] < first_lengths[job["id"]] for job in jobs)
    node_counts = [job["nodes"] for job in jobs]
    yield at_least(f"{CLIENTS} clients: boards improved", improved_count, "", CLIENTS)
    label = f"{CLIENTS} clients: lowest effort, share of the mean"
    yield at_least(label, min(node_counts) / mean(node_counts), "", 0.5)


def measure_long_jobs(
    system: System, client: Client, sides: Sequence[int], minutes: float
) -> Iterator[Figure]:
    for side in sides:
        board, peaks = make_large_board(side, 0), defaultdict[str, float](float)
        for job in poll(client, client.submit(board, time_limit_s=60 * minutes)):
            last_job = job
            for name, process in system.processes():
                kind = name.partition(" ")[0]
                peaks[kind] = max(peaks[kind], process.memory_info().rss / 1e6)
        events = client.get(f"/api/v1/jobs/{last_job['id']}/history")["events"]
        times = [event["time"] for event in events if event["upper_bound"] is not None]
        pauses = [end - start for start, end in pairwise([*times, last_job["finished_at"]])]
        name = f"{side}×{side}, {minutes:g} min as a job"
        yield Figure(f"{name}: ratio", compute_ratio(last_job, board), "", LONG_BARS.get(side))
        yield Figure(f"{name}: longest time without a better solution", max(pauses), "s", 60)
        yield Figure(f"{name}: peak memory of a worker", peaks["worker"], "MB", 1_500)
        yield Figure(f"{name}: peak memory of the web", peaks["web"], "MB", 500)


def make_part(measure: Callable[[System, Client, argparse.Namespace], Iterator[Figure]]) -> Part:
    """Return a part that is measured with a new system of two workers."""

    def figures(options: argparse.Namespace) -> Iterator[Figure]:
        with ready_system(2) as system:
            yield from measure(system, system.client(), options)

    return figures


if __name__ == "__main__":
    run(
        "improving",
        __doc__,
        {
            "first": make_part(lambda _, c, __: measure_first_solutions(c)),
            "against": make_part(lambda _, c, o: compare_with_solve(c, o.seconds, o.boards)),
            "many": make_part(lambda s, _, o: measure_many_clients(s, o.seconds)),
            "long": make_part(lambda s, c, o: measure_long_jobs(s, c, o.sides, o.minutes)),
        },
        "Two search workers and the rest of the system on two cores.",
        seconds=60.0,
        boards=3,
        minutes=10.0,
        sides=(24, 32, 100, 256),
    )
