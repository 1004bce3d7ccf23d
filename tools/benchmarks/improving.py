"""Large boards on the service: quality of the solutions over time, and memory.

``first``: seconds from POST to the first solution. ``against``: jobs compared with `solve` with the
same time and cores. ``many``: 20 clients, each with a large board. ``long``: one board of each size
for minutes, the longest time without a better solution, and memory. ``loaded``: boards on a system
beside 16 busy processes, one at a time and ten at once. ``hard-15``: seven slow 15-puzzles, whose
excess over the optimum after two seconds and time to a proof are measured with `solve`.
``threads``: 24-puzzles of `--korf`, solved by `solve` with each number of `--threads`.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import pairwise
from pathlib import Path
from statistics import mean, median
from typing import Any

from tilework.core.machine import usable_processors
from tilework.core.puzzle.board import Board
from tilework.core.search.limits import Limits
from tilework.core.solver.result import SearchResult
from tilework.core.solver.solve import solve
from tools.benchmarks.harness.boards import (
    build_databases,
    random_board,
    read_korf50,
    square_goal,
)
from tools.benchmarks.harness.client import Client
from tools.benchmarks.harness.report import Figure, Part, at_least, run
from tools.benchmarks.harness.system import UNLIMITED, System, running_system, settle
from tools.benchmarks.harness.timing import time_call

FIRST_SEED = 9_000
FIRST_BARS_S = {10: 0.5, 32: 0.7, 100: 2.0, 256: 6.0}
AGAINST_SIDES = (10, 16, 32)
LONG_BARS = {10: 1.26, 16: 1.34, 32: 1.39, 100: 1.35}  # ratios after ten minutes
CLIENTS = 20
POLL_S = 0.2

BUSY_PROCESSES = 16
LOADED_LIMITS_S = {30: 60, 10: 10, 16: 20}
LOADED_AT_ONCE = 10

# Slow for IDA* with pattern databases, with the blank of the goal last, and their lengths
HARD_15 = (
    ("0 15 8 3 12 11 7 4 14 10 6 5 9 13 2 1", 70),
    ("6 5 9 13 2 1 10 14 3 7 0 15 4 8 12 11", 72),
    ("11 5 9 13 2 6 10 14 3 7 0 15 4 8 12 1", 74),
    ("0 15 8 13 12 11 3 7 14 9 6 2 4 10 5 1", 76),
    ("0 15 8 13 12 11 9 10 14 3 6 2 4 7 5 1", 78),
    ("0 11 9 13 12 15 10 14 3 7 6 2 4 8 5 1", 80),
    ("1 5 9 13 2 6 10 14 3 7 11 15 4 8 12 0", 72),
)
HARD_15_S = 2.0

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


@contextmanager
def busy_processes() -> Iterator[None]:
    """Keep all processors busy for the duration of the block."""
    command = [sys.executable, "-c", "while True: pass"]
    processes = [subprocess.Popen(command) for _ in range(BUSY_PROCESSES)]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


def measure_loaded(system: System, client: Client) -> Iterator[Figure]:
    """Solve boards beside busy processes, one at a time and several at once."""
    with busy_processes():
        for side, limit_s in LOADED_LIMITS_S.items():
            board, started = random_board(side, FIRST_SEED + 100 + side), time.monotonic()
            lengths: dict[int, float] = {}  # the seconds of each length
            for job in poll(client, client.submit(board, time_limit_s=limit_s)):
                if job["upper_bound"] is not None:
                    lengths.setdefault(job["upper_bound"], time.monotonic() - started)
                last_job = job
            name = f"{side}×{side}, {limit_s} s, beside {BUSY_PROCESSES} busy processes"
            for event, seconds in zip(("solution", "improvement"), lengths.values(), strict=False):
                yield Figure(f"{name}: first {event}", seconds, "s")
            if lengths:
                yield Figure(f"{name}: ratio at the end", compute_ratio(last_job, board), "")
            else:
                print(f"{name}: no solution", flush=True)
        boards = [random_board(30, FIRST_SEED + 300 + index) for index in range(LOADED_AT_ONCE)]
        first_lengths: dict[str, int] = {}
        jobs = [client.submit(board, time_limit_s=60) for board in boards]
        while any(job["finished_at"] is None for job in jobs):
            time.sleep(1.0)
            jobs = [client.read(job) for job in jobs]
            for job in jobs:
                if job["upper_bound"] is not None:
                    first_lengths.setdefault(job["id"], job["upper_bound"])
    solved = [pair for pair in zip(jobs, boards, strict=True) if pair[0]["id"] in first_lengths]
    ratios = [compute_ratio(job, board) for job, board in solved]
    improved_count = sum(job["upper_bound"] < first_lengths[job["id"]] for job, _ in solved)
    name = f"{LOADED_AT_ONCE} of 30×30, 60 s, beside {BUSY_PROCESSES} busy processes"
    yield Figure(f"{name}: without a solution", len(boards) - len(solved), "boards")
    yield Figure(f"{name}: improved", improved_count, "boards")
    yield Figure(f"{name}: mean ratio", mean(ratios), "")
    yield Figure(f"{name}: worst ratio", max(ratios), "")


def time_solve(
    board: Board, goal: Board, folder: Path, threads: int, limits: Limits
) -> tuple[SearchResult, float, float]:
    """Return the result of a search, its seconds, and its processor time."""
    processor_s = sum(os.times()[:4])
    search = partial(solve, board, goal, pdb_folder=folder, threads=threads, limits=limits)
    result, seconds = time_call(search)
    return result, seconds, sum(os.times()[:4]) - processor_s


def load_kernels(goal: Board, folder: Path) -> None:
    """Map the databases and compile the kernels, so that they are not measured."""
    solve(next(goal.neighbors()), goal, pdb_folder=folder)


def measure_hard_15(thread_counts: Sequence[int]) -> Iterator[Figure]:
    folder, goal = build_databases(4), square_goal(4)
    boards = [(Board([int(tile) for tile in text.split()]), length) for text, length in HARD_15]
    load_kernels(goal, folder)
    for threads in thread_counts:
        name = f"{len(boards)} hard 15-puzzles, threads: {threads}"
        excesses, proved_count, total_s, total_processor_s, slowest_s = [], 0, 0.0, 0.0, 0.0
        for board, length in boards:
            limits = Limits(seconds=HARD_15_S)
            result, _, _ = time_solve(board, goal, folder, threads, limits)
            excesses.append((result.upper_bound or 0) - length)
            proved_count += result.optimal
        for board, length in boards:
            result, seconds, processor_s = time_solve(board, goal, folder, threads, Limits())
            if not result.optimal or result.upper_bound != length:
                raise SystemExit(f"{board} is {length} moves, not {result.upper_bound}")
            total_s, total_processor_s = total_s + seconds, total_processor_s + processor_s
            slowest_s = max(slowest_s, seconds)
        print(name, "excess of each:", *excesses)
        yield Figure(f"{name}: mean excess after {HARD_15_S:g} s", mean(excesses), "moves")
        yield Figure(f"{name}: worst excess after {HARD_15_S:g} s", max(excesses), "moves")
        yield Figure(f"{name}: proved within {HARD_15_S:g} s", proved_count, "boards")
        yield Figure(f"{name}: all proofs", total_s, "s")
        yield Figure(f"{name}: all proofs in processor time", total_processor_s, "s")
        yield Figure(f"{name}: slowest proof", slowest_s, "s")


def compare_threads(numbers: Sequence[int], thread_counts: Sequence[int]) -> Iterator[Figure]:
    folder, instances = build_databases(5), read_korf50()
    load_kernels(instances[1].goal, folder)
    for instance in (instances[number] for number in numbers):
        for threads in thread_counts:
            result, seconds, processor_s = time_solve(
                instance.board, instance.goal, folder, threads, Limits()
            )
            if not result.optimal or result.upper_bound != instance.length:
                raise SystemExit(f"{instance.name} is {instance.length}, not {result.upper_bound}")
            name = f"Korf24 #{instance.number}, threads: {threads}"
            yield Figure(f"{name}: time", seconds, "s")
            yield Figure(f"{name}: processor time", processor_s, "s")
            yield Figure(f"{name}: nodes", result.statistics.generated, "nodes")


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
            "loaded": make_part(lambda s, c, _: measure_loaded(s, c)),
            "hard-15": lambda o: measure_hard_15(o.threads),
            "threads": lambda o: compare_threads(o.korf, o.threads),
        },
        "Two search workers and the rest of the system on two cores.",
        seconds=60.0,
        boards=3,
        minutes=10.0,
        sides=(24, 32, 100, 256),
        threads=(1, 2),
        korf=(38, 44, 40, 25, 32),
    )
