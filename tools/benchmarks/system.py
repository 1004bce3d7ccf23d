"""A complete system to measure: ``tilework up`` with its own folder and port."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tools.benchmarks.boards import random_board, square_goal
from tools.benchmarks.client import Client
from tools.benchmarks.programs import TILEWORK

UNLIMITED: Final[dict[str, Any]] = {"rate_limit": "1000000/minute"}
SETTLE_S: Final = 10.0
"""The time for the other workers to load, after the first one has answered."""


@dataclass(frozen=True)
class System:
    """A system that is ready; `server` is ``host:port``."""

    server: str
    ready_at: float
    start_s: float

    def client(self) -> Client:
        return Client(self.server)


@contextmanager
def start_system(
    command: Sequence[str], environment: Mapping[str, str], folder: Path | None = None
) -> Iterator[System]:
    """Run a command in a folder that starts a system, for the duration of the block."""
    started = time.perf_counter()
    with subprocess.Popen(
        command,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        process_group=0,
        cwd=folder,
    ) as process:
        assert process.stdout is not None
        try:
            for line in process.stdout:
                if line.startswith("Tilework is ready"):
                    now = time.perf_counter()
                    server = line.split("http://")[1].split()[0]
                    yield System(server, now, now - started)
                    break
            else:
                raise SystemExit(f"{' '.join(command)} did not start")
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGINT)  # make does not forward signals
            process.wait(60)


@contextmanager
def running_system(
    *, workers: int = 0, web_processes: int = 0, **settings: object
) -> Iterator[System]:
    """Run a system with an empty database; `settings` are named like ``TILEWORK_…`` variables.

    A number of 0 stands for the default.
    """
    with tempfile.TemporaryDirectory(prefix="tilework-") as folder:
        values = {"data_dir": folder, **settings}
        environment = {f"TILEWORK_{name.upper()}": str(value) for name, value in values.items()}
        command = [TILEWORK, "up"]
        for option, count in (("--workers", workers), ("--web-processes", web_processes)):
            if count:
                command += [option, str(count)]
        with start_system(command, os.environ | environment) as system:
            yield system


def settle(system: System, *sides: int, seconds: float = 5.0) -> None:
    """Solve a board of each size, so that kernels are compiled, and wait for the other workers."""
    client = system.client()
    for side in sides:
        client.solve(random_board(side, 1), square_goal(side), time_limit_s=seconds)
    time.sleep(SETTLE_S)
