"""Large boards on the service: quality of the solutions over time, and memory.

``first``: seconds from POST to the first solution. ``against``: jobs against `solve` with the same
time and cores. ``many``: 20 clients with a large board each. ``long``: one board of each size for
minutes, the longest time without a better solution, and memory.
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
CLIENTS = 20
POLL_S = 0.2

Job = dict[str, Any]


@contextmanager
def ready_system(workers: int) -> Iterator[System]:
    """Run a system whose workers have loaded everything."""
    with running_system(**UNLIMITED, workers=workers, pdb_build=False) as system:
        settle(system, 10, 32, seconds=10.0)
        yield system


def large_board(side: int, index: int) -> Board:
    return random_board(side, FIRST_SEED + index)


def ratio(job: Job, board: Board) -> float:
    """Return the moves of a job's solution by Manhattan distance."""
    return float(job["upper_bound"]) / board.manhattan()


def poll(client: Client, job: Job, pause_s: float = POLL_S) -> Iterator[Job]:
    while job["finished_at"] is None:
        time.sleep(pause_s)
        job = client.read(job)
        yield job


def first(client: Client) -> Iterator[Figure]:
    for side, bar in FIRST_BARS_S.items():
        times = []
        for index in range(20, 23):
            start = time.monotonic()
            posted = client.submit(large_board(side, index), time_limit_s=60)
            updates = poll(client, posted, 0.02)
            next(update for update in updates if update["upper_bound"] is not None)
            times.append(time.monotonic() - start)
            client.cancel(posted)
            time.sleep(3.0)
        yield Figure(f"first answer, {side}×{side}", median(times), "s", bar)


def against(client: Client, seconds: float, count: int) -> Iterator[Figure]:
    for side in AGAINST_SIDES:
        served, alone = [], []
        for board in (large_board(side, index) for index in range(count)):
            served.append(ratio(client.solve(board, time_limit_s=seconds), board))
            time.sleep(2.0)
            limits = Limits(seconds=seconds)
            result = solve(board, square_goal(side), limits=limits, threads=usable_processors())
            alone.append((result.upper_bound or 0) / board.manhattan())
        worse = mean(served) - mean(alone)
        yield Figure(f"{side}×{side}, {seconds:g} s, mean ratio of jobs", mean(served), "")
        yield Figure(f"{side}×{side}, job worse than solve by", worse, "", 0.01)


def many(system: System, seconds: float) -> Iterator[Figure]:
    clients = [system.client() for _ in range(CLIENTS)]
    jobs = [
        client.submit(large_board(12, index), time_limit_s=seconds)
        for index, client in enumerate(clients)
    ]
    first_found: dict[str, int] = {}
    while any(job["finished_at"] is None for job in jobs):
        time.sleep(1.0)
        jobs = [client.read(job) for client, job in zip(clients, jobs, strict=True)]
        for job in jobs:
            if job["upper_bound"] is not None:
                first_found.setdefault(job["id"], job["upper_bound"])
    improved = sum(job["upper_bound"] < first_found[job["id"]] for job in jobs)
    effort = [job["nodes"] for job in jobs]
    yield at_least(f"{CLIENTS} clients: boards improved", improved, "", CLIENTS)
    label = f"{CLIENTS} clients: lowest effort, share of the mean"
    yield at_least(label, min(effort) / mean(effort), "", 0.5)


def long(system: System, client: Client, sides: Sequence[int], minutes: float) -> Iterator[Figure]:
    for side in sides:
        board, peaks = large_board(side, 0), defaultdict[str, float](float)
        for job in poll(client, client.submit(board, time_limit_s=60 * minutes)):
            last = job
            for name, process in system.processes():
                kind = name.partition(" ")[0]
                peaks[kind] = max(peaks[kind], process.memory_info().rss / 1e6)
        events = client.get(f"/api/v1/jobs/{last['id']}/history")["events"]
        times = [event["time"] for event in events if event["upper_bound"] is not None]
        pauses = [after - before for before, after in pairwise([*times, last["finished_at"]])]
        name = f"{side}×{side}, {minutes:g} min as a job"
        yield Figure(f"{name}: ratio", ratio(last, board), "")
        yield Figure(f"{name}: longest time without a better solution", max(pauses), "s", 60)
        yield Figure(f"{name}: peak memory of a worker", peaks["worker"], "MB", 1_500)
        yield Figure(f"{name}: peak memory of the web", peaks["web"], "MB", 500)


def part(measure: Callable[[System, Client, argparse.Namespace], Iterator[Figure]]) -> Part:
    """Measure with a new system of two workers."""

    def figures(options: argparse.Namespace) -> Iterator[Figure]:
        with ready_system(2) as system:
            yield from measure(system, system.client(), options)

    return figures


if __name__ == "__main__":
    run(
        "improving",
        __doc__,
        {
            "first": part(lambda _, c, __: first(c)),
            "against": part(lambda _, c, o: against(c, o.seconds, o.boards)),
            "many": part(lambda s, _, o: many(s, o.seconds)),
            "long": part(lambda s, c, o: long(s, c, o.sides, o.minutes)),
        },
        "Two search workers and the rest of the system on two cores.",
        seconds=60.0,
        boards=3,
        minutes=10.0,
        sides=(24, 32, 100, 256),
    )
