"""24-puzzles solved by the whole service: ten boards at once, and two workers compared with one.

Each run starts a new system with an empty database; the pattern databases exist. Times are from a
job's POST to its end, as the client sees it. ``scaling`` solves boards one after another: in this
process, in two processes, with one search worker, and with two. The position of the solution in the
last iteration is a matter of luck, so nodes per second are compared as well as seconds.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import NamedTuple

from tilework.core.solver.solve import solve
from tools.benchmarks.harness.boards import Instance, build_databases, read_korf50
from tools.benchmarks.harness.report import Figure, at_least, run
from tools.benchmarks.harness.system import UNLIMITED, running_system, settle

TEN_EASIEST = (25, 29, 40, 38, 44, 32, 36, 28, 22, 1)
SCALING_BOARDS = (40, 38, 44, 25, 32, 28, 22, 36, 30, 1)
"""Easier boards that take one core from a second to half a minute."""


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
    """Solve boards one by one: in this process, in two processes, with one worker, and with two."""
    folder, boards = build_databases(4, 5), select_boards(numbers or SCALING_BOARDS)
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
    yield Figure(f"{join_names(boards)} in process", in_process.seconds, "s")
    yield Figure("in two processes, each with half of the boards", independent.seconds, "s")
    yield Figure("through the service, one worker", one_worker.seconds, "s")
    yield Figure("through the service, two workers", two_workers.seconds, "s")
    yield at_least(
        "speedup of two workers over one", one_worker.seconds / two_workers.seconds, "×", 1.6
    )
    yield Figure(
        "speedup of two workers over one, in nodes per second",
        two_workers.rate / one_worker.rate,
        "×",
    )
    yield at_least(
        "speed of two workers, of that of two processes",
        100 * independent.seconds / two_workers.seconds,
        "%",
        95,
    )
    yield at_least(
        "the same in nodes per second", 100 * two_workers.rate / independent.rate, "%", 95
    )
    yield Figure(
        "extra time through the service",
        100 * (one_worker.seconds / in_process.seconds - 1),
        "%",
        5,
    )
    yield Figure(
        "extra time per node through the service",
        100 * (in_process.rate / one_worker.rate - 1),
        "%",
    )


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


def solve_as_jobs(
    boards: Sequence[Instance],
    folder: Path,
    workers: int,
    *,
    at_once: bool = True,
) -> Run:
    """Solve boards with a new system, all at once or one after another."""
    settings = {**UNLIMITED, "databases_dir": folder, "pdb_build": False}
    with running_system(workers=workers, **settings) as system:
        settle(system, 4)
        client, started = system.client(), time.perf_counter()
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


def select_boards(numbers: Sequence[int]) -> list[Instance]:
    return [read_korf50()[number] for number in numbers]


def join_names(boards: Sequence[Instance]) -> str:
    return " ".join(f"#{board.number:02}" for board in boards)


if __name__ == "__main__":
    run(
        "farm",
        __doc__,
        {
            "ten": lambda o: measure_ten_boards(o.boards, o.runs),
            "scaling": lambda o: measure_scaling(o.boards, o.runs),
        },
        "The whole system on two cores; medians of {runs}. One by one: sums over the boards.",
        runs=3,
        boards=(int,),
    )
