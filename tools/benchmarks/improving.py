"""How solutions improve: jobs beside other load, and hard 15- and 24-puzzles."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import mean
from typing import Any

from tilework.core.puzzle.board import Board
from tilework.core.search.limits import Limits
from tilework.core.solver.result import SearchResult
from tilework.core.solver.solve import solve
from tools.benchmarks.boards import build_databases, random_board, read_korf50, square_goal
from tools.benchmarks.client import Client
from tools.benchmarks.programs import time_call
from tools.benchmarks.record import Figure, part
from tools.benchmarks.system import UNLIMITED, running_system, settle

FIRST_SEED = 9_000
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


def poll(client: Client, job: Job) -> Iterator[Job]:
    while job["finished_at"] is None:
        time.sleep(POLL_S)
        job = client.read(job)
        yield job


@contextmanager
def start_workers() -> Iterator[Client]:
    """Run a system of two workers, all of them loaded."""
    with running_system(**UNLIMITED, workers=2, pdb_build=False) as system:
        settle(system, 10, 32, seconds=10.0)
        yield system.client()


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


@part("improving")
def loaded(_options: Namespace) -> Iterator[Figure]:
    """Boards on a system beside 16 busy processes, one at a time and ten at once."""
    beside = f"beside {BUSY_PROCESSES} busy processes"
    with start_workers() as client, busy_processes():
        for side, limit_s in LOADED_LIMITS_S.items():
            board, started = random_board(side, FIRST_SEED + 100 + side), time.monotonic()
            lengths: dict[int, float] = {}  # the seconds of each length
            for job in poll(client, client.submit(board, time_limit_s=limit_s)):
                if job["upper_bound"] is not None:
                    lengths.setdefault(job["upper_bound"], time.monotonic() - started)
            name = f"{side}×{side}, {limit_s} s, {beside}"
            for event, seconds in zip(("solution", "improvement"), lengths.values(), strict=False):
                yield Figure(f"{name}: first {event}", seconds, "s")
            yield Figure(f"{name}: solutions", len(lengths), at_least=1)
            if lengths:
                yield Figure(f"{name}: ratio at the end", min(lengths) / board.manhattan())
        boards = [random_board(30, FIRST_SEED + 300 + index) for index in range(LOADED_AT_ONCE)]
        jobs = [client.submit(board, time_limit_s=60) for board in boards]
        solutions: list[set[int]] = [set() for _ in jobs]
        while any(job["finished_at"] is None for job in jobs):
            time.sleep(1.0)
            jobs = [client.read(job) for job in jobs]
            for found, job in zip(solutions, jobs, strict=True):
                found.update({job["upper_bound"]} - {None})
    pairs = zip(solutions, boards, strict=True)
    ratios = [min(found) / board.manhattan() for found, board in pairs if found]
    improved_count = sum(len(found) > 1 for found in solutions)
    name = f"{LOADED_AT_ONCE} of 30×30, 60 s, {beside}"
    yield Figure(f"{name}: solved", len(ratios), "boards", at_least=LOADED_AT_ONCE)
    yield Figure(f"{name}: improved", improved_count, "boards")
    yield Figure(f"{name}: mean ratio", mean(ratios))
    yield Figure(f"{name}: worst ratio", max(ratios))


def time_solve(
    problem: tuple[Board, int, Board], folder: Path, threads: int, limit_s: float | None = None
) -> tuple[SearchResult, float, float]:
    """Solve a board of known length; return the result, the seconds, and the processor time."""
    board, length, goal = problem
    processor_s = sum(os.times()[:4])
    limits = Limits(seconds=limit_s) if limit_s else Limits()
    search = partial(solve, board, goal, pdb_folder=folder, threads=threads, limits=limits)
    result, seconds = time_call(search)
    if not result.lower_bound <= length <= (result.upper_bound or 0):
        raise SystemExit(f"{board!r} is {length} moves, not {result.upper_bound}")
    if limit_s is None and not result.optimal:
        raise SystemExit(f"{board!r} was not proved")
    return result, seconds, sum(os.times()[:4]) - processor_s


def load_kernels(goal: Board, folder: Path) -> None:
    """Map the databases and compile the kernels, so that they are not measured."""
    solve(next(goal.neighbors()), goal, pdb_folder=folder)


@part("improving", threads=(1, 2))
def hard_15(options: Namespace) -> Iterator[Figure]:
    """Seven slow 15-puzzles by `solve`: excess over the optimum after two seconds, and proofs."""
    folder, goal = build_databases(4), square_goal(4)
    boards = [
        (Board([int(tile) for tile in text.split()]), length, goal) for text, length in HARD_15
    ]
    load_kernels(goal, folder)
    for threads in options.threads:
        name = f"{len(boards)} hard 15-puzzles, threads: {threads}"
        results = [time_solve(board, folder, threads, HARD_15_S)[0] for board in boards]
        excesses = [
            (result.upper_bound or 0) - length
            for result, (_, length, _) in zip(results, boards, strict=True)
        ]
        within = f"{HARD_15_S:g} s"
        details = {"of_each": excesses}
        yield Figure(
            f"{name}: mean excess after {within}", mean(excesses), "moves", details=details
        )
        proved_count = sum(result.optimal for result in results)
        yield Figure(f"{name}: proved within {within}", proved_count, "boards")
        proofs = [time_solve(board, folder, threads) for board in boards]
        yield Figure(f"{name}: all proofs", sum(proof[1] for proof in proofs), "s")
        processor_s = sum(proof[2] for proof in proofs)
        yield Figure(f"{name}: all proofs in processor time", processor_s, "s")
        yield Figure(f"{name}: slowest proof", max(proof[1] for proof in proofs), "s")


@part("improving", threads=(1, 2), korf=(38, 44, 40, 25, 32))
def threads(options: Namespace) -> Iterator[Figure]:
    """Korf's 24-puzzles of --korf by `solve` with each number of --threads."""
    folder, instances = build_databases(5), read_korf50()
    load_kernels(instances[1].goal, folder)
    for one in (instances[number] for number in options.korf):
        for count in options.threads:
            problem = (one.board, one.length, one.goal)
            result, seconds, processor_s = time_solve(problem, folder, count)
            name = f"Korf24 #{one.number}, threads: {count}"
            details = {"processor_s": processor_s, "nodes": result.statistics.generated}
            yield Figure(name, seconds, "s", details=details)
