"""Run the whole system under random faults, and check the responses that its clients received.

The same seed draws the same faults and requests; their relative timing depends on the machine. The
run becomes a row of ``tools/benchmarks/results/chaos.json``. The exit code is 1 after any error.
"""

from __future__ import annotations

import argparse
import signal
import sys

from tilework.core.machine import user_databases
from tools.benchmarks.record import record
from tools.chaos.faults import FAULTS, faults_for_database
from tools.chaos.run import Plan, run

SHOWN_ERRORS = 20


def main() -> int:
    plan = _read_plan()
    # Terminating this program also terminates all processes that it has started.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(2))
    outcome = run(plan)
    history = outcome.history
    figure = outcome.figure(plan)
    print(figure.row(), *map(dict, (outcome.states, history.faults, history.answers)), sep="\n")
    if history.errors:
        print("timeline:", *history.timeline, sep="\n")
    for error in history.errors[:SHOWN_ERRORS]:
        print("ERROR:", error)
    record("chaos", figure)
    return 1 if history.errors else 0


def _read_plan() -> Plan:
    parser = argparse.ArgumentParser(prog="python -m tools.chaos", description=__doc__)
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="sqlite")
    parser.add_argument("--seconds", type=float, default=60.0, help="duration of load and faults")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--faults", help=f"some of {', '.join(FAULTS)}, comma-separated")
    parser.add_argument("--every", type=float, default=2.0, help="mean seconds between two faults")
    parser.add_argument("--keep", action="store_true", help="keep the logs even without errors")
    options = parser.parse_args()
    possible = faults_for_database(options.database)
    names = options.faults.split(",") if options.faults else possible
    unknown_names = [name for name in names if name not in possible]
    if unknown_names:
        parser.error(f"{options.database} has no fault {unknown_names[0]!r}: {', '.join(possible)}")
    return Plan(
        options.database,
        options.seconds,
        options.seed,
        names,
        user_databases(),
        options.every,
        options.keep,
    )


if __name__ == "__main__":
    sys.exit(main())
