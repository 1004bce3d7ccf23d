"""``tilework up`` as users run it: real processes, one folder."""

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

# Processes get as much time to end as a busy machine needs.
PATIENT = """
from tilework.core.cli.system import guardian
from tilework.worker import shutdown
guardian.GRACE_S = shutdown.MAX_SHUTDOWN_S = 200.0
"""


class Answer(NamedTuple):
    status: int
    retry_after: str | None
    body: Any


class RunningSystem:
    """One run of ``tilework up``."""

    def __init__(self, folder: Path, pdb_folder: Path, *options: str, **variables: str) -> None:
        folder.parent.mkdir(exist_ok=True)
        self._log = folder.with_suffix(".log")
        own = {"TILEWORK_DATABASES_DIR": str(pdb_folder), "TILEWORK_PDB_BUILD": "false"}
        with self._log.open("w") as log:
            self.process = subprocess.Popen(
                [str(TILEWORK), "up", "--data-dir", str(folder), "--workers", "1", *options],
                env=os.environ | own | variables,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        self._url = ""

    def request(self, path: str, body: Any = None) -> Answer:
        method = "GET" if body is None else "POST"
        response = httpx2.request(method, self.url + path, json=body, timeout=None)
        return Answer(response.status_code, response.headers.get("Retry-After"), response.json())

    def call(self, path: str, body: Any = None) -> Any:
        response = self.request(path, body)
        assert response.status < 300, response
        return response.body

    def submit(self, board: str) -> str:
        return str(self.call("/api/v1/jobs", {"board": board})["id"])

    def await_optimal(self, job: str) -> Any:
        """Wait for the end of a job; return it."""
        wait_until(lambda: self.call(f"/api/v1/jobs/{job}?wait=5")["state"] == "optimal")
        return self.call(f"/api/v1/jobs/{job}")

    @property
    def url(self) -> str:
        """Return the address, as the system prints it when it is ready."""
        if not self._url:
            line = self.process.stdout.readline()
            assert line.startswith("Tilework is ready at http://127.0.0.1:"), self.log()
            self._url = line.split()[4]
        return self._url

    def log(self) -> str:
        """Return the log of all its processes."""
        return self._log.read_text()

    def descendants(self) -> list[psutil.Process]:
        return psutil.Process(self.process.pid).children(recursive=True)

    def end(self) -> None:
        if self.process.poll() is None:
            for process in [*self.descendants(), self.process]:
                process.kill()
            self.process.wait()
        self.process.stdout.close()


@pytest.fixture
def start(tmp_path: Path, pattern_databases: Path) -> Iterator[Callable[..., RunningSystem]]:
    runs: list[RunningSystem] = []

    def start_up(**variables: str) -> RunningSystem:
        runs.append(RunningSystem(tmp_path / "data", pattern_databases, **variables))
        return runs[-1]

    yield start_up
    for run in runs:
        run.end()


@pytest.fixture
def patient(tmp_path: Path) -> dict[str, str]:
    """Environment variables that give all processes a long time to end."""
    folder = tmp_path / "patient"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(PATIENT)
    return {"PYTHONPATH": str(folder)}
