"""Seconds that `tilework solve` takes for a user's first 24-puzzle: an empty cache of databases.

Usage: python -m tools.benchmarks.first_24_puzzle [--runs 3]

Korf24 #38, one process from command to answer each time. Compiled code is there, but for one run
more, which finds that cache empty too. The load that other processes made meanwhile is told: the
mean of runnable processes over a minute, as each run begins, and the processor time that the run
and its build got of the wall time.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from tools.benchmarks.instances import korf50
from tools.benchmarks.report import Figure, record

NUMBER = 38
BAR_S = 75.0


class Run(NamedTuple):
    """One run: wall time, processor time of it and its children, load before it."""

    seconds: float
    processor_s: float
    load: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=3)
    runs = parser.parse_args().runs
    measured = [solved(compiled=True) for _ in range(runs)]
    fresh = solved(compiled=False)
    loads = ", ".join(f"{run.load:.1f}" for run in measured)
    times = ", ".join(f"{run.seconds:.0f}" for run in measured)
    record(
        "first_24_puzzle",
        [
            Figure(
                f"Korf24 #{NUMBER}, no databases, median",
                statistics.median(run.seconds for run in measured),
                "s",
                BAR_S,
            ),
            Figure("the same, least", min(run.seconds for run in measured), "s"),
            Figure(
                "the same in processor time, median",
                statistics.median(run.processor_s for run in measured),
                "s",
            ),
            Figure("nothing compiled either, one run", fresh.seconds, "s"),
            Figure("the same in processor time", fresh.processor_s, "s"),
        ],
        f"`tilework solve`, an empty cache folder each time: {times} s. Load as they began: "
        f"{loads}, then {fresh.load:.1f}.",
    )


def solved(*, compiled: bool) -> Run:
    """Solve the board with an empty cache of databases; another length ends everything."""
    instance = korf50()[NUMBER - 1]
    if instance.number != NUMBER:
        raise SystemExit(f"board {NUMBER} is not where it belongs")
    board = " ".join(map(str, instance.board.cells.tolist()))
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"XDG_CACHE_HOME": folder, "TILEWORK_PDB_BUILD": "true"}
        if not compiled:
            environment["NUMBA_CACHE_DIR"] = str(Path(folder) / "numba")
        command = [str(Path(sys.executable).with_name("tilework")), "solve", board]
        load = os.getloadavg()[0]
        used_s = _processor_s()
        began = time.perf_counter()
        done = subprocess.run(
            [*command, "--goal", "blank-first"],
            env=environment,
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
        run = Run(time.perf_counter() - began, _processor_s() - used_s, load)
    if len(done.stdout.strip()) != instance.length:
        raise SystemExit(f"{instance.name} has {instance.length} moves, not {done.stdout!r}")
    print(run, flush=True)
    return run


def _processor_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
