"""Run the whole system under random faults, and check the responses that its clients received."""

from __future__ import annotations

import signal
import sys
from typing import Annotated, Literal

import typer
from typer import Option

from tilework.core.machine import user_databases
from tools.benchmarks.record import record
from tools.chaos.faults import faults_for_database
from tools.chaos.run import Plan, make_figure, run

SHOWN_ERRORS = 20


def main(
    database: Literal["sqlite", "postgresql"] = "sqlite",
    seconds: Annotated[float, Option(help="Duration of load and faults.")] = 60.0,
    seed: int = 1,
    faults: Annotated[str, Option(help="Names, comma-separated; by default all.")] = "",
    every: Annotated[float, Option(help="Mean seconds between two faults.")] = 2.0,
    *,
    keep: Annotated[bool, Option("--keep", help="Keep the logs even without errors.")] = False,
) -> None:
    """Run the whole system under random faults, and check the responses that its clients received.

    The same seed draws the same faults and requests; their relative timing depends on the machine.
    The run becomes a row of tools/benchmarks/results/chaos.json. An error sets the exit code 1.
    """
    possible = faults_for_database(database)
    names = faults.split(",") if faults else possible
    if unknown := [name for name in names if name not in possible]:
        raise typer.BadParameter(f"{database} has no fault {unknown[0]!r}: {', '.join(possible)}")
    # Terminating this program also terminates all processes that it has started.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(2))
    plan = Plan(database, seconds, seed, names, user_databases(), every, keep)
    history = run(plan)
    figure = make_figure(plan, history)
    print(figure.row(), *map(dict, (history.states, history.faults, history.answers)), sep="\n")
    if history.errors:
        print("timeline:", *history.timeline, sep="\n")
    for error in history.errors[:SHOWN_ERRORS]:
        print("ERROR:", error)
    record("chaos", figure)
    sys.exit(1 if history.errors else 0)


if __name__ == "__main__":
    typer.run(main)
