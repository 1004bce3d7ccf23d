"""The 15-puzzle on one core: Korf's 100 boards, random ones, and the 17 that are farthest.

Usage: python -m tools.benchmarks.fifteen

Seconds are of search alone, from a board to its replayed solution: databases are mapped and
kernels compiled before, and every board is searched once unmeasured. Wall time is what the bars
are about; on a machine with other work to do, time of the processor says more, so both are given.
What solve() takes, with its plan and its first, quick solution, stands beside the search.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.scramble import scramble
from tilework.core.solver.optimal.ida_star import ida_star
from tilework.core.solver.result import SearchResult
from tilework.core.solver.solve import solve
from tools.benchmarks.instances import farthest15, korf100
from tools.benchmarks.ready_pdb import ready_pdb_folder
from tools.benchmarks.report import Figure, record

SIZE = Size(4, 4)
RUNS = 5
RANDOM_BOARDS = 1_000

Search = Callable[[Board, Board], SearchResult]


class Problem(NamedTuple):
    """A board, its goal and the length that is known, if any."""

    board: Board
    goal: Board
    length: int | None


class Run(NamedTuple):
    """One pass over some boards: their results, wall seconds of each, processor time of all."""

    results: list[SearchResult]
    seconds: list[float]
    processor: float

    @property
    def wall(self) -> float:
        return sum(self.seconds)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=RUNS)
    parser.add_argument("--random", type=int, default=RANDOM_BOARDS, metavar="BOARDS")
    parser.add_argument("--farthest", type=int, default=17, metavar="BOARDS", help="of the 17")
    options = parser.parse_args()
    folder = ready_pdb_folder(SIZE)
    _keep_to_one_core()
    record(
        "fifteen",
        [
            *korfs(folder, options.runs),
            *random_boards(folder, options.runs, options.random),
            *farthest(folder, options.runs, options.farthest),
        ],
        notes="One core; medians of the runs, seconds of search with everything loaded.",
    )


def korfs(folder: Path, runs: int) -> list[Figure]:
    """Korf's 100, the search alone and all of solve()."""
    problems = [Problem(one.board, one.goal, one.length) for one in korf100()]
    search = _measured(_searching(folder), problems, runs)
    whole = _measured(_solving(folder), problems, runs)
    nodes = sum(result.statistics.generated for result in search[0].results)
    wall = statistics.median(run.wall for run in search)
    processor = statistics.median(run.processor for run in search)
    return [
        Figure("lengths that are not the optimum", _wrong(problems, search + whole), "boards", 0),
        Figure("Korf's 100, search in all", wall, "s", 0.12),
        Figure("the same in processor time", processor, "s"),
        Figure("the same by solve()", statistics.median(run.wall for run in whole), "s"),
        Figure("nodes generated", nodes, "nodes"),
        Figure("nodes a second of processor", nodes / processor / 1e6, "M/s"),
        Figure("slowest of Korf's 100", _slowest(search), "s"),
    ]


def random_boards(folder: Path, runs: int, count: int) -> list[Figure]:
    """Boards that are all equally likely, by their seeds."""
    goal = blank_last(SIZE)
    problems = [Problem(scramble(SIZE, goal, seed), goal, None) for seed in range(count)]
    search = _measured(_searching(folder), problems, runs)
    whole = _measured(_solving(folder), problems, runs)
    ms = [1_000 * seconds for seconds in _medians(search)]
    whole_ms = 1_000 * statistics.median(run.wall for run in whole) / count
    return [
        Figure("random boards that were not proved", _wrong(problems, search), "boards", 0),
        Figure(f"{count:,} random boards, mean", statistics.mean(ms), "ms", 1.2),
        Figure(f"{count:,} random boards, mean by solve()", whole_ms, "ms"),
        Figure(f"{count:,} random boards, median", statistics.median(ms), "ms"),
        Figure(f"{count:,} random boards, slowest", max(ms), "ms"),
    ]


def farthest(folder: Path, runs: int, count: int) -> list[Figure]:
    """The boards at 80 moves, of which each has its bar."""
    problems = [Problem(one.board, one.goal, one.length) for one in farthest15()[:count]]
    search = _measured(_searching(folder), problems, runs)
    each = _medians(search)
    return [
        Figure("boards at 80 moves with another length", _wrong(problems, search), "boards", 0),
        Figure(f"the {len(problems)} boards at 80 moves, slowest", max(each), "s", 0.9),
        Figure(f"the {len(problems)} boards at 80 moves, median", statistics.median(each), "s"),
    ]


def _searching(folder: Path) -> Search:
    return lambda board, goal: ida_star(board, goal, pdb_folder=folder)


def _solving(folder: Path) -> Search:
    return lambda board, goal: solve(board, goal, pdb_folder=folder)


def _measured(search: Search, problems: Sequence[Problem], runs: int) -> list[Run]:
    _pass(search, problems)  # loads pages of the databases that a first search would wait for
    return [_pass(search, problems) for _ in range(runs)]


def _pass(search: Search, problems: Sequence[Problem]) -> Run:
    results, seconds = [], []
    processor = time.process_time()
    for problem in problems:
        began = time.perf_counter()
        results.append(search(problem.board, problem.goal))
        seconds.append(time.perf_counter() - began)
    return Run(results, seconds, time.process_time() - processor)


def _wrong(problems: Sequence[Problem], runs: Sequence[Run]) -> int:
    return sum(
        not result.optimal or problem.length not in (None, result.upper_bound)
        for run in runs
        for problem, result in zip(problems, run.results, strict=True)
    )


def _medians(runs: Sequence[Run]) -> list[float]:
    """Seconds of each board."""
    return [statistics.median(times) for times in zip(*(run.seconds for run in runs), strict=True)]


def _slowest(runs: Sequence[Run]) -> float:
    return statistics.median(max(run.seconds) for run in runs)


def _keep_to_one_core() -> None:
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


if __name__ == "__main__":
    main()
