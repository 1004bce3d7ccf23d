"""``tilework up`` as users run it: real processes in one folder."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import httpx2
import psutil
import pytest

from tests.support.waiting import wait_until

TILEWORK = Path(sys.executable).with_name("tilework")

# Give processes as much time to exit as they may need on a busy machine.
LONG_SHUTDOWN = """
from tilework.core.cli.system import reaper
from tilework.worker import consumer
reaper.GRACE_S = consumer.MAX_SHUTDOWN_S = 200.0
"""


class Response(NamedTuple):
    status: int
    retry_after: str | None
    body: Any


class RunningSystem:
    """One run of ``tilework up``."""

    def __init__(self, folder: Path, pdb_folder: Path, *options: str, **variables: str) -> None:
        folder.parent.mkdir(exist_ok=True)
        self._log = folder.with_suffix(".log")
        defaults = {"TILEWORK_PDB_DIR": str(pdb_folder), "TILEWORK_PDB_BUILD": "false"}
        with self._log.open("w") as log:
            self.process = subprocess.Popen(
                [str(TILEWORK), "up", "--data-dir", str(folder), "--workers", "1", *options],
                env=os.environ | defaults | variables,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        self._url = ""

    def request(self, path: str, body: Any = None) -> Response:
        method = "GET" if body is None else "POST"
        response = httpx2.request(method, self.url + path, json=body, timeout=None)
        return Response(response.status_code, response.headers.get("Retry-After"), response.json())

    def call(self, path: str, body: Any = None) -> Any:
        response = self.request(path, body)
        assert response.status < 300, response
        return response.body

    def submit(self, board: str) -> str:
        return str(self.call("/api/v1/jobs", {"board": board})["id"])

    def wait_until_optimal(self, job: str) -> Any:
        """Wait until a job is optimal; return it."""
        wait_until(lambda: self.call(f"/api/v1/jobs/{job}?wait=5")["state"] == "optimal")
        return self.call(f"/api/v1/jobs/{job}")

    @property
    def url(self) -> str:
        """Return the URL that the system prints when it is ready."""
        if not self._url:
            line = self.process.stdout.readline()
            assert line.startswith("Tilework is ready at http://127.0.0.1:"), self.read_log()
            self._url = line.split()[4]
        return self._url

    def read_log(self) -> str:
        """Return the log of all processes."""
        return self._log.read_text()

    def find_descendants(self) -> list[psutil.Process]:
        return psutil.Process(self.process.pid).children(recursive=True)

    def end(self) -> None:
        if self.process.poll() is None:
            for process in [*self.find_descendants(), self.process]:
                process.kill()
            self.process.wait()
        self.process.stdout.close()


@pytest.fixture
def start(tmp_path: Path, pattern_databases: Path) -> Iterator[Callable[..., RunningSystem]]:
    systems: list[RunningSystem] = []

    def start_system(**variables: str) -> RunningSystem:
        systems.append(RunningSystem(tmp_path / "data", pattern_databases, **variables))
        return systems[-1]

    yield start_system
    for system in systems:
        system.end()


@pytest.fixture
def long_shutdown(tmp_path: Path) -> dict[str, str]:
    """Environment variables that give all processes a long time to exit."""
    folder = tmp_path / "long_shutdown"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(LONG_SHUTDOWN)
    return {"PYTHONPATH": str(folder)}
