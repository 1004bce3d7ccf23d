"""Run all benchmarks, or one: ``python -m tools.benchmarks NAME …``; ``NAME --help`` explains it.

``page`` writes the tables of the documents and draws the pictures. Long benchmarks take hours; the
rows of those that are not run do not change.
"""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module

from tools.benchmarks.record import run

MODULES = {
    "fifteen": "solver",
    "korf24": "solver",
    "large": "solver",
    "farm": "service",
    "first_minute": "service",
    "hints": "service",
    "load": "load",
    "pages": "pages",
    "peers": "peers",
}
SHORT = (
    *("fifteen", "large --limits 0.5 10", "hints", "first_minute --parts starts", "pages"),
    "page",
)
LONG = (
    *("first_minute --parts clone", "large --limits 60", "korf24 --cores 2", "farm", "load"),
    "page",
)


def main(arguments: list[str]) -> None:
    match arguments:
        case ["page"]:
            import_module("tools.benchmarks.page").write_documents()
        case [name, *options] if name in MODULES:
            import_module(f"tools.benchmarks.{MODULES[name]}")
            run(name, options)
        case [] | ["--long"]:
            for benchmark in SHORT if not arguments else (*SHORT, *LONG):
                print(f"\n{benchmark}", flush=True)
                command = [sys.executable, "-m", "tools.benchmarks", *benchmark.split()]
                subprocess.run(command, check=True)
        case _:
            print(__doc__, "The names:", ", ".join(MODULES))
            sys.exit(0 if arguments == ["--help"] else 2)


if __name__ == "__main__":
    main(sys.argv[1:])
