"""24-puzzles through the whole service: ten boards at once, two workers against one, its cost.

Usage: python -m tools.benchmarks.farm [--parts ten scaling] [--runs 3] [--one-by-one NUMBER ...]

Every run is of a new system with a folder of its own, which knows no answer; the databases are
there before anything is timed. Times are from a job's POST to its end, as the client sees it.
The boards of the scaling part are solved one after the other by each in turn, several times: in
this process, by a system with one search worker, and by one with two. Where a solution lies in the
last iteration is luck of the order of search, so that nodes a second are compared beside seconds.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.scramble import scramble
from tilework.core.solver.solve import solve
from tools.benchmarks.api import LARGE, SETTLE_S, Client
from tools.benchmarks.instances import Instance, korf50
from tools.benchmarks.ready_pdb import ready_pdb_folder
from tools.benchmarks.report import Figure, record
from tools.benchmarks.system import running_system

TEN_EASIEST = (25, 29, 40, 38, 44, 32, 36, 28, 22, 1)
ONE_BY_ONE = (40, 38, 44, 25, 32, 28, 22, 36, 30, 1)
"""Of the easier boards, those that take one core a second to half a minute."""
RUNS = 3
PARTS = ("ten", "scaling")


class Took(NamedTuple):
    """What it took to prove some boards."""

    seconds: float
    nodes: int

    @property
    def rate(self) -> float:
        return self.nodes / self.seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--ten", type=int, nargs="+", default=TEN_EASIEST, metavar="NUMBER")
    parser.add_argument("--one-by-one", type=int, nargs="+", default=ONE_BY_ONE, metavar="NUMBER")
    options = parser.parse_args()
    boards = {one.number: one for one in korf50()}
    folder = ready_pdb_folder(Size(5, 5))
    ready_pdb_folder(LARGE)
    if "ten" in options.parts:
        record(
            "farm",
            ten_boards([boards[number] for number in options.ten], folder, options.runs),
            notes="Two search workers and the rest of the system on two cores.",
        )
    if "scaling" in options.parts:
        record(
            "farm_scaling",
            scaling([boards[number] for number in options.one_by_one], folder, options.runs),
            notes="Sums over the boards; each from the medians of its runs, which took turns.",
        )


def ten_boards(boards: Sequence[Instance], folder: Path, runs: int) -> list[Figure]:
    """All of them as jobs of one client, at once."""
    took = [served(boards, folder, workers=2) for _ in range(runs)]
    seconds = statistics.median(run.seconds for run in took)
    rate = statistics.median(run.rate for run in took)
    return [
        Figure(f"{_names(boards)}, two workers: all proved", seconds, "s", 100),
        Figure("nodes, median of runs", statistics.median(run.nodes for run in took), "nodes"),
        Figure("nodes a second of the farm", rate / 1e6, "M/s"),
    ]


def scaling(boards: Sequence[Instance], folder: Path, runs: int) -> list[Figure]:
    """Boards one by one, in process, by one worker and by two, each in turn."""
    alone, one, two = [], [], []
    for _ in range(runs):
        alone.append(in_process(boards, folder))
        one.append(served(boards, folder, workers=1, at_once=False))
        two.append(served(boards, folder, workers=2, at_once=False))
        for name, took in (("in process", alone), ("one worker", one), ("two", two)):
            print(f"  {name}: {took[-1].seconds:.2f} s, {took[-1].nodes:,} nodes", flush=True)
    seconds = [_median_seconds(took) for took in (alone, one, two)]
    rates = [statistics.median(run.rate for run in took) for took in (alone, one, two)]
    names = _names(boards)
    return [
        Figure(f"{names} in process", seconds[0], "s"),
        Figure("through the service, one worker", seconds[1], "s"),
        Figure("through the service, two workers", seconds[2], "s"),
        Figure("two workers against one", seconds[1] / seconds[2], "×", 1.85, at_most=False),
        Figure("two workers against one, by nodes a second", rates[2] / rates[1], "×"),
        Figure("more time through the service", 100 * (seconds[1] / seconds[0] - 1), "%", 5),
        Figure("more time a node through the service", 100 * (rates[0] / rates[1] - 1), "%"),
    ]


def in_process(boards: Sequence[Instance], folder: Path) -> Took:
    """Solve boards by solve()."""
    solve(next(boards[0].goal.neighbors()), boards[0].goal, pdb_folder=folder)
    began, nodes = time.perf_counter(), 0
    for board in boards:
        result = solve(board.board, board.goal, pdb_folder=folder)
        if not result.optimal or result.upper_bound != board.length:
            raise SystemExit(f"{board.name} has {board.length} moves, not {result.upper_bound}")
        nodes += result.statistics.generated
    return Took(time.perf_counter() - began, nodes)


def served(boards: Sequence[Instance], folder: Path, workers: int, *, at_once: bool = True) -> Took:
    """Have a new system solve boards, all submitted at once or each after the one before."""
    with running_system(
        workers=workers, databases_dir=folder, pdb_build=False, rate_limit="1000000/minute"
    ) as server:
        client = Client(server)
        client.end(client.post(scramble(LARGE, blank_last(LARGE), seed=1)))
        time.sleep(SETTLE_S)  # the first worker answers while the others still load
        began = time.perf_counter()
        if at_once:
            jobs = [client.post(board.board, board.goal) for board in boards]
            ended = [client.end(job) for job in jobs]
        else:
            ended = [client.end(client.post(board.board, board.goal)) for board in boards]
        seconds = time.perf_counter() - began
    for board, job in zip(boards, ended, strict=True):
        if not board.length == job["lower_bound"] == job["upper_bound"]:
            raise SystemExit(f"{board.name} has {board.length} moves and ended as {job}")
    return Took(seconds, sum(job["nodes"] for job in ended))


def _names(boards: Sequence[Instance]) -> str:
    return " ".join(f"#{board.number:02}" for board in boards)


def _median_seconds(took: Sequence[Took]) -> float:
    return statistics.median(run.seconds for run in took)


if __name__ == "__main__":
    main()
