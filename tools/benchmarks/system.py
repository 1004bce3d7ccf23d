"""A whole system to measure: ``tilework up`` on a folder and a port of its own."""

from __future__ import annotations

import http.client
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

PROGRAM = "from tilework.core.cli.main import main; main()"
START_LIMIT_S = 180.0


@dataclass(frozen=True)
class System:
    """Where a system is: ``host:port``, its first process, its folder."""

    server: str
    pid: int
    folder: Path


@contextmanager
def started_system(*, workers: int | None = None, **settings: object) -> Iterator[System]:
    """Start a system with settings (as in ``TILEWORK_…``), yield it, stop it.

    It has a folder of its own, so that it knows no answer yet, and one search worker a core unless
    ``workers`` says otherwise.
    """
    with tempfile.TemporaryDirectory(prefix="tilework-") as folder:
        port = _free_port()
        environment = os.environ | {
            f"TILEWORK_{name.upper()}": str(value) for name, value in settings.items()
        }
        options = ["--port", str(port), "--data-dir", folder]
        if workers is not None:
            options += ["--workers", str(workers)]
        process = subprocess.Popen([sys.executable, "-c", PROGRAM, "up", *options], env=environment)
        try:
            _await_ready(port, process)
            yield System(f"127.0.0.1:{port}", process.pid, Path(folder))
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(30)


@contextmanager
def running_system(*, workers: int | None = None, **settings: object) -> Iterator[str]:
    """Start a system as `started_system` does, and yield its ``host:port`` alone."""
    with started_system(workers=workers, **settings) as system:
        yield system.server


def _free_port() -> int:
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _await_ready(port: int, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_LIMIT_S
    while time.monotonic() < deadline and process.poll() is None:
        with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=5)) as connection:
            try:
                connection.request("GET", "/readyz")
                if connection.getresponse().status == 200:
                    return
            except OSError:
                time.sleep(0.05)
    raise SystemExit("tilework up did not come up")
