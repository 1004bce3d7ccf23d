"""24-puzzles through the whole service: ten boards at once, two workers against one, its cost.

Usage: python -m benchmarks.farm [--parts ten scaling] [--runs 3] [--board NUMBER]

Every run is of a new system with a folder of its own, which knows no answer; the databases are
there before anything is timed. Times are from a job's POST to its end, as the client sees it.
The one board of the scaling part is solved by each in turn, several times: in this process, by
a system with one search worker, and by one with two. Where a solution lies in the last iteration
is luck of the order of search, so that nodes a second are compared beside seconds.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.api import LARGE, SETTLE_S, Client
from benchmarks.instances import Instance, korf50
from benchmarks.korf24 import read_rows
from benchmarks.ready_pdb import ready_pdb_folder
from benchmarks.report import Figure, record
from benchmarks.system import running_system
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.scramble import scramble
from tilework.core.solver.solve import solve

TEN_EASIEST = (25, 29, 40, 38, 44, 32, 36, 28, 22, 1)
LONG_S = 70.0
"""A board for comparing workers should take one core at least so long."""
FALLBACK_BOARD = 1
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
    parser.add_argument("--board", type=int, help="for the scaling; a long one that is recorded")
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
        board = boards[options.board or long_board()]
        record(
            "farm_scaling",
            scaling(board, folder, options.runs),
            notes="Each figure from the medians of its runs, which took turns.",
        )


def ten_boards(boards: Sequence[Instance], folder: Path, runs: int) -> list[Figure]:
    """All of them as jobs of one client, at once."""
    took = [served(boards, folder, workers=2) for _ in range(runs)]
    seconds = statistics.median(run.seconds for run in took)
    rate = statistics.median(run.rate for run in took)
    names = " ".join(f"#{board.number:02}" for board in boards)
    return [
        Figure(f"{names}, two workers: all proved", seconds, "s", 120),
        Figure("nodes, median of runs", statistics.median(run.nodes for run in took), "nodes"),
        Figure("nodes a second of the farm", rate / 1e6, "M/s"),
    ]


def scaling(board: Instance, folder: Path, runs: int) -> list[Figure]:
    """One board in process, by one worker and by two, each in turn."""
    alone, one, two = [], [], []
    for _ in range(runs):
        alone.append(in_process(board, folder))
        one.append(served([board], folder, workers=1))
        two.append(served([board], folder, workers=2))
        for name, took in (("in process", alone), ("one worker", one), ("two", two)):
            print(f"  {name}: {took[-1].seconds:.2f} s, {took[-1].nodes:,} nodes", flush=True)
    seconds = [_median_seconds(took) for took in (alone, one, two)]
    rates = [statistics.median(run.rate for run in took) for took in (alone, one, two)]
    name = f"#{board.number:02}"
    return [
        Figure(f"{name} in process", seconds[0], "s"),
        Figure(f"{name} through the service, one worker", seconds[1], "s"),
        Figure(f"{name} through the service, two workers", seconds[2], "s"),
        Figure("two workers against one", seconds[1] / seconds[2], "×", 1.9, at_most=False),
        Figure("two workers against one, by nodes a second", rates[2] / rates[1], "×"),
        Figure("more time through the service", 100 * (seconds[1] / seconds[0] - 1), "%", 3),
        Figure("more time a node through the service", 100 * (rates[0] / rates[1] - 1), "%"),
    ]


def in_process(board: Instance, folder: Path) -> Took:
    """Solve a board by solve()."""
    solve(next(board.goal.neighbors()), board.goal, pdb_folder=folder)
    began = time.perf_counter()
    result = solve(board.board, board.goal, pdb_folder=folder)
    seconds = time.perf_counter() - began
    if not result.optimal or result.upper_bound != board.length:
        raise SystemExit(f"{board.name} has {board.length} moves, not {result.upper_bound}")
    return Took(seconds, result.statistics.generated)


def served(boards: Sequence[Instance], folder: Path, workers: int) -> Took:
    """Have a new system solve boards, all submitted at once."""
    with running_system(
        workers=workers, databases_dir=folder, pdb_build=False, rate_limit="1000000/minute"
    ) as server:
        client = Client(server)
        client.end(client.post(scramble(LARGE, blank_last(LARGE), seed=1)))
        time.sleep(SETTLE_S)  # the first worker answers while the others still load
        began = time.perf_counter()
        jobs = [client.post(board.board, board.goal) for board in boards]
        ended = [client.end(job) for job in jobs]
        seconds = time.perf_counter() - began
    for board, job in zip(boards, ended, strict=True):
        if not board.length == job["lower_bound"] == job["upper_bound"]:
            raise SystemExit(f"{board.name} has {board.length} moves and ended as {job}")
    return Took(seconds, sum(job["nodes"] for job in ended))


def long_board() -> int:
    """Return the quickest of the boards recorded by `korf24` that takes a core long enough."""
    long = [row for row in read_rows().values() if row["seconds"] >= LONG_S]
    if not long:
        return FALLBACK_BOARD
    return int(min(long, key=lambda row: row["seconds"])["board"])


def _median_seconds(took: Sequence[Took]) -> float:
    return statistics.median(run.seconds for run in took)


if __name__ == "__main__":
    main()
