"""24-puzzles solved by the whole service: at once, with one worker or two, and random ones.

Each run starts a new system with an empty database; the pattern databases exist. Times are from a
job's POST to its end, as the client sees it. ``scaling`` solves boards one after another: in this
process, in two processes, with one search worker, and with two. The position of the solution in the
last iteration is a matter of luck, so nodes per second are compared as well as seconds. ``random``
gives each of some random boards ten minutes of two workers, and verifies its certificate and
damaged copies of it. It writes each board to ``data/random24_boards.json`` immediately and does not
solve it again without ``--restart``, so that a run that takes an hour can be interrupted.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from tilework.core.formats.certificate import read_certificate
from tilework.core.puzzle.canonical import canonicalize
from tilework.core.services.certificates.verifier import VerifyOptions, examine
from tilework.core.solver.solve import solve
from tools.benchmarks.harness.boards import (
    Instance,
    build_databases,
    random_board,
    read_korf50,
    square_goal,
)
from tools.benchmarks.harness.client import Client
from tools.benchmarks.harness.report import (
    DATA,
    Figure,
    Row,
    at_least,
    read_rows,
    run,
    write_rows,
)
from tools.benchmarks.harness.system import UNLIMITED, running_system, settle
from tools.benchmarks.harness.timing import time_call

TEN_EASIEST = (25, 29, 40, 38, 44, 32, 36, 28, 22, 1)
SCALING_BOARDS = {
    "ten boards of seconds": (40, 38, 44, 25, 32, 28, 22, 36, 30, 1),
    "two boards of half a minute": (26, 3),
}
"""Boards by the time that they take one core."""

RANDOM_BOARDS = DATA / "random24_boards.json"
FIRST_SEED = 24
TIME_LIMIT_S = 600.0
VERIFIED_SLICES = 10

Document = dict[str, Any]


class Run(NamedTuple):
    seconds: float
    nodes: int


class Runs(list[Run]):
    @property
    def seconds(self) -> float:
        return median(run.seconds for run in self)

    @property
    def rate(self) -> float:
        return median(run.nodes / run.seconds for run in self)


def measure_ten_boards(numbers: Sequence[int], runs: int) -> Iterator[Figure]:
    folder, boards = build_databases(4, 5), select_boards(numbers or TEN_EASIEST)
    all_runs = Runs(solve_as_jobs(boards, folder, workers=2) for _ in range(runs))
    yield Figure(
        f"{join_names(boards)}, two workers: all proven optimal", all_runs.seconds, "s", 100
    )
    yield Figure("nodes, median of the runs", median(run.nodes for run in all_runs), "nodes")
    yield Figure("nodes per second of the farm", all_runs.rate / 1e6, "M/s")


def measure_scaling(numbers: Sequence[int], runs: int) -> Iterator[Figure]:
    """Compare the ways to solve boards of different difficulty."""
    folder = build_databases(4, 5)
    for name, selected in ({"selected boards": numbers} if numbers else SCALING_BOARDS).items():
        yield from compare_ways(name, select_boards(selected), folder, runs)


def compare_ways(
    name: str, boards: Sequence[Instance], folder: Path, runs: int
) -> Iterator[Figure]:
    """Solve boards one by one: in this process, in two processes, with one worker, and with two."""
    in_process, independent, one_worker, two_workers = Runs(), Runs(), Runs(), Runs()
    for _ in range(runs):
        in_process.append(solve_in_process(boards, folder))
        independent.append(solve_in_two_processes(boards, folder))
        one_worker.append(solve_as_jobs(boards, folder, workers=1, at_once=False))
        two_workers.append(solve_as_jobs(boards, folder, workers=2, at_once=False))
        print(
            f"  in process {in_process[-1]}, in two {independent[-1]}, "
            f"one worker {one_worker[-1]}, two {two_workers[-1]}",
            flush=True,
        )
    yield Figure(f"{name}: in process", in_process.seconds, "s")
    yield Figure(f"{name}: in two processes, half each", independent.seconds, "s")
    yield Figure(f"{name}: through the service, one worker", one_worker.seconds, "s")
    yield Figure(f"{name}: through the service, two workers", two_workers.seconds, "s")
    for what, reference, measured, bar in (
        ("two workers against one", one_worker, two_workers, 1.6),
        ("two workers against two processes", independent, two_workers, 0.95),
        ("one worker against this process", in_process, one_worker, 1 / 1.05),
    ):
        yield at_least(f"{name}: speed of {what}", reference.seconds / measured.seconds, "×", bar)
        rate = measured.rate / reference.rate
        yield Figure(f"{name}: speed in nodes per second, {what}", rate, "×")


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


def solve_as_jobs(
    boards: Sequence[Instance], folder: Path, workers: int, *, at_once: bool = True
) -> Run:
    """Solve boards with a new system, all at once or one after another."""
    with start_farm(folder, workers) as client:
        started = time.perf_counter()
        if at_once:
            jobs = [client.submit(board.board, board.goal) for board in boards]
            ended_jobs = [client.wait(job) for job in jobs]
        else:
            ended_jobs = [client.solve(board.board, board.goal) for board in boards]
        seconds = time.perf_counter() - started
    for board, job in zip(boards, ended_jobs, strict=True):
        if not board.length == job["lower_bound"] == job["upper_bound"]:
            raise SystemExit(f"{board.name} has {board.length} moves and ended as {job}")
    return Run(seconds, sum(job["nodes"] for job in ended_jobs))


def measure_random_boards(count: int, *, restart: bool, trial: bool) -> Iterator[Figure]:
    folder = build_databases(4, 5)
    rows = {} if restart else read_rows(RANDOM_BOARDS, "seed")
    seeds = range(FIRST_SEED, FIRST_SEED + count)
    if missing := [seed for seed in seeds if seed not in rows]:
        with start_farm(folder, workers=2) as client:
            for seed in missing:
                rows[seed] = solve_random_board(client, seed, folder)
                print(rows[seed], flush=True)
                if not trial:
                    write_rows(RANDOM_BOARDS, rows)
    gaps = [row["upper_bound"] - row["lower_bound"] for row in rows.values()]
    yield Figure("random boards", len(rows), "boards")
    yield at_least(
        "random boards proved within ten minutes", 100 * gaps.count(0) / len(rows), "%", 60
    )
    seconds = median(row["seconds"] for row in rows.values())
    yield Figure("random boards: time per board", seconds, "s")
    yield Figure("random boards: largest gap between the bounds", max(gaps), "moves")
    for name in ("certificate_is_valid", "damage_is_found"):
        what = f"random boards: {name.replace('_', ' ')}"
        yield at_least(what, sum(row[name] for row in rows.values()), "boards", len(rows))


def solve_random_board(client: Client, seed: int, folder: Path) -> Row:
    """Solve a board within the time limit, and verify its certificate."""
    job = client.submit(random_board(5, seed), square_goal(5), time_limit_s=TIME_LIMIT_S)
    job, seconds = time_call(partial(client.wait, job))
    certificate = client.get(f"{job['links']['self']}/certificate")
    return {
        "seed": seed,
        "lower_bound": job["lower_bound"],
        "upper_bound": job["upper_bound"],
        "nodes": job["nodes"],
        "seconds": round(seconds, 1),
        "certificate_is_valid": is_valid(certificate, folder),
        "damage_is_found": not any(is_valid(copy, folder) for copy in damage(certificate)),
    }


def is_valid(document: Document, folder: Path) -> bool:
    certificate = read_certificate(json.dumps(document))
    return examine(certificate, VerifyOptions(VERIFIED_SLICES, 0, folder)).error is None


def damage(certificate: Document) -> Iterator[Document]:
    """Yield a certificate without its last move, and one with a node too many."""
    yield certificate | {"moves": certificate["moves"][:-1], "length": certificate["length"] - 1}
    if certificate["thresholds"]:
        *others, last = certificate["thresholds"]
        yield certificate | {"thresholds": [*others, last | {"nodes": last["nodes"] + 1}]}


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


def join_names(boards: Sequence[Instance]) -> str:
    return " ".join(f"#{board.number:02}" for board in boards)


if __name__ == "__main__":
    run(
        "farm",
        __doc__,
        {
            "ten": lambda o: measure_ten_boards(o.boards, o.runs),
            "scaling": lambda o: measure_scaling(o.boards, o.runs),
            "random": lambda o: measure_random_boards(o.random, restart=o.restart, trial=o.trial),
        },
        "The whole system on two cores; medians of {runs}, each the total for its boards.",
        runs=3,
        boards=(int,),
        random=20,
        restart=False,
    )
