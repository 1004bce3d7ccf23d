"""The service as its users meet it: its workers, its first minute, and hints."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from math import inf
from multiprocessing import get_context
from pathlib import Path
from statistics import median, quantiles
from typing import NamedTuple

from tilework.core.puzzle.board import Board
from tilework.core.puzzle.canonical import canonicalize
from tilework.core.puzzle.moves import from_letters
from tilework.core.puzzle.replay import apply
from tilework.core.solver.solve import solve
from tools.benchmarks.boards import (
    Instance,
    build_databases,
    random_board,
    read_korf50,
    square_goal,
)
from tools.benchmarks.client import Client
from tools.benchmarks.programs import TILEWORK, run_program, time_call
from tools.benchmarks.record import Figure
from tools.benchmarks.system import UNLIMITED, System, running_system, settle, start_system

SCALING_BOARDS = {
    "ten boards of seconds": (40, 38, 44, 25, 32, 28, 22, 36, 30, 1),
    "two boards of half a minute": (26, 3),
}
"""Boards by the time that they take one core."""

FIRST_SEED = 24
TIME_LIMIT_S = 600.0

ROOT = Path(__file__).parents[2]
COMMAND_RUNS = 7
POLL_S = 0.05
GOOD_RATIO = 1.7
SIDES = (3, 4, 10)
BARS_S = {
    "first start": {"3×3": 1.0, "4×4": 8.0, "10×10": 12.0},
    "second start": {"3×3": 1.0, "4×4": 1.0, "10×10": 2.0},
}
NEAR_4X4 = "1 2 3 4 5 6 7 8 9 10 11 12 13 14 0 15"
EASY_4X4 = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3"
COMMANDS: tuple[tuple[str, float, tuple[str, ...]], ...] = (
    ("`tilework solve` of a 3×3 of 31 moves", 0.25, ("solve", "8 6 7 2 5 4 3 0 1")),
    ("`tilework solve` of a 4×4 of one move", 0.3, ("solve", NEAR_4X4)),
    ("`tilework solve` of a 4×4", 0.7, ("solve", EASY_4X4, "--goal", "blank-first")),
    ("`tilework --help`", 0.1, ("--help",)),
)

HINT_BARS_MS = {3: 100, 4: 100, 5: 2_000}


class Run(NamedTuple):
    seconds: float
    nodes: int


def farm(runs: int = 3, boards: int = 20) -> Iterator[Figure]:
    """24-puzzles one after another: in this process, in two, with one search worker, and with two.

    Each run starts a new system with an empty database; the pattern databases exist. Where the
    solution is in the last iteration is a matter of luck, so nodes per second are compared, too.
    Then random boards, each with ten minutes of two workers.
    """
    yield from measure_scaling(runs)
    yield from measure_random_boards(boards)


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
        board.check(result.lower_bound, result.upper_bound)
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
        board.check(job["lower_bound"], job["upper_bound"])
    return Run(seconds, sum(job["nodes"] for job in jobs))


def measure_random_boards(boards: int) -> Iterator[Figure]:
    gaps, times = [], []
    with start_farm(build_databases(4, 5), workers=2) as client:
        for seed in range(FIRST_SEED, FIRST_SEED + boards):
            job = client.submit(random_board(5, seed), square_goal(5), time_limit_s=TIME_LIMIT_S)
            job, seconds = time_call(partial(client.wait, job))
            gaps.append(job["upper_bound"] - job["lower_bound"])
            times.append(seconds)
    proved = 100 * gaps.count(0) / len(gaps)
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


@contextmanager
def run_installed(folder: Path) -> Iterator[System]:
    """Run a system that uses a folder for its cache and data."""
    environment = os.environ | {
        "XDG_CACHE_HOME": str(folder / "cache"),
        "TILEWORK_DATA_DIR": str(folder / "data"),
    }
    environment.pop("NUMBA_CACHE_DIR", None)
    with start_system([TILEWORK, "up"], environment) as system:
        yield system


def first_minute(runs: int = 3, clone: bool = True) -> Iterator[Figure]:
    """From a system that is ready to the answers of boards posted then; ``make run`` in a clone.

    A first start has an empty cache and folder, and a second one reuses them.
    """
    yield from measure_starts(runs)
    if clone:
        yield from measure_clone()


def measure_starts(runs: int) -> Iterator[Figure]:
    times: dict[tuple[str, str], list[float]] = defaultdict(list)
    for seed in range(runs):
        with tempfile.TemporaryDirectory(prefix="tilework-") as folder:
            for number, start in enumerate(BARS_S):
                with run_installed(Path(folder)) as system, ThreadPoolExecutor(3) as pool:
                    boards = {
                        f"{side}×{side}": random_board(side, 2 * seed + number) for side in SIDES
                    }
                    solved = {
                        name: pool.submit(wait_for_answer, system, board)
                        for name, board in boards.items()
                    }
                    for name, future in solved.items():
                        times[start, name].append(future.result())
    for (start, name), seconds in times.items():
        yield Figure(f"{start}, ready to answer, {name}", median(seconds), "s", BARS_S[start][name])


def wait_for_answer(system: System, board: Board) -> float:
    """Return the seconds from the start to a proof, or to a solution that is good for its size."""
    client = system.client()
    job = client.submit(board, time_limit_s=60)
    while job["finished_at"] is None and not (
        board.width > 4 and (job["upper_bound"] or inf) <= GOOD_RATIO * board.manhattan()
    ):
        time.sleep(POLL_S)
        job = client.read(job)
    return time.perf_counter() - system.ready_at


def measure_clone() -> Iterator[Figure]:
    """``make run`` in a bare clone, then commands of the program that it installs."""
    with tempfile.TemporaryDirectory(prefix="tilework-") as name:
        folder, checkout = Path(name), Path(name, "clone")
        subprocess.run(["git", "clone", "--quiet", ROOT, checkout], check=True)
        environment = os.environ | {"XDG_CACHE_HOME": str(folder / "cache")}
        with start_system(["make", "run"], environment, checkout) as system:
            yield Figure("`make run` in a bare clone, to ready", system.start_s, "s", 45)
        shutil.rmtree(checkout / "data", ignore_errors=True)
        program = str(checkout / ".venv" / "bin" / "tilework")
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        for label, bar, arguments in COMMANDS:
            runs = [
                run_program([program, *arguments], environment) for _ in range(1 + COMMAND_RUNS)
            ][1:]
            yield Figure(label, median(one.seconds for one in runs), "s")
            processor_s = median(one.processor_s for one in runs)
            yield Figure(f"{label}, processor time", processor_s, "s", bar)


def follow_hints(client: Client, board: Board) -> Iterator[float]:
    """Follow hints to the goal; yield the milliseconds of each."""
    remaining = float("inf")
    while board != square_goal(board.width):
        request = partial(client.post, "/api/v1/hints", {"board": board.cells.tolist()})
        hint, seconds = time_call(request)
        if hint["upper_bound"] >= remaining:
            raise SystemExit(f"a hint did not lead closer to the goal: {board!r}")
        remaining = hint["upper_bound"]
        board = apply(board, from_letters(hint["moves"][:1]))
        yield 1_000 * seconds


def hints(games: int = 10) -> Iterator[Figure]:
    """From POST to the hint, for players who follow hints from a random board."""
    with running_system(**UNLIMITED, pdb_build=False) as system:
        settle(system, *HINT_BARS_MS)
        client = system.client()
        for side, bar in HINT_BARS_MS.items():
            boards = [random_board(side, 20_260_123 + game) for game in range(games)]
            times = [
                milliseconds for board in boards for milliseconds in follow_hints(client, board)
            ]
            yield Figure(f"hints, {side}×{side}: median", median(times), "ms")
            p95 = quantiles(times, n=20)[-1]
            yield Figure(f"hints, {side}×{side}: 95th percentile", p95, "ms", bar)
