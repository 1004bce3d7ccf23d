"""Measure everything, one benchmark after the other, and write the table.

Each runs in a process of its own, so that none finds what another has compiled or cached.
"""

from __future__ import annotations

import subprocess
import sys

from benchmarks.report import TABLE, write_table

BENCHMARKS = (
    ("korf100",),
    ("pattern_databases",),
    ("constructive",),
    ("first_call",),
    ("starting",),
    ("api",),
    ("huge_boards", "--largest"),
)


def main() -> None:
    """Run all benchmarks; a missed bar is a row of the table, not a failure."""
    for name, *options in BENCHMARKS:
        print(f"\nbenchmarks.{name}", flush=True)
        subprocess.run([sys.executable, "-m", f"benchmarks.{name}", *options], check=True)
    write_table()
    print(f"\n{TABLE} is written")


if __name__ == "__main__":
    main()
