"""How well 8, 64 and 512 workers share one solve, by a simulation with measured costs.

Usage: python -m benchmarks.farm_simulation [--board NUMBER] [--workers 8 64 512] [--minutes 10]

`simulated_farm` says what is real here and what is simulated. It needs the records of
`slice_times` and `transaction_costs`, and a board that `korf24` has solved: its nodes say how slow
the workers must be for the solve to take them all the asked-for minutes. Efficiency is the search
that was kept, in seconds, by workers × seconds until the solution is stored.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks import slice_times, transaction_costs
from benchmarks.farm_plan import Plan, Report
from benchmarks.instances import Instance, korf50
from benchmarks.korf24 import read_rows
from benchmarks.ready_pdb import ready_pdb_folder
from benchmarks.report import Figure, record
from benchmarks.simulated_farm import SimulatedFarm
from tilework.core.puzzle.board import Size
from tilework.core.settings import Settings

BARS = {8: 95.0, 64: 92.0, 512: 85.0}
MINUTES = 10.0
SHORT_MINUTES = 2.0
ROUND_TRIP_MS = 0.25
"""From a worker's host to the database's and back, within one data centre."""
ENOUGH_NODES = 2e9
"""A board of fewer is a tree too small to be cut into slices for 512 workers."""


def main() -> None:
    options = _options()
    rows = read_rows()
    number = options.board or enough_nodes(list(rows.values()))
    board = next(one for one in korf50() if one.number == number)
    folder = ready_pdb_folder(Size(5, 5))
    plan = planned(board, folder, rows[number]["nodes"], options.minutes)
    figures = []
    for workers in options.workers:
        figures += simulated(replace(plan, workers=workers), options.minutes)
    largest = max(options.workers)
    quicker = options.minutes / SHORT_MINUTES
    hasty = replace(plan, workers=largest, nodes_per_s=plan.nodes_per_s * quicker)
    figures += simulated(hasty, SHORT_MINUTES)
    lite = replace(plan, costs=transaction_costs.read()["sqlite"], round_trip=0.0)
    figures += simulated(replace(lite, workers=min(options.workers)), options.minutes)
    record(
        "farm_simulation",
        figures,
        notes=f"The tree is that of Korf's 24-puzzle #{number:02}, searched with slowed workers; "
        f"{len(plan.paces)} recorded slices; {ROUND_TRIP_MS} ms for each statement on PostgreSQL.",
    )


def planned(board: Instance, folder: Path, nodes: int, minutes: float) -> Plan:
    """Return the plan of one worker that would take so many minutes."""
    return Plan(
        board=board.board,
        goal=board.goal,
        pdb_folder=folder,
        workers=1,
        nodes_per_s=nodes / (60 * minutes),
        costs=transaction_costs.read()["postgresql"],
        round_trip=ROUND_TRIP_MS / 1e3,
        paces=paces(),
        settings=Settings(),
    )


def simulated(plan: Plan, minutes: float) -> list[Figure]:
    """Simulate workers for so many minutes of a solve; the plan's pace is for one worker."""
    plan = replace(plan, nodes_per_s=plan.nodes_per_s / plan.workers)
    began = time.perf_counter()
    report = SimulatedFarm(plan).run()
    took = time.perf_counter() - began
    name = f"{plan.workers} workers, {'SQLite' if plan.costs.one_writer else 'PostgreSQL'}"
    print(f"  {name}: {report.slices:,} slices in {took:.0f} s", flush=True)
    return _figures(plan, report, name, bar=minutes >= MINUTES)


def paces() -> list[float]:
    """Return seconds a node of the recorded slices, by their mean; short ones are left out."""
    slices = slice_times.read()
    usual = statistics.median(one["seconds"] for one in slices)
    long = [one for one in slices if one["seconds"] >= usual / 2]
    mean = sum(one["seconds"] for one in long) / sum(one["nodes"] for one in long)
    return [one["seconds"] / one["nodes"] / mean for one in long]


def enough_nodes(rows: Sequence[dict[str, int]]) -> int:
    """Return the smallest recorded board with enough nodes for a large farm."""
    enough = [row for row in rows if row["nodes"] >= ENOUGH_NODES]
    if not enough:
        raise SystemExit(f"no board of {ENOUGH_NODES:g} nodes is recorded; run benchmarks.korf24")
    return int(min(enough, key=lambda row: row["nodes"])["board"])


def _figures(plan: Plan, report: Report, name: str, bar: bool) -> list[Figure]:
    minutes = f"{report.makespan / 60:.1f} min"
    percent = 100 * report.efficiency(plan.workers)
    held = 100 * report.locked / report.makespan
    spread = max(report.spreads, default=float("nan"))
    return [
        Figure(
            f"{name}, {minutes}: efficiency",
            percent,
            "%",
            BARS.get(plan.workers) if bar else None,
            at_most=False,
        ),
        Figure(f"{name}, {minutes}: time in which the solve's row is held", held, "%"),
        Figure(f"{name}, {minutes}: a threshold's start to nine in ten at work", spread, "s", 2),
    ]


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--board", type=int, help="of Korf's 50; one that is recorded")
    parser.add_argument("--workers", type=int, nargs="+", default=list(BARS))
    parser.add_argument("--minutes", type=float, default=MINUTES, help="of the simulated solve")
    return parser.parse_args()


if __name__ == "__main__":
    main()
