"""Seconds from a cold process to ready: a fresh machine, then a machine that ran once before.

Usage: python -m benchmarks.first_call

Each measurement is a process of its own that imports the solver and warms it up. The first has an
empty cache of compiled code and an empty folder of pattern databases, and is made anew three times;
the later ones find both filled. Each figure is the median of its runs.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.report import Figure, record

COLD_RUNS = 3
WARM_RUNS = 5

PROGRAM = """
import sys, time
began = time.perf_counter()
from pathlib import Path
from tilework.core.solver.solve import warm_up
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
    cold = [on_a_fresh_machine(warm_runs=0)[0] for _ in range(COLD_RUNS - 1)]
    last, *warm = on_a_fresh_machine(WARM_RUNS)
    first = statistics.median([*cold, last])
    record(
        "first_call",
        [
            Figure("first call to ready, nothing compiled or built", first, "s", 20),
            Figure("first call to ready after that", statistics.median(warm), "s", 1.5),
        ],
    )


def on_a_fresh_machine(warm_runs: int) -> list[float]:
    """Return the seconds of a first call, then of so many that find what it left."""
    with tempfile.TemporaryDirectory() as folder:
        return [seconds_to_ready(Path(folder)) for _ in range(1 + warm_runs)]


if __name__ == "__main__":
    main()
