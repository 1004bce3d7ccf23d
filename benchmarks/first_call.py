"""Seconds from a cold process to ready: a fresh machine, then a machine that ran once before.

Usage: python -m benchmarks.first_call

Each measurement is a process of its own that imports the solver and warms it up. The first has an
empty cache of compiled code and an empty folder of pattern databases; the later ones find both
filled.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.report import Figure, record

WARM_RUNS = 5

PROGRAM = """
import sys, time
began = time.perf_counter()
from pathlib import Path
from core.solver import warm_up
warm_up(Path(sys.argv[1]))
print(time.perf_counter() - began)
"""


def seconds_to_ready(folder: Path) -> float:
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder / "numba")}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(folder / "databases")],
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    )
    return float(done.stdout)


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        cold = seconds_to_ready(folder)
        warm = statistics.median(seconds_to_ready(folder) for _ in range(WARM_RUNS))
    record(
        "first_call",
        [
            Figure("first call to ready, nothing compiled or built", cold, "s", 20),
            Figure("first call to ready after that", warm, "s", 1.5),
        ],
    )


if __name__ == "__main__":
    main()
