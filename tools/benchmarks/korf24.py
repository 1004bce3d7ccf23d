"""Korf's 50 boards of the 24-puzzle, each solved by `solve` on one core.

Boards that have a row are not searched again without ``--restart``. Node counts are deterministic:
every run begins with #38, and exits if the search has changed since it was recorded. ``--cores 2``
solves two boards at a time, the hardest first.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from statistics import median

from tilework.core.solver.solve import solve
from tools.benchmarks.boards import Instance, build_databases, read_korf50
from tools.benchmarks.programs import time_call
from tools.benchmarks.record import Figure, read_rows, run

EASE_HEURISTIC = "zpdb_small_fsm"
"""The heuristic whose published node counts order the boards from easy to hard."""

SHORT_BOARD = 38
QUICK_S = 5.0
MAX_RUNS = 5
"""Runs of a quick board, whose median is used."""


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
    if not result.optimal or result.upper_bound != instance.length:
        raise SystemExit(
            f"{instance.name} ended with {result.lower_bound} ≤ optimal ≤ {result.upper_bound}; "
            f"it is {instance.length}"
        )
    nodes = result.statistics.generated
    details = {"length": instance.length, "nodes": nodes, "at_a_time": at_a_time}
    return Figure(f"#{instance.number:02}", median(times), "s", details=details)


def measure(options: argparse.Namespace) -> Iterator[Figure]:
    instances, folder = read_korf50(), build_databases(5)
    rows = {} if options.restart else read_rows("korf24")
    short = solve_board(instances[SHORT_BOARD], folder, 1)
    recorded = rows.get(short.what, short.details)["nodes"]
    if short.details["nodes"] != recorded:
        raise SystemExit(
            f"the search has changed: board {short.what} took {recorded:,} nodes and takes "
            f"{short.details['nodes']:,}; start a new record with --restart"
        )
    by_ease = sorted(instances, key=lambda number: instances[number].published[EASE_HEURISTIC])
    numbers = options.boards or by_ease[: options.easiest]
    missing = [instances[number] for number in numbers if f"#{number:02}" not in rows]
    missing.sort(key=lambda instance: -instance.published[EASE_HEURISTIC])
    with ProcessPoolExecutor(options.cores, mp_context=get_context("spawn")) as pool:
        searches = [pool.submit(solve_board, board, folder, options.cores) for board in missing]
        for search in as_completed(searches):
            yield search.result()


if __name__ == "__main__":
    run(
        "korf24",
        __doc__,
        {"boards": measure},
        boards=(int,),
        easiest=50,
        cores=1,
        restart=False,
    )
