"""Seconds until ``tilework up`` serves, until a worker has solved a board, and until all stopped.

Usage: python -m benchmarks.starting

The first start finds nothing compiled, no database and no pattern database; the later ones find
all three.
"""

from __future__ import annotations

import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from benchmarks.api import SMALL, Client
from benchmarks.report import Figure, record
from benchmarks.system import PROGRAM
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.scramble import scramble

LATER_STARTS = 5


class Run(NamedTuple):
    """Seconds from the command on, and from Ctrl-C to the end."""

    serving: float
    solved: float
    stopped: float


def start_and_stop(environment: Mapping[str, str], seed: int) -> Run:
    """Run the system until it has solved a board that is new to it."""
    began = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, "up"],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as system:
        assert system.stdout is not None
        line = system.stdout.readline()
        serving = time.perf_counter() - began
        client = Client(line.split("http://")[1].split()[0])
        client.end(client.post(scramble(SMALL, blank_last(SMALL), seed=seed)))
        solved = time.perf_counter() - began
        asked = time.perf_counter()
        system.send_signal(signal.SIGINT)
        system.wait()
        return Run(serving, solved, time.perf_counter() - asked)


def main() -> None:
    """Measure the first start and some later ones."""
    with tempfile.TemporaryDirectory(prefix="tilework-") as name:
        environment = {
            **os.environ,
            "TILEWORK_DATA_DIR": str(Path(name) / "data"),
            "NUMBA_CACHE_DIR": str(Path(name) / "numba"),
        }
        first = start_and_stop(environment, seed=1)
        later = [start_and_stop(environment, seed=2 + run) for run in range(LATER_STARTS)]
    serving, solved, stopped = (statistics.median(times) for times in zip(*later, strict=True))
    record(
        "starting",
        [
            Figure("first start, command to serving", first.serving, "s", 25),
            Figure("first start, command to the first board solved", first.solved, "s"),
            Figure("later start, command to serving", serving, "s", 3),
            Figure("later start, command to a board solved", solved, "s"),
            Figure("Ctrl-C to the end", stopped, "s"),
        ],
    )


if __name__ == "__main__":
    main()
