"""Have parts of the system be away for long, and judge what its clients are told meanwhile.

Usage: python -m tools.chaos.outages [--database postgresql] [--only disk-full,broker-gone]

Exit code 1 if an answer was wrong or took longer than a second, or a job did not end.
"""

from __future__ import annotations

import argparse
import signal
import sys

from tilework.core.solver.pdb.files import default_folder
from tools.chaos.outages.kinds import OUTAGES
from tools.chaos.outages.report import record
from tools.chaos.outages.run import Plan, run


def main() -> int:
    """Run once, tell, and keep the figures."""
    plan = _plan()
    # Whoever ends this program ends all that it has started.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(2))
    courses = run(plan)
    record(plan, courses)
    return 1 if any(course.wrongs for course in courses) else 0


def _plan() -> Plan:
    parser = argparse.ArgumentParser(prog="python -m tools.chaos.outages", description=__doc__)
    parser.add_argument("--database", choices=tuple(OUTAGES), default="sqlite")
    parser.add_argument("--only", help="of the outages of that database, by commas")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    there = OUTAGES[options.database]
    chosen = options.only.split(",") if options.only else list(there)
    strange = [name for name in chosen if name not in there]
    if strange:
        parser.error(
            f"{strange[0]!r} is no outage of {options.database}; there are {', '.join(there)}"
        )
    return Plan(options.database, chosen, default_folder(), options.seed)


if __name__ == "__main__":
    sys.exit(main())
