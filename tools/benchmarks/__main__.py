"""Run all benchmarks, each in its own process, or one: ``python -m tools.benchmarks NAME …``.

Long benchmarks take hours. If they are not run, their rows in the table do not change.
"""

from __future__ import annotations

import argparse
import runpy
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
    "running_figures",
    "running_figures --database postgresql",
    "webhooks",
    "lab",
    "pages",
    "pictures",
)
LONG_BENCHMARKS = (
    "first_minute --parts clone first-24",
    "large --parts random",
    "improving",
    "korf24 --easiest 25 --cores 2",
    "farm",
    "load",
)


def main() -> None:
    """Run the named benchmark or all; a missed target is shown in the table, not a failure."""
    if len(sys.argv) > 1 and not sys.argv[1].startswith("-"):
        runpy.run_module(f"tools.benchmarks.{sys.argv.pop(1)}", run_name="__main__")
        return
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--long", action="store_true", help="include those that take minutes to hours"
    )
    benchmarks = (*BENCHMARKS, *LONG_BENCHMARKS) if parser.parse_args().long else BENCHMARKS
    for benchmark in benchmarks:
        print(f"\ntools.benchmarks.{benchmark}", flush=True)
        subprocess.run([sys.executable, "-m", *f"tools.benchmarks.{benchmark}".split()], check=True)


if __name__ == "__main__":
    main()
