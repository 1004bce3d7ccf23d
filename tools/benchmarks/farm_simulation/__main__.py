"""How well 8 to 4,096 workers share one solve, by a simulation with measured costs.

Usage: python -m tools.benchmarks.farm_simulation [--workers 8 64 512] [--minutes 10]
           [--longest SECONDS]

`farm` says what is real here and what is simulated. Transactions and tickets cost what they did on
2026-11-21 (``data/transaction_costs.json``), and slices vary as those of ``benchmarks.farm --parts
scaling`` did. The tree is drawn (`tree`), as large as keeps
the workers busy for the minutes of a figure if none of them is ever idle. Efficiency is the search
that was kept, in seconds, by workers × seconds until the proof is stored.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from statistics import median

from tilework.core.settings import Settings
from tools.benchmarks.farm_simulation.farm import SimulatedFarm
from tools.benchmarks.farm_simulation.plan import Costs, Plan
from tools.benchmarks.farm_simulation.tree import DrawnTree
from tools.benchmarks.harness.report import DATA, Figure, at_least, run

BARS = {8: 95.0, 64: 92.0, 512: 85.0}
MINUTES = 10.0
ROUND_TRIP_MS = 0.25
"""From a worker's host to the database's and back, within one data centre."""
NODES_PER_S = 1_000
"""Of a worker: a search stops to the millisecond."""
GROWTH = 8.0
"""From one threshold of a 24-puzzle to the next."""
SEED = 24
PROCESSES = 2


def paces() -> list[float]:
    """Return seconds a node of the recorded slices, by their mean; small ones are left out."""
    slices = json.loads((DATA / "slice_times.json").read_text("utf-8"))
    usual = median(nodes for nodes, _ in slices)
    long = [(nodes, seconds) for nodes, seconds in slices if nodes >= usual / 2]
    mean = sum(seconds for _, seconds in long) / sum(nodes for nodes, _ in long)
    return [seconds / nodes / mean for nodes, seconds in long]


def costs_of(database: str) -> Costs:
    return Costs(**json.loads((DATA / "transaction_costs.json").read_text("utf-8"))[database])


def plan_of(workers: int, minutes: float, longest: float) -> Plan:
    return Plan(
        tree=DrawnTree(workers * 60 * minutes * NODES_PER_S, GROWTH, SEED),
        workers=workers,
        nodes_per_s=NODES_PER_S,
        costs=costs_of("postgresql"),
        round_trip=ROUND_TRIP_MS / 1e3,
        paces=paces(),
        settings=Settings(search_slice_most_s=longest) if longest else Settings(),
    )


def simulated(name: str, plan: Plan, bars: tuple[float | None, float | None]) -> list[Figure]:
    """Simulate a solve; the bars are of its efficiency and of a threshold's start."""
    began = time.perf_counter()
    report = SimulatedFarm(plan).run()
    print(f"  {name}: {report.slices:,} slices in {time.perf_counter() - began:.0f} s", flush=True)
    able, searching = plan.workers * report.makespan, plan.workers * report.searched
    start = f"{name}: a threshold's start to nine in ten at work, longest"
    tail = f"{name}: from nine in ten at work to a threshold's end, longest"
    undone = 100 * report.useful / searching
    return [
        at_least(f"{name}: efficiency", 100 * report.useful / able, "%", bars[0]),
        Figure(f"{name}: the same until nothing was left to search", undone, "%"),
        Figure(f"{name}: a slice, mean", report.useful / report.slices, "s"),
        Figure(
            f"{name}: time in which the solve's row is held",
            100 * report.locked / report.makespan,
            "%",
        ),
        Figure(f"{name}: workers' time in which they wait for it", 100 * report.waited / able, "%"),
        Figure(start, max(report.spreads, default=float("nan")), "s", bars[1]),
        Figure(tail, max(report.tails, default=float("nan")), "s"),
        Figure(f"{name}: the last check", report.makespan - report.searched, "s"),
    ]


def measured(options: argparse.Namespace) -> Iterator[Figure]:
    full = options.minutes >= MINUTES
    words = f", slices of up to {options.longest:g} s" if options.longest else ""
    words += "" if full else f", {options.minutes:g} min"
    runs = []
    for workers in options.workers:
        plan = plan_of(workers, options.minutes, options.longest)
        bars = (BARS.get(workers), 2.0) if full else (None, None)
        runs.append((f"{workers:,} workers, PostgreSQL{words}", plan, bars))
        if workers == min(BARS):
            lite = replace(plan, costs=costs_of("sqlite"), round_trip=0.0)
            runs.append((f"{workers:,} workers, SQLite{words}", lite, bars))
    with ProcessPoolExecutor(PROCESSES) as pool:
        for figures in pool.map(simulated, *zip(*runs, strict=True)):
            yield from figures


if __name__ == "__main__":
    run(
        "farm_simulation",
        __doc__,
        {"": measured},
        f"Drawn trees, {GROWTH:g} times as large with each threshold; {ROUND_TRIP_MS} ms for each "
        f"statement on PostgreSQL. A solve takes as many worker-minutes as workers × {MINUTES:g}, "
        "or × what is said.",
        workers=tuple(BARS),
        minutes=MINUTES,
        longest=0.0,
    )
