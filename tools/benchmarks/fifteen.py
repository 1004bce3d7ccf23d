"""The 15-puzzle on one core: Korf's 100 boards, random ones, the 17 farthest; and 3×3.

Seconds are those of the search alone, from a board to its replayed solution: databases are mapped,
kernels compiled, and every board is searched once before. On a busy machine processor time says
more than wall time, so both are given. Times of solve() include its plan and a quick first
solution.
"""

from __future__ import annotations

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
    databases,
    farthest15,
    korf100,
    random_board,
    square_goal,
)
from tools.benchmarks.harness.report import Figure, run
from tools.benchmarks.harness.timing import time_call

Problem = tuple[Board, Board, int | None]
"""A board, its goal and its known length, if any."""


class Run(NamedTuple):
    """One pass over some boards: the results, seconds of each, processor time of all."""

    results: list[SearchResult]
    seconds: list[float]
    processor: float


class Passes:
    """All passes of a search over some problems, after one that is not measured."""

    def __init__(
        self, search: Callable[[Board, Board], SearchResult], problems: Sequence[Problem], runs: int
    ) -> None:
        self._problems = problems
        self.runs = [self._run(search) for _ in range(1 + runs)][1:]
        self.wall = median(sum(run.seconds) for run in self.runs)
        self.processor = median(run.processor for run in self.runs)
        self.each = [
            median(seconds) for seconds in zip(*(run.seconds for run in self.runs), strict=True)
        ]

    def _run(self, search: Callable[[Board, Board], SearchResult]) -> Run:
        processor = time.process_time()
        timings = [time_call(partial(search, board, goal)) for board, goal, _ in self._problems]
        results, seconds = (list(column) for column in zip(*timings, strict=True))
        return Run(results, seconds, time.process_time() - processor)

    @property
    def wrong(self) -> int:
        """The number of results that are not proved, or differ from the known length."""
        return sum(
            not result.optimal or length not in (None, result.upper_bound)
            for run in self.runs
            for (_, _, length), result in zip(self._problems, run.results, strict=True)
        )


def measure(runs: int, random: int, farthest: int) -> Iterator[Figure]:
    folder = databases(4)
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    search, whole = partial(ida_star, pdb_folder=folder), partial(solve, pdb_folder=folder)

    korf: list[Problem] = [
        (instance.board, instance.goal, instance.length) for instance in korf100()
    ]
    passes, all_of_it = Passes(search, korf, runs), Passes(whole, korf, runs)
    nodes = sum(result.statistics.generated for result in passes.runs[0].results)
    wrong = passes.wrong + all_of_it.wrong
    slowest = median(max(run.seconds) for run in passes.runs)
    yield Figure("solutions that are not optimal", wrong, "boards", 0)
    yield Figure("Korf's 100, total search time", passes.wall, "s", 0.12)
    yield Figure("the same in processor time", passes.processor, "s")
    yield Figure("the same with solve()", all_of_it.wall, "s")
    yield Figure("nodes generated", nodes, "nodes")
    yield Figure("nodes per second of processor time", nodes / passes.processor / 1e6, "M/s")
    yield Figure("slowest of Korf's 100", slowest, "s")

    drawn: list[Problem] = [(random_board(4, seed), square_goal(4), None) for seed in range(random)]
    passes, all_of_it = Passes(search, drawn, runs), Passes(whole, drawn, runs)
    label, ms = f"{random:,} random boards", [1_000 * seconds for seconds in passes.each]
    yield Figure("random boards without a proof", passes.wrong, "boards", 0)
    yield Figure(f"{label}, mean", mean(ms), "ms", 1.2)
    yield Figure(f"{label}, mean with solve()", 1_000 * all_of_it.wall / random, "ms")
    yield Figure(f"{label}, median", median(ms), "ms")
    yield Figure(f"{label}, slowest", max(ms), "ms")

    small: list[Problem] = [
        (random_board(3, seed), square_goal(3), None) for seed in range(2 * random)
    ]
    micros = [1e6 * seconds for seconds in Passes(whole, small, 1).each]
    yield Figure("random 3×3, median of solve()", median(micros), "µs", 2_000)
    yield Figure(f"random 3×3, slowest of {2 * random:,}", max(micros), "µs")

    known: list[Problem] = [
        (instance.board, instance.goal, instance.length) for instance in farthest15()[:farthest]
    ]
    passes = Passes(search, known, runs)
    label = f"the {len(known)} boards at 80 moves"
    yield Figure("boards at 80 moves with a wrong length", passes.wrong, "boards", 0)
    yield Figure(f"{label}, slowest", max(passes.each), "s", 0.9)
    yield Figure(f"{label}, median", median(passes.each), "s")


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
