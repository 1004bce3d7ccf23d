"""The solver in this process and as a command: 15-puzzles, 24-puzzles, and large boards."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from statistics import fmean, median
from typing import Any, NamedTuple

from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.moves import from_letters
from tilework.core.puzzle.replay import replay
from tilework.core.puzzle.scramble import scramble
from tilework.core.solver.optimal.ida_star import ida_star
from tilework.core.solver.result import SearchResult
from tilework.core.solver.solve import solve
from tools.benchmarks.boards import (
    Instance,
    build_databases,
    format_line,
    random_board,
    read_farthest15,
    read_korf50,
    read_korf100,
    square_goal,
)
from tools.benchmarks.programs import TILEWORK, run_program, time_call
from tools.benchmarks.record import NONE, Figure, read_rows

Problem = tuple[Board, Board, int | None]
"""A board, its goal, and its length if known."""

EASE_HEURISTIC = "zpdb_small_fsm"
"""The heuristic whose published node counts order the boards from easy to hard."""

SHORT_BOARD = 38
QUICK_S = 5.0
MAX_RUNS = 5
"""Runs of a quick board, whose median is used."""

FIRST_SEED = 9_000

# The target ratio by side and seconds.
BARS: dict[int, dict[float, float]] = {
    5: {0.5: 1.34, 10: 1.315},
    6: {0.5: 1.40, 10: 1.31, 60: 1.30},
    7: {0.5: 1.45, 10: 1.345, 60: 1.31},
    8: {0.5: 1.50, 10: 1.29, 60: 1.26},
    10: {0.5: 1.62, 10: 1.33, 60: 1.29},
    12: {0.5: 1.65, 10: 1.50, 60: 1.43},
    16: {0.5: 1.80, 10: 1.44, 60: 1.38},
    20: {0.5: 1.90, 10: 1.47, 60: 1.42},
    32: {0.5: 1.85, 10: 1.48, 60: 1.43},
    50: {0.5: 1.85, 10: 1.46, 60: 1.41},
    100: {3: 1.65, 10: 1.43, 60: 1.38},
    256: {10: 1.50, 60: 1.38},
}
ANY_BARS_S = {"100": 1.0, "256": 5.0}
"""Maximum seconds to any solution, by side."""

MEMORY_MB = 1_500.0
SIZES = [*map(str, BARS), "30x8", "100x5", "12x40"]
LIMITS = [0.5, 10.0, 60.0]


class Passes(NamedTuple):
    """The medians of several passes over some boards."""

    seconds: list[float]
    processor_s: float
    nodes: int


def measure_passes(
    find: Callable[[Board, Board], SearchResult], problems: Sequence[Problem], runs: int
) -> Passes:
    """Search all boards several times, after one pass that is not measured; check the lengths."""
    board_seconds, processor_s, results = [], [], []
    for _ in range(1 + runs):
        started = time.process_time()
        timings = [time_call(partial(find, board, goal)) for board, goal, _ in problems]
        processor_s.append(time.process_time() - started)
        board_seconds.append([seconds for _, seconds in timings])
        results = [result for result, _ in timings]
    for (board, _, length), result in zip(problems, results, strict=True):
        if not result.optimal or length not in (None, result.upper_bound):
            raise SystemExit(f"{board!r} has {length} moves and not {result.upper_bound}")
    return Passes(
        [median(times) for times in zip(*board_seconds[1:], strict=True)],
        median(processor_s[1:]),
        sum(result.statistics.generated for result in results),
    )


def fifteen(runs: int = 5, random: int = 1_000) -> Iterator[Figure]:
    """From a board to its replayed solution, on one core: medians of several passes.

    Databases were mapped, kernels compiled, and each board searched once. On a busy machine,
    processor time is more meaningful than wall time.
    """
    folder = build_databases(4)
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    run_ida_star, run_solve = (
        partial(ida_star, pdb_folder=folder),
        partial(solve, pdb_folder=folder),
    )
    korf: list[Problem] = [(one.board, one.goal, one.length) for one in read_korf100()]
    farthest: list[Problem] = [(one.board, one.goal, one.length) for one in read_farthest15()]
    randoms: list[Problem] = [(random_board(4, n), square_goal(4), None) for n in range(random)]
    small: list[Problem] = [(random_board(3, n), square_goal(3), None) for n in range(random)]
    for label, problems, mean_bar, slowest_bar in (
        ("Korf's 100", korf, 1.2, None),
        (f"{random:,} random boards", randoms, 1, None),
        (f"the {len(farthest)} boards at 80 moves", farthest, None, 600),
    ):
        passes = measure_passes(run_ida_star, problems, runs)
        yield Figure(f"{label}, processor time", passes.processor_s, "s")
        solved = measure_passes(run_solve, problems, runs)
        yield Figure(f"{label}, processor time of solve()", solved.processor_s, "s")
        yield Figure(f"{label}, nodes", passes.nodes, "nodes")
        yield Figure(f"{label}, mean", 1_000 * fmean(passes.seconds), "ms", mean_bar)
        yield Figure(f"{label}, slowest", 1_000 * max(passes.seconds), "ms", slowest_bar)
    passes = measure_passes(run_solve, small, runs)
    yield Figure("random 3×3, median of solve()", 1e6 * median(passes.seconds), "µs", 2_000)


def solve_board(instance: Instance, folder: Path, at_a_time: int) -> Figure:
    """Solve a board, several times if it is quick; exit if its length is wrong."""
    # Map the databases and compile the kernels.
    solve(next(instance.goal.neighbors()), instance.goal, pdb_folder=folder)
    times: list[float] = []
    while not times or (len(times) < MAX_RUNS and sum(times) < QUICK_S):
        result, seconds = time_call(
            partial(solve, instance.board, instance.goal, pdb_folder=folder)
        )
        times.append(seconds)
    instance.check(result.lower_bound, result.upper_bound)
    nodes = result.statistics.generated
    details = {"length": instance.length, "nodes": nodes, "at_a_time": at_a_time}
    return Figure(f"#{instance.number:02}", median(times), "s", details=details)


def korf24(
    boards: list[int] = NONE, easiest: int = 50, cores: int = 1, restart: bool = False
) -> Iterator[Figure]:
    """Korf's 50 boards of the 24-puzzle, each solved by `solve` on one core.

    Boards that have a row are not searched again without --restart. Node counts are deterministic:
    every run begins with #38, and exits if the search has changed since it was recorded. --cores 2
    solves two boards at a time, the hardest first.
    """
    instances, folder = read_korf50(), build_databases(5)
    rows = {} if restart else read_rows("korf24")
    short = solve_board(instances[SHORT_BOARD], folder, 1)
    recorded = rows.get(short.what, short.details)["nodes"]
    if short.details["nodes"] != recorded:
        raise SystemExit(
            f"the search has changed: board {short.what} took {recorded:,} nodes and takes "
            f"{short.details['nodes']:,}; start a new record with --restart"
        )
    by_ease = sorted(instances, key=lambda number: instances[number].published[EASE_HEURISTIC])
    numbers = boards or by_ease[:easiest]
    missing = [instances[number] for number in numbers if f"#{number:02}" not in rows]
    missing.sort(key=lambda instance: -instance.published[EASE_HEURISTIC])
    with ProcessPoolExecutor(cores, mp_context=get_context("spawn")) as pool:
        searches = [pool.submit(solve_board, board, folder, cores) for board in missing]
        for search in as_completed(searches):
            yield search.result()


@dataclass(frozen=True)
class Answers:
    """The output of a command for some boards, and its megabytes."""

    records: list[dict[str, Any]]
    megabytes: float

    def mean(self, name: str) -> float:
        return fmean(row[name] for row in self.records)


def solve_all(boards: Sequence[Board], *options: str) -> Answers:
    """Solve boards with ``tilework solve --jsonl``, and replay the solutions."""
    lines = "".join(f"{index} {format_line(board)}\n" for index, board in enumerate(boards))
    result = run_program([TILEWORK, "solve", "--jsonl", "-", *options], input_text=lines)
    records = [json.loads(line) for line in result.output.splitlines()]
    for board, record in zip(boards, records, strict=True):
        replay(board, from_letters(record["moves"]), blank_last(board.size))
    return Answers(records, result.bytes / 1e6)


def select_boards(text: str, count: int) -> list[Board]:
    width, _, height = text.partition("x")
    size = Size(int(width), int(height or width))
    return [scramble(size, blank_last(size), FIRST_SEED + index) for index in range(count)]


def large(
    sizes: list[str] = SIZES, limits: list[float] = LIMITS, boards: int = 5
) -> Iterator[Figure]:
    """The length of solutions of large boards on the command line, by size and time.

    Means over random boards with seeds from 9,000 on, which are used for neither training nor
    tuning. One ``tilework solve --jsonl`` solves all boards of a row, after a call that compiles
    the kernels; its solutions are replayed. The ratio is the moves divided by the Manhattan
    distance; the gap is the excess over the proven lower bound, relative to it. The largest boards
    have a row for any solution, too.
    """
    for size in sizes:
        selected = select_boards(size, boards)
        bars = BARS.get(int(size), {}) if size.isdigit() else {}
        solve_all(selected[:1], "--time-limit", "20")
        for seconds in sorted({*limits, *(bar for bar in bars if bar not in LIMITS)}):
            answers = solve_all(selected, "--time-limit", str(seconds))
            name = f"{selected[0].size}, {seconds:g} s"
            yield Figure(f"{name}: ratio", answers.mean("ratio"), "", bars.get(seconds))
            gaps = [record["length"] / record["lower_bound"] - 1 for record in answers.records]
            yield Figure(f"{name}: gap", fmean(gaps))
            slowest = max(record["seconds"] for record in answers.records)
            yield Figure(f"{name}: slowest", slowest, "s")
            yield Figure(f"{name}: memory", answers.megabytes, "MB", MEMORY_MB)
        if size in ANY_BARS_S:
            answers = solve_all(selected, "--target", "any")
            name = f"{selected[0].size}, any solution"
            yield Figure(f"{name}: time", answers.mean("seconds"), "s", ANY_BARS_S[size])
            yield Figure(f"{name}: ratio", answers.mean("ratio"))
            yield Figure(f"{name}: memory", answers.megabytes, "MB", MEMORY_MB)
