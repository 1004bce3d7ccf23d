"""Korf's 50 boards of the 24-puzzle in this process.

Each solved board is written to ``data/korf24_boards.json`` immediately and is not searched again,
so that a run that takes hours can be interrupted. If no boards are requested, the recorded ones are
reported. Node counts are deterministic: every run begins with #38, and exits if the search has
changed since it was recorded. ``--cores 2`` solves two boards at a time, each on one core.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from datetime import UTC, datetime
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from statistics import median

from tilework.core.solver.solve import solve
from tools.benchmarks.harness.boards import Instance, build_databases, read_korf50
from tools.benchmarks.harness.report import (
    DATA,
    Figure,
    Row,
    at_least,
    read_rows,
    run,
    write_rows,
)
from tools.benchmarks.harness.timing import time_call

BOARDS = DATA / "korf24_boards.json"
PAGE = Path(__file__).parents[2] / "docs" / "korf24.md"
EASE_HEURISTIC = "zpdb_small_fsm"
"""The heuristic whose published node counts order the boards from easy to hard."""
SHOWN_HEURISTICS = ("kf2002_6666_nodes", "8-8-8", EASE_HEURISTIC)

PAGE_TEMPLATE = """\
# Korf's fifty 24-puzzles

Written by `python -m tools.benchmarks.korf24`. Each board was solved by
`tilework.core.solver.solve` in one process on one core; "at a time" is the number of such
searches that shared the machine. Every solution was replayed, and every length agrees with the
published one. One core proves {quick} of these boards within ten minutes each.

Published node counts are beside them, in millions: R. Korf and A. Felner (2002) with 6-6-6-6, J.
Döbbelin et al. with 8-8-8, and R. Clausecker with a catalogue of zero-aware databases and an
automaton of forbidden sequences.

| board | length | nodes | seconds | M/s | at a time | measured | 6-6-6-6 | 8-8-8 | zero-aware |
|---|---|---|---|---|---|---|---|---|---|
{table}
"""

SHORT_BOARD = 38
CORES = 2
QUICK_S = 5.0
JOB_S = 600.0
"""The time limit of a job in which most random boards should be proved."""

MAX_RUNS = 5
"""Runs of a quick board, whose median is used."""


def solve_boards(boards: Sequence[Instance], folder: Path, cores: int) -> Iterator[Row]:
    """Solve boards in parallel; yield each one when it is solved."""
    # Start with the hardest boards, so that all cores are busy until the end.
    hardest_first = sorted(boards, key=lambda instance: -instance.published[EASE_HEURISTIC])
    with ProcessPoolExecutor(cores, mp_context=get_context("spawn")) as pool:
        searches = [pool.submit(solve_board, instance, folder, cores) for instance in hardest_first]
        for search in as_completed(searches):
            yield search.result()


def solve_board(instance: Instance, folder: Path, cores: int) -> Row:
    """Solve one board, several times if it is quick; exit if its length is wrong."""
    # Map the databases and compile the kernels.
    solve(next(instance.goal.neighbors()), instance.goal, pdb_folder=folder)
    times: list[float] = []
    while not times or (len(times) < MAX_RUNS and sum(times) < QUICK_S):
        search = partial(solve, instance.board, instance.goal, pdb_folder=folder)
        result, seconds = time_call(search)
        times.append(seconds)
    if not result.optimal or result.upper_bound != instance.length:
        raise SystemExit(
            f"{instance.name} ended with {result.lower_bound} ≤ optimal ≤ {result.upper_bound}; "
            f"it is {instance.length}"
        )
    nodes = result.statistics.generated
    return {
        "board": instance.number,
        "length": result.upper_bound,
        "nodes": nodes,
        "seconds": round(median(times), 3),
        "nodes_per_s": round(nodes / median(times)),
        "cores": cores,
        "measured": datetime.now(UTC).date().isoformat(),
    }


def time_short_board(
    instances: dict[int, Instance], rows: dict[int, Row], folder: Path
) -> Iterator[Figure]:
    """Solve one board while the other core is idle; exit if the record is of another search."""
    row = solve_board(instances[SHORT_BOARD], folder, 1)
    recorded_nodes = rows.get(SHORT_BOARD, row)["nodes"]
    if row["nodes"] != recorded_nodes:
        raise SystemExit(
            f"the search has changed: board {SHORT_BOARD} took {recorded_nodes:,} nodes "
            f"and takes {row['nodes']:,}; start a new record with --restart"
        )
    yield Figure(f"#{SHORT_BOARD}, one core", row["seconds"], "s", 0.4)


def report_figures(instances: dict[int, Instance], rows: Sequence[Row]) -> Iterator[Figure]:
    """Yield figures, and write ``docs/korf24.md``."""
    nodes, seconds = (sum(row[name] for row in rows) for name in ("nodes", "seconds"))
    quick = sum(row["seconds"] <= JOB_S for row in rows)
    yield at_least("boards solved, all with the known length", len(rows), "boards", len(instances))
    yield Figure("total nodes", nodes / 1e9, "G", 800)
    yield Figure("total time of two cores, with a search on each", seconds / CORES / 3_600, "h", 5)
    yield Figure("nodes per second of two cores", CORES * nodes / seconds / 1e6, "M/s")
    yield at_least("proved by one core within ten minutes", quick, "boards", 30)
    published = {
        row["board"]: [instances[row["board"]].published[name] for name in SHOWN_HEURISTICS]
        for row in rows
    }
    lines = [
        f"| #{row['board']:02} | {row['length']} | {row['nodes']:,} | {row['seconds']:,.2f} "
        f"| {row['nodes_per_s'] / 1e6:.1f} | {row['cores']} | {row['measured']} | "
        + " | ".join(f"{count / 1e6:,.0f}" for count in published[row["board"]])
        + " |"
        for row in sorted(rows, key=lambda row: row["seconds"])
    ]
    totals = (f"{sum(column) / 1e6:,.0f}" for column in zip(*published.values(), strict=True))
    lines.append(
        f"| all | | {nodes:,} | {seconds:,.0f} | {nodes / seconds / 1e6:.1f} | | | "
        + " | ".join(totals)
        + " |"
    )
    PAGE.write_text(PAGE_TEMPLATE.format(table="\n".join(lines), quick=quick), encoding="utf-8")


def measure(options: argparse.Namespace) -> Iterator[Figure]:
    instances = read_korf50()
    rows = {} if options.restart else read_rows(BOARDS, "board")
    by_ease = sorted(instances, key=lambda number: instances[number].published[EASE_HEURISTIC])
    folder = build_databases(5)
    yield from time_short_board(instances, rows, folder)
    numbers = options.boards or by_ease[: options.easiest]
    missing = [instances[number] for number in numbers if number not in rows]
    for row in solve_boards(missing, folder, options.cores):
        print(row, flush=True)
        rows[row["board"]] = row
        if not options.trial:
            write_rows(BOARDS, rows)
    if not options.trial:
        yield from report_figures(instances, list(rows.values()))


if __name__ == "__main__":
    run(
        "korf24",
        __doc__,
        {"": measure},
        "Every board: [korf24.md](korf24.md).",
        boards=(int,),
        easiest=0,
        cores=1,
        restart=False,
    )
