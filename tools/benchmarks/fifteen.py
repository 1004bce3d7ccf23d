"""The 15-puzzle on one core: Korf's 100 boards, random boards and the 17 farthest; also 3×3 boards.

Times are those of the search alone, from a board to its replayed solution: databases are mapped,
kernels are compiled, and each board has been searched once. On a busy machine, processor time is
more meaningful than wall time, so both are given. Times of solve() include its plan and a quick
first solution. ``tilework solve --jsonl`` is timed from its start to its end, on all cores.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from statistics import mean, median
from typing import NamedTuple

from tilework.core.puzzle.board import Board
from tilework.core.solver.optimal.ida_star import ida_star
from tilework.core.solver.result import SearchResult
from tilework.core.solver.solve import solve
from tools.benchmarks.harness.boards import (
    build_databases,
    random_board,
    read_farthest15,
    read_korf100,
    square_goal,
)
from tools.benchmarks.harness.report import Figure, run
from tools.benchmarks.harness.timing import TILEWORK, run_program, time_call

Problem = tuple[Board, Board, int | None]
"""A board, its goal, and its length if known."""


class Run(NamedTuple):
    """One pass over some boards: the results, the seconds of each board, and the processor time."""

    results: list[SearchResult]
    seconds: list[float]
    processor_s: float


class Passes:
    """All passes of a search over some problems, after one that is not measured."""

    def __init__(
        self, search: Callable[[Board, Board], SearchResult], problems: Sequence[Problem], runs: int
    ) -> None:
        self._problems = problems
        self.runs = [self._run(search) for _ in range(1 + runs)][1:]
        self.wall_s = median(sum(run.seconds) for run in self.runs)
        self.processor_s = median(run.processor_s for run in self.runs)
        self.board_seconds = [
            median(seconds) for seconds in zip(*(run.seconds for run in self.runs), strict=True)
        ]

    def _run(self, search: Callable[[Board, Board], SearchResult]) -> Run:
        started = time.process_time()
        timings = [time_call(partial(search, board, goal)) for board, goal, _ in self._problems]
        results, seconds = (list(column) for column in zip(*timings, strict=True))
        return Run(results, seconds, time.process_time() - started)

    @property
    def wrong_count(self) -> int:
        """The number of results that are not proven optimal or differ from the known length."""
        return sum(
            not result.optimal or length not in (None, result.upper_bound)
            for run in self.runs
            for (_, _, length), result in zip(self._problems, run.results, strict=True)
        )


def measure_command(runs: int) -> Iterator[Figure]:
    """Measure the command that solves Korf's boards, with stored databases and kernels."""
    instances = read_korf100()
    lines = "".join(
        f"{item.name} 4 4 {' '.join(map(str, item.board.cells.tolist()))}\n" for item in instances
    )
    command = [TILEWORK, "solve", "--jsonl", "-", "--goal", "blank-first"]
    programs = [run_program(command, input_text=lines) for _ in range(1 + runs)][1:]
    records = [json.loads(line) for line in programs[0].output.splitlines()]
    wrong_count = sum(
        (record["length"], record["optimal"]) != (item.length, True)
        for record, item in zip(records, instances, strict=True)
    )
    label = "Korf's 100 by solve --jsonl"
    yield Figure(f"{label}: solutions that are not optimal", wrong_count, "boards", 0)
    yield Figure(f"{label}, with its start", median(item.seconds for item in programs), "s", 1.2)
    yield Figure(f"{label}, sum of seconds", sum(record["seconds"] for record in records), "s")


def measure(runs: int, random: int, farthest: int) -> Iterator[Figure]:
    folder = build_databases(4)
    yield from measure_command(runs)
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    search, run_solve = partial(ida_star, pdb_folder=folder), partial(solve, pdb_folder=folder)

    korf: list[Problem] = [
        (instance.board, instance.goal, instance.length) for instance in read_korf100()
    ]
    passes, solve_passes = Passes(search, korf, runs), Passes(run_solve, korf, runs)
    nodes = sum(result.statistics.generated for result in passes.runs[0].results)
    wrong_count = passes.wrong_count + solve_passes.wrong_count
    slowest = median(max(run.seconds) for run in passes.runs)
    yield Figure("solutions that are not optimal", wrong_count, "boards", 0)
    yield Figure("Korf's 100, total search time", passes.wall_s, "s", 0.12)
    yield Figure("the same in processor time", passes.processor_s, "s")
    yield Figure("the same with solve()", solve_passes.wall_s, "s")
    yield Figure("nodes generated", nodes, "nodes")
    yield Figure("nodes per second of processor time", nodes / passes.processor_s / 1e6, "M/s")
    yield Figure("slowest of Korf's 100", slowest, "s")

    random_problems: list[Problem] = [
        (random_board(4, seed), square_goal(4), None) for seed in range(random)
    ]
    passes = Passes(search, random_problems, runs)
    solve_passes = Passes(run_solve, random_problems, runs)
    label = f"{random:,} random boards"
    times_ms = [1_000 * seconds for seconds in passes.board_seconds]
    yield Figure("random boards without a proof", passes.wrong_count, "boards", 0)
    yield Figure(f"{label}, mean", mean(times_ms), "ms", 1.0)
    yield Figure(f"{label}, mean with solve()", 1_000 * solve_passes.wall_s / random, "ms")
    yield Figure(f"{label}, median", median(times_ms), "ms")
    yield Figure(f"{label}, slowest", max(times_ms), "ms")

    small_problems: list[Problem] = [
        (random_board(3, seed), square_goal(3), None) for seed in range(2 * random)
    ]
    passes = Passes(run_solve, small_problems, 1)
    times_us = [1e6 * seconds for seconds in passes.board_seconds]
    yield Figure("random 3×3, median of solve()", median(times_us), "µs", 2_000)
    yield Figure(f"random 3×3, slowest of {2 * random:,}", max(times_us), "µs")

    farthest_problems: list[Problem] = [
        (instance.board, instance.goal, instance.length)
        for instance in read_farthest15()[:farthest]
    ]
    passes = Passes(search, farthest_problems, runs)
    label = f"the {len(farthest_problems)} boards at 80 moves"
    yield Figure("boards at 80 moves with a wrong length", passes.wrong_count, "boards", 0)
    yield Figure(f"{label}, slowest", max(passes.board_seconds), "s", 0.6)
    yield Figure(f"{label}, median", median(passes.board_seconds), "s")


if __name__ == "__main__":
    run(
        "fifteen",
        __doc__,
        {"": lambda o: measure(o.runs, o.random, o.farthest)},
        "One core; medians of the runs, seconds of search with everything loaded.",
        runs=5,
        random=1_000,
        farthest=17,
    )
