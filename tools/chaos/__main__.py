"""Run the whole system under random faults, and judge what its clients saw.

Usage: python -m tools.chaos [--database postgresql] [--seed 1] [--minutes 20] [--faults cut,stall]

The same seed draws the same faults and the same requests; when each meets the other is the
machine's. Exit code 1 if anything was wrong.
"""

from __future__ import annotations

import argparse
import signal
import sys

from tilework.core.solver.pdb.files import default_folder
from tools.chaos.faults.deeds import FAULTS, faults_of
from tools.chaos.report import record
from tools.chaos.run import Plan, run


def main() -> int:
    plan = _plan()
    # Whoever ends this program ends all that it has started.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(2))
    outcome = run(plan)
    record(plan, outcome)
    return 1 if outcome.history.wrongs else 0


def _plan() -> Plan:
    parser = argparse.ArgumentParser(prog="python -m tools.chaos", description=__doc__)
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="sqlite")
    parser.add_argument("--seconds", type=float, default=60.0, help="of load and faults")
    parser.add_argument("--minutes", type=float, help="instead of seconds")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--faults", help=f"of {', '.join(FAULTS)}, by commas; all without it")
    parser.add_argument("--every", type=float, default=2.0, help="mean pause between two faults")
    parser.add_argument("--visitors", type=int, default=4)
    parser.add_argument("--lease", type=float, default=3.0, help="TILEWORK_LEASE_S")
    parser.add_argument("--keep", action="store_true", help="the logs, also if all is well")
    options = parser.parse_args()
    there = faults_of(options.database)
    chosen = options.faults.split(",") if options.faults else there
    strange = [name for name in chosen if name not in there]
    if strange:
        parser.error(
            f"{strange[0]!r} is no fault of {options.database}; there are {', '.join(there)}"
        )
    return Plan(
        options.database,
        60 * options.minutes if options.minutes else options.seconds,
        options.seed,
        chosen,
        default_folder(),
        options.every,
        options.visitors,
        options.lease,
        options.keep,
    )


if __name__ == "__main__":
    sys.exit(main())
