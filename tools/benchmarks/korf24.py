"""Korf's 50 boards of the 24-puzzle in this process, and an estimate for all of them.

Each solved board is written to ``data/korf24_boards.json`` immediately and is not searched again,
so that a run that takes hours can be interrupted. If no boards are requested, the recorded ones are
reported. Node counts are deterministic: before a run continues, it solves the quickest recorded
board again, and exits if the search has changed. ``--cores 2`` solves two boards at a time, each on
one core.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from datetime import UTC, datetime
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tilework.core.solver.solve import solve
from tools.benchmarks.harness.boards import Instance, build_databases, read_korf50
from tools.benchmarks.harness.report import DATA, Figure, at_least, run
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

## All fifty

Two cores search {rate:.0f} million nodes per second. Of the searches with published node counts
(`tests/data/korf50_24puzzle.txt`), `{name}` is closest to ours: on the {count} solved boards, our
nodes are {ratio:.3g} times its nodes, within a factor of {spread:.2f} (one standard deviation).
From the easier half of these boards, the prediction for the harder half would have been
{predicted:.2f} times the actual nodes. With these ratios all fifty take {nodes:.3g} nodes:
**{middle:.1f} hours on two cores** (80% interval: {low:.1f} to {high:.1f}).
"""

CORES = 2
DRAWS = 20_000
SEED = 50
QUICK_S = 5.0
JOB_S = 600.0
"""The time limit of a job in which most random boards should be proved."""

MAX_RUNS = 5
"""Runs of a quick board, whose median is used."""

Row = dict[str, Any]
Floats = NDArray[np.float64]


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


def check_search_unchanged(
    instances: dict[int, Instance], rows: dict[int, Row], folder: Path
) -> None:
    """Exit if the recorded rows come from a different search."""
    quickest = min(rows.values(), key=lambda row: row["nodes"])
    repeated = solve_board(instances[quickest["board"]], folder, 1)
    if repeated["nodes"] != quickest["nodes"]:
        raise SystemExit(
            f"the search has changed: board {quickest['board']} took {quickest['nodes']:,} nodes "
            f"and takes {repeated['nodes']:,}; start a new record with --restart"
        )


def report_figures(instances: dict[int, Instance], rows: Sequence[Row]) -> Iterator[Figure]:
    """Yield figures, and write ``docs/korf24.md`` from the boards solved so far.

    Node counts of other searches are published for all fifty boards. The ratios of our nodes to
    theirs are assumed to be log-normal, with the same mean and spread on the remaining boards. The
    published search whose ratios vary least is used.
    """
    our_nodes = {row["board"]: float(row["nodes"]) for row in rows}
    easiest_first = sorted(our_nodes, key=lambda number: our_nodes[number])
    # The projection is for two searches that share the machine.
    timed_rows = [row for row in rows if row["cores"] == CORES] or rows
    rate = CORES * sum(row["nodes"] for row in timed_rows)
    rate /= sum(row["seconds"] for row in timed_rows)

    def get_published(name: str, numbers: Iterable[int]) -> Floats:
        return np.array([instances[number].published[name] for number in numbers], dtype=np.float64)

    solved_nodes = np.array([our_nodes[number] for number in easiest_first])
    logs = {
        name: np.log(solved_nodes / get_published(name, easiest_first))
        for name in instances[easiest_first[0]].published
    }
    name = min(logs, key=lambda heuristic: float(np.std(logs[heuristic])))
    remaining_nodes = get_published(
        name, (number for number in instances if number not in our_nodes)
    )
    totals = np.percentile(
        sum(our_nodes.values()) + draw_totals(logs[name], remaining_nodes), (10, 50, 90)
    )
    low, middle, high = (float(nodes) / rate / 3_600 for nodes in totals)
    half = len(our_nodes) // 2
    predicted = np.median(draw_totals(logs[name][:half], get_published(name, easiest_first[half:])))
    yield Figure("boards solved, all with the known length", len(rows), "boards")
    yield Figure("total nodes", sum(our_nodes.values()), "nodes")
    quick = sum(row["seconds"] <= JOB_S for row in rows)
    yield at_least("of fifty, proved by one core within ten minutes", quick, "boards", 30)
    yield Figure("nodes per second of two cores", rate / 1e6, "M/s")
    yield Figure("all fifty on two cores, projected", middle, "h", 5)
    yield Figure("the same, 10th percentile of the estimate", low, "h")
    yield Figure("the same, 90th percentile of the estimate", high, "h")
    table = (
        f"| #{row['board']:02} | {row['length']} | {row['nodes']:,} | {row['seconds']:,.2f} "
        f"| {row['nodes_per_s'] / 1e6:.1f} | {row['cores']} | {row['measured']} | "
        + " | ".join(
            f"{instances[row['board']].published[name] / 1e6:,.0f}" for name in SHOWN_HEURISTICS
        )
        + " |"
        for row in sorted(rows, key=lambda row: row["seconds"])
    )
    text = PAGE_TEMPLATE.format(
        table="\n".join(table),
        quick=quick,
        rate=rate / 1e6,
        name=name,
        count=len(rows),
        ratio=np.exp(logs[name].mean()),
        spread=np.exp(np.std(logs[name], ddof=1)),
        predicted=predicted / solved_nodes[half:].sum(),
        nodes=totals[1],
        low=low,
        middle=middle,
        high=high,
    )
    PAGE.write_text(text, encoding="utf-8")


def draw_totals(logs: Floats, their_nodes: Floats) -> Floats:
    """Draw total nodes of boards with unknown ratios, whose mean is uncertain, too."""
    random = np.random.default_rng(SEED)
    spread = np.std(logs, ddof=1)
    means = random.normal(logs.mean(), spread / np.sqrt(len(logs)), size=(DRAWS, 1))
    ratios = np.exp(random.normal(means, spread, size=(DRAWS, len(their_nodes))))
    totals: Floats = ratios @ their_nodes
    return totals


def read_rows() -> dict[int, Row]:
    return {row["board"]: row for row in json.loads(BOARDS.read_text(encoding="utf-8"))}


def write_rows(rows: dict[int, Row]) -> None:
    """Write the rows atomically, one per line."""
    lines = ",\n".join(json.dumps(rows[number]) for number in sorted(rows))
    new_file = BOARDS.with_suffix(".new")
    new_file.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    new_file.replace(BOARDS)


def measure(options: argparse.Namespace) -> Iterator[Figure]:
    instances = read_korf50()
    rows = {} if options.restart else read_rows()
    by_ease = sorted(instances, key=lambda number: instances[number].published[EASE_HEURISTIC])
    numbers = options.boards or by_ease[: options.easiest]
    if numbers:
        folder = build_databases(5)
        if rows:
            check_search_unchanged(instances, rows, folder)
        missing = [instances[number] for number in numbers if number not in rows]
        for row in solve_boards(missing, folder, options.cores):
            print(row, flush=True)
            rows[row["board"]] = row
            if not options.trial:
                write_rows(rows)
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
