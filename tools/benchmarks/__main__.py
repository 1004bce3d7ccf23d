"""Measure everything, one benchmark after the other.

Usage: python -m tools.benchmarks [--long]

Each runs in a process of its own, so that none finds what another has compiled or cached. The
long ones take some hours; without them their rows of the table are those of the last time.
"""

from __future__ import annotations

import argparse
import subprocess
import sys

BENCHMARKS = (
    "fifteen",
    "pattern_databases",
    "ways",
    "largest",
    "first_minute --parts compilation starts databases short",
    "games",
    "hostile",
    "lab",
    "pages",
    "pictures",
)
LONG = (
    "first_minute --parts clone first-24",
    "large",
    "improving",
    "korf24 --anew --boards 38",
    "korf24 --easiest 25 --cores 2",
    "farm",
    "statements",
    "farm_simulation",
    "farm_simulation --workers 512 1024 2048 4096 --minutes 3",
    "load",
)


def main() -> None:
    """Run the benchmarks; a missed bar is a row of the table, not a failure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--long", action="store_true", help="also those that take minutes to hours")
    chosen = (*BENCHMARKS, *LONG) if parser.parse_args().long else BENCHMARKS
    for words in chosen:
        print(f"\ntools.benchmarks.{words}", flush=True)
        subprocess.run([sys.executable, "-m", *f"tools.benchmarks.{words}".split()], check=True)


if __name__ == "__main__":
    main()
