"""Textbook searches in plain Python: nodes expanded per second, and the time of a comparison.

Times are those of the search alone, without compiling kernels or replaying the solution. A
comparison of the ten default methods on the hardest 3×3 board is timed as a client sees it, the
first time while workers are still loading. Each comparison has a different node limit, because
identical runs are not repeated.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from statistics import median
from typing import NamedTuple

from tilework.core.lab.methods import ALGORITHMS, Method
from tilework.core.lab.result import RunResult
from tilework.core.lab.run import run as run_method
from tilework.core.model.states import RunState
from tilework.core.puzzle.board import Board
from tilework.core.search.limits import Limits
from tools.benchmarks.harness.boards import random_board, square_goal
from tools.benchmarks.harness.client import Client
from tools.benchmarks.harness.report import Figure, at_least, run
from tools.benchmarks.harness.system import UNLIMITED, running_system, settle

GOAL = square_goal(3)
PUBLISHED_BOARD = Board([7, 5, 8, 2, 3, 4, 1, 0, 6])
HARDEST_BOARDS = (Board([8, 6, 7, 2, 5, 4, 3, 0, 1]), Board([6, 4, 7, 8, 5, 0, 3, 2, 1]))
A_STAR = Method.from_text("a-star:manhattan")
A_STAR_AS_PUBLISHED = Method.from_text("a-star-replace:manhattan")
COMPLETE_METHODS = tuple(Method.of(name) for name, facts in ALGORITHMS.items() if facts.complete)
NODE_LIMIT = 2_000_000


def solve(board: Board, method: Method) -> RunResult:
    result = run_method(board, GOAL, method, Limits())
    if result.moves is None:
        raise SystemExit(f"{method.text} found no solution of {board!r}: {result.message}")
    return result


def measure_slowest(boards: Sequence[Board], method: Method, runs: int) -> float:
    return max(
        median(solve(board, method).statistics.seconds for _ in range(runs)) for board in boards
    )


def measure_searches(runs: int, count: int) -> Iterator[Figure]:
    boards = [random_board(3, seed) for seed in range(count)]
    rates, processor_rates = [], []
    for _ in range(runs):
        started = time.process_time()
        results = [solve(board, A_STAR).statistics for board in boards]
        processor = time.process_time() - started
        expanded = sum(result.expanded for result in results)
        rates.append(expanded / sum(result.seconds for result in results))
        processor_rates.append(expanded / processor)
    label = f"A*, Manhattan, {count} random 3×3: nodes expanded"
    yield at_least(label, median(rates), "nodes/s", 60_000)
    label = "the same per second of processor time, with check and replay"
    yield Figure(label, median(processor_rates), "nodes/s")
    for method in (A_STAR, A_STAR_AS_PUBLISHED):
        seconds = measure_slowest([PUBLISHED_BOARD], method, runs)
        yield Figure(f"7 5 8 2 3 4 1 X 6, {method.title}", seconds, "s", 0.3)
    for method in COMPLETE_METHODS:
        bar = 1 if method == A_STAR else 10
        seconds = measure_slowest(HARDEST_BOARDS, method, runs)
        yield Figure(f"hardest 3×3, {method.title}", seconds, "s", bar)


class Round(NamedTuple):
    """Seconds from the request to the first result, and to the last one."""

    first: float
    last: float


def compare(client: Client, node_limit: int) -> Round:
    """Request a comparison, and wait until it ends."""
    request = {"board": HARDEST_BOARDS[0].cells.tolist(), "node_limit": node_limit}
    started, first = time.perf_counter(), float("inf")
    comparison = client.post("/api/v1/comparisons", request)
    while True:
        seconds = time.perf_counter() - started
        if any(RunState(row["state"]).ended for row in comparison["runs"]):
            first = min(first, seconds)
        if comparison["unfinished"] == 0:
            break
        path = f"{comparison['links']['self']}?wait=20&since={comparison['version']}"
        comparison = client.get(path)
    for row in comparison["runs"]:
        if row["state"] != "done" or row["length"] is None or row["length"] < 31:
            raise SystemExit(f"{row['method']} ended {row['state']}: {row['message']}")
        if row["optimal"] and row["length"] != 31:
            raise SystemExit(f"{row['method']} claims that {row['length']} moves are optimal")
    return Round(first, seconds)


def measure_service(runs: int) -> Iterator[Figure]:
    with running_system(**UNLIMITED) as system:
        cold = compare(system.client(), NODE_LIMIT)
        settle(system, 4)
        client = system.client()
        rounds = [compare(client, NODE_LIMIT - 1 - number) for number in range(runs)]
        repeated = [compare(client, NODE_LIMIT) for _ in range(runs)]
    label = "ten methods on the hardest 3×3"
    yield Figure(f"{label}, first row", median(times.first for times in rounds), "s", 1)
    yield Figure(f"{label}, all rows", median(times.last for times in rounds), "s", 15)
    yield Figure(f"{label}, first row, workers just started", cold.first, "s")
    yield Figure(f"{label}, all rows, workers just started", cold.last, "s")
    yield Figure(f"{label}, already known", median(times.last for times in repeated), "s")


if __name__ == "__main__":
    run(
        "lab",
        __doc__,
        {
            "searches": lambda o: measure_searches(o.runs, o.random),
            "service": lambda o: measure_service(o.runs),
        },
        "Searches: one core, plain Python; Manhattan distance as the heuristic. "
        "Comparisons: client and the whole system share the machine.",
        runs=5,
        random=200,
    )
