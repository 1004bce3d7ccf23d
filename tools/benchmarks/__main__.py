"""Measure everything, one benchmark after the other, and write the table.

Usage: python -m tools.benchmarks [--long]

Each runs in a process of its own, so that none finds what another has compiled or cached. The
long ones take some hours; without them their rows of the table are those of the last time.
"""

from __future__ import annotations

import argparse
import subprocess
import sys

from tools.benchmarks.report import TABLE, write_table

BENCHMARKS = (
    ("fifteen",),
    ("techniques",),
    ("pattern_databases",),
    ("constructive",),
    ("ways",),
    ("slides",),
    ("nearby",),
    ("analysis",),
    ("first_minute",),
    ("api",),
    ("hints",),
    ("stalled_clients",),
    ("hostile_bodies",),
    ("lab",),
    ("comparison",),
    ("dragging",),
    ("pages",),
    ("pictures",),
    ("huge_boards", "--largest"),
)
LONG = (
    ("first_24_puzzle",),
    ("order",),
    ("large",),
    ("improving",),
    ("korf24", "--anew", "--boards", "38"),
    ("korf24", "--easiest", "25", "--cores", "2"),
    ("farm",),
    ("killing",),
    ("slice_times",),
    ("transaction_costs",),
    ("statements",),
    ("farm_simulation",),
    ("load",),
)


def main() -> None:
    """Run the benchmarks; a missed bar is a row of the table, not a failure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--long", action="store_true", help="also those that take minutes to hours")
    chosen = (*BENCHMARKS, *LONG) if parser.parse_args().long else BENCHMARKS
    for name, *options in chosen:
        print(f"\nbenchmarks.{name}", flush=True)
        subprocess.run([sys.executable, "-m", f"benchmarks.{name}", *options], check=True)
    write_table()
    print(f"\n{TABLE} is written")


if __name__ == "__main__":
    main()
