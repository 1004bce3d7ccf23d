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
    "large --limits 0.5 10",
    "features",
    "first_minute --parts starts",
    "pages",
)
LONG_BENCHMARKS = (
    "first_minute --parts clone",
    "large --limits 60",
    "improving",
    "korf24 --cores 2",
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
        print(f"\n{benchmark}", flush=True)
        command = [sys.executable, "-m", "tools.benchmarks", *benchmark.split()]
        subprocess.run(command, check=True)


if __name__ == "__main__":
    main()
