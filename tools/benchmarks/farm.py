"""24-puzzles solved by the whole service: with one worker or two, and random ones.

Each run starts a new system with an empty database; the pattern databases exist. Times are from a
job's POST to its end, as the client sees it. ``scaling`` solves boards one after another: in this
process, in two processes, with one search worker, and with two. The position of the solution in the
last iteration is a matter of luck, so nodes per second are compared as well as seconds. ``random``
gives each random board ten minutes of two workers.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import NamedTuple

from tilework.core.puzzle.canonical import canonicalize
from tilework.core.solver.solve import solve
from tools.benchmarks.boards import (
    Instance,
    build_databases,
    random_board,
    read_korf50,
    square_goal,
)
from tools.benchmarks.client import Client
from tools.benchmarks.programs import time_call
from tools.benchmarks.record import Figure, run
from tools.benchmarks.system import UNLIMITED, running_system, settle

SCALING_BOARDS = {
    "ten boards of seconds": (40, 38, 44, 25, 32, 28, 22, 36, 30, 1),
    "two boards of half a minute": (26, 3),
}
"""Boards by the time that they take one core."""

FIRST_SEED = 24
TIME_LIMIT_S = 600.0


class Run(NamedTuple):
    seconds: float
    nodes: int


def measure_scaling(runs: int) -> Iterator[Figure]:
    folder = build_databases(4, 5)
    for name, numbers in SCALING_BOARDS.items():
        boards = select_boards(numbers)
        ways: dict[str, Callable[[], Run]] = {
            "in process": partial(solve_in_process, boards, folder),
            "two processes": partial(solve_in_two_processes, boards, folder),
            "one worker": partial(solve_as_jobs, boards, folder, workers=1),
            "two workers": partial(solve_as_jobs, boards, folder, workers=2),
        }
        turns = [{way: solve_all() for way, solve_all in ways.items()} for _ in range(runs)]
        seconds = {way: median(turn[way].seconds for turn in turns) for way in ways}
        rates = {way: median(turn[way].nodes / turn[way].seconds for turn in turns) for way in ways}
        for way in ways:
            yield Figure(f"{name}: {way}", seconds[way], "s")
        for way, reference, bar in (
            ("two workers", "one worker", 1.6),
            ("two workers", "two processes", 0.95),
            ("one worker", "in process", 1 / 1.05),
        ):
            what = f"{name}: {way} against {reference}"
            yield Figure(f"{what}, speed", seconds[reference] / seconds[way], "×", at_least=bar)
            yield Figure(f"{what}, nodes per second", rates[way] / rates[reference], "×")


def solve_in_process(boards: Sequence[Instance], folder: Path) -> Run:
    solve(next(boards[0].goal.neighbors()), boards[0].goal, pdb_folder=folder)
    started, nodes = time.perf_counter(), 0
    for board in boards:
        result = solve(board.board, board.goal, pdb_folder=folder)
        if not result.optimal or result.upper_bound != board.length:
            raise SystemExit(f"{board.name} has {board.length} moves, not {result.upper_bound}")
        nodes += result.statistics.generated
    return Run(time.perf_counter() - started, nodes)


def solve_in_two_processes(boards: Sequence[Instance], folder: Path) -> Run:
    """Solve half of the boards in each of two processes."""
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        first, second = pool.map(solve_in_process, (boards[::2], boards[1::2]), (folder, folder))
    return Run(max(first.seconds, second.seconds), first.nodes + second.nodes)


@contextmanager
def start_farm(folder: Path, workers: int) -> Iterator[Client]:
    """Start a new system whose workers are ready; its pattern databases are in a folder."""
    settings = {**UNLIMITED, "pdb_dir": folder, "pdb_build": False}
    with running_system(workers=workers, **settings) as system:
        settle(system, 4)
        yield system.client()


def solve_as_jobs(boards: Sequence[Instance], folder: Path, workers: int) -> Run:
    """Solve boards one after another with a new system."""
    with start_farm(folder, workers) as client:
        started = time.perf_counter()
        jobs = [client.solve(board.board, board.goal) for board in boards]
        seconds = time.perf_counter() - started
    for board, job in zip(boards, jobs, strict=True):
        if not board.length == job["lower_bound"] == job["upper_bound"]:
            raise SystemExit(f"{board.name} has {board.length} moves and ended as {job}")
    return Run(seconds, sum(job["nodes"] for job in jobs))


def measure_random_boards(count: int) -> Iterator[Figure]:
    gaps, times = [], []
    with start_farm(build_databases(4, 5), workers=2) as client:
        for seed in range(FIRST_SEED, FIRST_SEED + count):
            job = client.submit(random_board(5, seed), square_goal(5), time_limit_s=TIME_LIMIT_S)
            job, seconds = time_call(partial(client.wait, job))
            gaps.append(job["upper_bound"] - job["lower_bound"])
            times.append(seconds)
    proved = 100 * gaps.count(0) / count
    yield Figure("random boards proved within ten minutes", proved, "%", at_least=60)
    yield Figure("random boards: median time", median(times), "s")
    yield Figure("random boards: largest gap between the bounds", max(gaps), "moves")


def select_boards(numbers: Sequence[int]) -> list[Instance]:
    """Return the canonical forms of boards, which the service searches.

    A beam may find a board's optimum in seconds and not that of its mirror image, so this process
    searches the same forms.
    """
    instances = [read_korf50()[number] for number in numbers]
    forms = [canonicalize(instance.board, instance.goal) for instance in instances]
    return [
        replace(instance, board=form.board, goal=form.goal)
        for instance, form in zip(instances, forms, strict=True)
    ]


if __name__ == "__main__":
    run(
        "farm",
        __doc__,
        {
            "scaling": lambda o: measure_scaling(o.runs),
            "random": lambda o: measure_random_boards(o.boards),
        },
        runs=3,
        boards=20,
    )
