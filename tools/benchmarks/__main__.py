"""Run all benchmarks, each in its own process.

The long ones take hours; without them their rows in the table stay as they are.
"""

from __future__ import annotations

import argparse
import subprocess
import sys

BENCHMARKS = (
    "fifteen",
    "pattern_databases",
    "ways",
    "large --parts near huge",
    "first_minute --parts compilation starts databases short",
    "games",
    "stalled_clients",
    "lab",
    "pages",
    "pictures",
)
LONG = (
    "first_minute --parts clone first-24",
    "large --parts random",
    "improving",
    "korf24 --restart --boards 38",
    "korf24 --easiest 25 --cores 2",
    "farm",
    "load",
)


def main() -> None:
    """Run the benchmarks; a missed bar is a row in the table, not a failure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--long", action="store_true", help="include those that take minutes to hours"
    )
    chosen = (*BENCHMARKS, *LONG) if parser.parse_args().long else BENCHMARKS
    for words in chosen:
        print(f"\ntools.benchmarks.{words}", flush=True)
        subprocess.run([sys.executable, "-m", *f"tools.benchmarks.{words}".split()], check=True)


if __name__ == "__main__":
    main()
