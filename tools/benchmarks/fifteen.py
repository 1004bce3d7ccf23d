"""The 15-puzzle on one core: Korf's 100 boards, random boards and the 17 farthest; also 3×3 boards.

``search``: from a board to its replayed solution, after databases were mapped, kernels compiled,
and each board searched once; the medians of several passes. On a busy machine, processor time is
more meaningful than wall time, so both are given. ``command``: all of ``tilework solve --jsonl``
with Korf's boards, with its start and on all cores.
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
from tools.benchmarks.boards import (
    build_databases,
    random_board,
    read_farthest15,
    read_korf100,
    square_goal,
)
from tools.benchmarks.programs import TILEWORK, run_program, time_call
from tools.benchmarks.record import Figure, run

Problem = tuple[Board, Board, int | None]
"""A board, its goal, and its length if known."""


class Passes(NamedTuple):
    """The medians of several passes over some boards; `wrong` results are unproven or too long."""

    seconds: list[float]
    processor_s: float
    nodes: int
    wrong: int


def measure_passes(
    search: Callable[[Board, Board], SearchResult], problems: Sequence[Problem], runs: int
) -> Passes:
    """Search all boards several times, after one pass that is not measured."""
    board_seconds, processor_s, results = [], [], []
    for _ in range(1 + runs):
        started = time.process_time()
        timings = [time_call(partial(search, board, goal)) for board, goal, _ in problems]
        processor_s.append(time.process_time() - started)
        board_seconds.append([seconds for _, seconds in timings])
        results = [result for result, _ in timings]
    wrong = sum(
        not result.optimal or length not in (None, result.upper_bound)
        for (_, _, length), result in zip(problems, results, strict=True)
    )
    return Passes(
        [median(times) for times in zip(*board_seconds[1:], strict=True)],
        median(processor_s[1:]),
        sum(result.statistics.generated for result in results),
        wrong,
    )


def measure_search(runs: int, random: int) -> Iterator[Figure]:
    folder = build_databases(4)
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    search, run_solve = partial(ida_star, pdb_folder=folder), partial(solve, pdb_folder=folder)
    korf: list[Problem] = [(one.board, one.goal, one.length) for one in read_korf100()]
    farthest: list[Problem] = [(one.board, one.goal, one.length) for one in read_farthest15()]
    randoms: list[Problem] = [(random_board(4, n), square_goal(4), None) for n in range(random)]
    small: list[Problem] = [(random_board(3, n), square_goal(3), None) for n in range(random)]
    wrong = 0
    for label, problems, bar in (
        ("Korf's 100", korf, 0.12),
        (f"{random:,} random boards", randoms, None),
        (f"the {len(farthest)} boards at 80 moves", farthest, None),
    ):
        passes, solved = (measure_passes(find, problems, runs) for find in (search, run_solve))
        wrong += passes.wrong + solved.wrong
        yield Figure(f"{label}, total search time", sum(passes.seconds), "s", bar)
        yield Figure(f"{label}, processor time", passes.processor_s, "s")
        yield Figure(f"{label}, processor time of solve()", solved.processor_s, "s")
        yield Figure(f"{label}, nodes", passes.nodes, "nodes")
        yield Figure(f"{label}, nodes per second", passes.nodes / passes.processor_s / 1e6, "M/s")
        yield Figure(f"{label}, mean", 1_000 * mean(passes.seconds), "ms")
        yield Figure(f"{label}, median", 1_000 * median(passes.seconds), "ms")
        yield Figure(f"{label}, slowest", 1_000 * max(passes.seconds), "ms")
    passes = measure_passes(run_solve, small, runs)
    yield Figure("solutions that are not optimal", wrong + passes.wrong, "boards", 0)
    yield Figure("random 3×3, median of solve()", 1e6 * median(passes.seconds), "µs", 2_000)


def measure_command(runs: int) -> Iterator[Figure]:
    instances = read_korf100()
    lines = "".join(f"{one.name} {one.line}\n" for one in instances)
    command = [TILEWORK, "solve", "--jsonl", "-", "--goal", "blank-first"]
    programs = [run_program(command, input_text=lines) for _ in range(1 + runs)][1:]
    records = [json.loads(line) for line in programs[0].output.splitlines()]
    wrong = sum(
        (record["length"], record["optimal"]) != (one.length, True)
        for record, one in zip(records, instances, strict=True)
    )
    label = "Korf's 100 by solve --jsonl"
    yield Figure(f"{label}: solutions that are not optimal", wrong, "boards", 0)
    yield Figure(f"{label}, with its start", median(one.seconds for one in programs), "s", 1.2)
    yield Figure(f"{label}, processor time", median(one.processor_s for one in programs), "s")


if __name__ == "__main__":
    run(
        "fifteen",
        __doc__,
        {
            "command": lambda o: measure_command(o.runs),
            "search": lambda o: measure_search(o.runs, o.random),
        },
        runs=5,
        random=1_000,
    )
