"""How well 8 to 4,096 workers share one solve, by a simulation with measured costs.

Usage: python -m tools.benchmarks.farm_simulation [--workers 8 64 512] [--many 512 1024 2048 4096]
                                            [--board NUMBER]

`simulation.farm` says what is real here and what is simulated. It needs the records of
`slice_times` and `transaction_costs`. The tree is drawn (`simulation.tree`), as large as keeps the
workers busy for the minutes of a figure if none of them is ever idle. With ``--board``, one that
`korf24` has solved, it is that board's own and really searched, by workers so slow that it takes
them as long; that is for a few workers, and prints its figures without keeping them.

Efficiency is the search that was kept, in seconds, by workers × seconds until the proof is stored.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace

from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_first
from tilework.core.services.farm.local_solver import LocalSolver
from tilework.core.settings import Settings
from tools.benchmarks import slice_times, transaction_costs
from tools.benchmarks.instances import korf50
from tools.benchmarks.korf24 import read_rows
from tools.benchmarks.ready_pdb import ready_pdb_folder
from tools.benchmarks.report import Figure, record
from tools.benchmarks.simulation.farm import SimulatedFarm
from tools.benchmarks.simulation.plan import Plan, Report
from tools.benchmarks.simulation.tree import DrawnTree

BARS = {8: 95.0, 64: 92.0, 512: 85.0}
MINUTES = 10.0
MANY = (512, 1024, 2048, 4096)
SHORT_MINUTES = 3.0
LONG_SLICES_S = 20.0
ROUND_TRIP_MS = 0.25
"""From a worker's host to the database's and back, within one data centre."""
NODES_PER_S = 1_000
"""Of a worker in a drawn tree: a search stops to the millisecond."""
GROWTH = 8.0
"""From one threshold of a 24-puzzle to the next."""
SEED = 24
PROCESSES = 2


def main() -> None:
    options = _options()
    if options.board is not None:
        plans = [really_searched(options.board, workers) for workers in options.workers]
        for plan in plans:
            for figure in simulated(plan, MINUTES):
                print(figure.row())
        return
    runs = [(drawn(workers, MINUTES), MINUTES) for workers in options.workers]
    runs += [(drawn(workers, SHORT_MINUTES), SHORT_MINUTES) for workers in options.many]
    patient = Settings(search_slice_most_s=LONG_SLICES_S)
    most = drawn(max(options.many), SHORT_MINUTES)
    runs.append((replace(most, settings=patient), SHORT_MINUTES))
    few = drawn(min(options.workers), MINUTES)
    lite = replace(few, costs=transaction_costs.read()["sqlite"], round_trip=0.0)
    runs.append((lite, MINUTES))
    with ProcessPoolExecutor(PROCESSES) as pool:
        found = list(pool.map(simulated, *zip(*runs, strict=True)))
    record(
        "farm_simulation",
        [figure for figures in found for figure in figures],
        notes=f"Drawn trees, {GROWTH:g} times as large with each threshold; {len(few.paces)} "
        f"recorded slices; {ROUND_TRIP_MS} ms for each statement on PostgreSQL. A solve takes as "
        f"many worker-minutes as workers × {MINUTES:g}, or × {SHORT_MINUTES:g} where it says so.",
    )


def drawn(workers: int, minutes: float) -> Plan:
    """Return the plan of workers with a drawn tree that keeps them busy for so many minutes."""
    goal = blank_first(Size(5, 5))
    return Plan(
        tree=DrawnTree(workers * 60 * minutes * NODES_PER_S, GROWTH, SEED),
        board=goal,
        goal=goal,
        workers=workers,
        nodes_per_s=NODES_PER_S,
        costs=transaction_costs.read()["postgresql"],
        round_trip=ROUND_TRIP_MS / 1e3,
        paces=paces(),
        settings=Settings(),
    )


def really_searched(number: int, workers: int) -> Plan:
    """Return the plan of workers with one of Korf's 24-puzzles, which is really searched."""
    board = next(one for one in korf50() if one.number == number)
    nodes = read_rows()[number]["nodes"]
    return replace(
        drawn(workers, MINUTES),
        tree=LocalSolver(ready_pdb_folder(Size(5, 5))),
        board=board.board,
        goal=board.goal,
        nodes_per_s=nodes / (workers * 60 * MINUTES),
    )


def simulated(plan: Plan, minutes: float) -> list[Figure]:
    """Simulate a solve of so many minutes."""
    began = time.perf_counter()
    report = SimulatedFarm(plan).run()
    took = time.perf_counter() - began
    name = f"{plan.workers:,} workers, {'SQLite' if plan.costs.one_writer else 'PostgreSQL'}"
    if plan.settings.search_slice_most_s == LONG_SLICES_S:
        name += f", slices of up to {LONG_SLICES_S:g} s"
    print(f"  {name}: {report.slices:,} slices in {took:.0f} s", flush=True)
    return _figures(plan, report, name, minutes)


def paces() -> list[float]:
    """Return seconds a node of the recorded slices, by their mean; small ones are left out."""
    slices = slice_times.read()
    usual = statistics.median(one["nodes"] for one in slices)
    long = [one for one in slices if one["nodes"] >= usual / 2]
    mean = sum(one["seconds"] for one in long) / sum(one["nodes"] for one in long)
    return [one["seconds"] / one["nodes"] / mean for one in long]


def _figures(plan: Plan, report: Report, name: str, minutes: float) -> list[Figure]:
    full = minutes >= MINUTES
    if not full:
        name += f", {minutes:g} min"
    searching = report.useful / (plan.workers * report.searched)
    return [
        Figure(
            f"{name}: efficiency",
            100 * report.efficiency(plan.workers),
            "%",
            BARS.get(plan.workers) if full else None,
            at_most=False,
        ),
        Figure(f"{name}: the same until nothing was left to search", 100 * searching, "%"),
        Figure(f"{name}: a slice, mean", report.useful / report.slices, "s"),
        Figure(
            f"{name}: time in which the solve's row is held",
            100 * report.locked / report.makespan,
            "%",
        ),
        Figure(
            f"{name}: workers' time in which they wait for it",
            100 * report.waited / (plan.workers * report.makespan),
            "%",
        ),
        Figure(
            f"{name}: a threshold's start to nine in ten at work, longest",
            _longest(report.spreads),
            "s",
            2.0 if full else None,
        ),
        Figure(
            f"{name}: from nine in ten at work to a threshold's end, longest",
            _longest(report.tails),
            "s",
        ),
        Figure(f"{name}: the last check", report.makespan - report.searched, "s"),
    ]


def _longest(seconds: Sequence[float]) -> float:
    return max(seconds, default=float("nan"))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--board", type=int, help="of Korf's 50; one that is recorded")
    parser.add_argument("--workers", type=int, nargs="+", default=list(BARS))
    parser.add_argument("--many", type=int, nargs="+", default=list(MANY), help="for less long")
    return parser.parse_args()


if __name__ == "__main__":
    main()
