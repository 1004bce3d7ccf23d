"""Korf's 50 boards of the 24-puzzle, solved in process, and how long all of them would take.

Usage: python -m tools.benchmarks.korf24 --boards 38 25
       python -m tools.benchmarks.korf24 --easiest 25 --cores 2
       python -m tools.benchmarks.korf24 --report

Every board that is solved is written at once to ``data/korf24_boards.json``; a board that is
there is not searched again, so that a run of hours can be cut into pieces. Counts of nodes are
the same each time: before a run goes on, it solves the quickest recorded board again, and refuses
to mix searches that differ. ``--cores 2`` solves two boards at a time, each on a core of its own.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from datetime import UTC, datetime
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from tilework.core.puzzle.board import Size
from tilework.core.solver.solve import solve
from tools.benchmarks.instances import Instance, korf50
from tools.benchmarks.korf24_page import write_page
from tools.benchmarks.korf24_projection import Projection, project
from tools.benchmarks.ready_pdb import ready_pdb_folder
from tools.benchmarks.report import DATA, Figure, record

BOARDS = DATA / "korf24_boards.json"
EASE = "zpdb_small_fsm"
"""Whose published node counts order the boards from easy to hard."""

QUICK_S = 5.0
MOST_RUNS = 5
"""A board's time is the median of so many runs, as long as they take a few seconds in all."""

Row = dict[str, Any]


def main() -> None:
    options = _options()
    instances = {one.number: one for one in korf50()}
    rows = {} if options.anew else read_rows()
    wanted = _wanted(options, instances)
    if wanted:
        folder = ready_pdb_folder(Size(5, 5))
        check_sameness(instances, rows, folder)
        missing = [instances[number] for number in wanted if number not in rows]
        for row in solved(missing, folder, options.cores):
            rows[row["board"]] = row
            write_rows(rows)
            print(_line(row), flush=True)
    report(list(instances.values()), list(rows.values()))


def solved(boards: Sequence[Instance], folder: Path, cores: int) -> Iterator[Row]:
    """Solve boards, so many at a time, and yield each as it is done."""
    if cores == 1:
        for board in boards:
            yield solved_board(board, folder, cores)
        return
    # The hardest first: no core is left with a long one at the end.
    hardest_first = sorted(boards, key=lambda one: -one.published[EASE])
    with ProcessPoolExecutor(cores, mp_context=get_context("spawn")) as pool:
        searches = [pool.submit(solved_board, one, folder, cores) for one in hardest_first]
        for search in as_completed(searches):
            yield search.result()


def solved_board(instance: Instance, folder: Path, cores: int) -> Row:
    """Solve one board, a quick one several times; a wrong length ends everything."""
    # A board next to the goal makes the process map and compile what it needs.
    solve(next(instance.goal.neighbors()), instance.goal, pdb_folder=folder)
    times: list[float] = []
    while not times or (len(times) < MOST_RUNS and sum(times) < QUICK_S):
        began = time.perf_counter()
        result = solve(instance.board, instance.goal, pdb_folder=folder)
        times.append(time.perf_counter() - began)
    seconds = statistics.median(times)
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
        "seconds": round(seconds, 3),
        "nodes_per_s": round(nodes / seconds),
        "cores": cores,
        "measured": datetime.now(UTC).date().isoformat(),
    }


def check_sameness(instances: dict[int, Instance], rows: dict[int, Row], folder: Path) -> None:
    """Refuse to add to rows that another search has made."""
    if not rows:
        return
    quickest = min(rows.values(), key=lambda row: row["nodes"])
    again = solved_board(instances[quickest["board"]], folder, 1)
    if again["nodes"] != quickest["nodes"]:
        raise SystemExit(
            f"the search has changed: board {quickest['board']} took {quickest['nodes']:,} nodes "
            f"and takes {again['nodes']:,}; begin a new record with --anew"
        )


def report(instances: Sequence[Instance], rows: Sequence[Row]) -> None:
    """Record figures and write ``docs/korf24.md`` out of the boards solved so far."""
    if not rows:
        raise SystemExit("no board is recorded yet; try --boards 38")
    projection = project(instances, rows)
    one_core = {row["board"]: row for row in rows if row["cores"] == 1}
    figures = [
        Figure("boards solved, all of the known length", len(rows), "boards"),
        Figure("nodes in all", sum(row["nodes"] for row in rows), "nodes"),
        Figure("nodes a second of two cores", projection.nodes_per_s / 1e6, "M/s"),
    ]
    if 38 in one_core:
        figures.append(Figure("board 38, one core", one_core[38]["seconds"], "s", 1))
    figures += projection_figures(projection)
    record("korf24", figures, "Every board: [korf24.md](korf24.md).")
    write_page(instances, rows, projection)


def projection_figures(projection: Projection) -> list[Figure]:
    """What all fifty boards would take on two cores."""
    if projection.hours is None:
        return []
    low, middle, high = projection.hours
    return [
        Figure("all fifty on two cores, projected", middle, "h", 5),
        Figure("the same, 10th percentile of the estimate", low, "h"),
        Figure("the same, 90th percentile of the estimate", high, "h"),
    ]


def read_rows() -> dict[int, Row]:
    """Return what is recorded, by the number of the board."""
    if not BOARDS.exists():
        return {}
    return {row["board"]: row for row in json.loads(BOARDS.read_text(encoding="utf-8"))}


def write_rows(rows: dict[int, Row]) -> None:
    """Record boards, one a line; a cut in the middle of it leaves the file as it was."""
    DATA.mkdir(exist_ok=True)
    lines = ",\n".join(json.dumps(rows[number]) for number in sorted(rows))
    fresh = BOARDS.with_suffix(".new")
    fresh.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    fresh.replace(BOARDS)


def _wanted(options: argparse.Namespace, instances: dict[int, Instance]) -> list[int]:
    by_ease = sorted(instances, key=lambda number: instances[number].published[EASE])
    wanted = options.boards or by_ease[: options.easiest]
    unknown = set(wanted) - set(instances)
    if unknown:
        raise SystemExit(f"there is no board {min(unknown)}; they are numbered from 1 to 50")
    return wanted


def _line(row: Row) -> str:
    rate = row["nodes_per_s"] / 1e6
    return (
        f"#{row['board']:02} {row['length']} moves, {row['nodes']:,} nodes, "
        f"{row['seconds']:.2f} s, {rate:.1f} M/s"
    )


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--boards", type=int, nargs="+", metavar="NUMBER", help="these, from 1 on")
    which.add_argument("--easiest", type=int, default=0, metavar="COUNT", help="by known counts")
    which.add_argument("--report", action="store_true", help="solve none; write what is recorded")
    parser.add_argument("--cores", type=int, default=1, help="boards solved at a time")
    parser.add_argument("--anew", action="store_true", help="forget what is recorded")
    return parser.parse_args()


if __name__ == "__main__":
    main()
