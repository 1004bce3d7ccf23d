"""The commands of docker-compose.yml, run as they stand against a real PostgreSQL and Valkey."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.support.servers import free_port

ROOT = Path(__file__).parents[3]
TILEWORK = Path(sys.executable).with_name("tilework")


class Natively:
    """Runs services of the compose file as processes of this machine."""

    def __init__(self, folder: Path, pdb_folder: Path, database_url: str, broker_url: str) -> None:
        self.services = yaml.safe_load((ROOT / "docker-compose.yml").read_text())["services"]
        self.port = free_port()
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        self._hosts = {"TILEWORK_DATABASE_URL": database_url, "TILEWORK_BROKER_URL": broker_url}
        self._folder = folder
        self._pdb_folder = pdb_folder

    def start(self, name: str) -> subprocess.Popen[bytes]:
        service = self.services[name]
        assert set(service["environment"]) == set(self._hosts)
        command = [self._here(word) for word in service["command"]]
        process = subprocess.Popen(
            [str(TILEWORK), *command], env=os.environ | self._hosts | self._folders(name)
        )
        self.processes[name] = process
        return process

    def is_healthy(self, name: str) -> bool:
        _, program, *arguments = self.services[name]["healthcheck"]["test"]
        assert program == "python"
        command = [sys.executable, *map(self._here, arguments)]
        return (
            subprocess.run(
                command,
                env=os.environ | self._folders(name),
                cwd=ROOT,
                capture_output=True,
                check=False,
            ).returncode
            == 0
        )

    def call(self, path: str, body: Any = None) -> Any:
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}",
            data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=30) as response:
            return json.load(response)

    def _folders(self, name: str) -> dict[str, str]:
        """What differs inside a container: its own folders."""
        own = self._folder / name
        own.mkdir(exist_ok=True)
        return {
            "TILEWORK_DATA_DIR": str(self._folder / "data"),
            "TILEWORK_DATABASES_DIR": str(self._pdb_folder),
            "TMPDIR": str(own),
        }

    def _here(self, word: str) -> str:
        return word.replace("0.0.0.0", "127.0.0.1").replace("8000", str(self.port))


@pytest.fixture
def natively(
    tmp_path: Path, empty_postgres_url: str, valkey: str, pattern_databases: Path
) -> Iterator[Natively]:
    system = Natively(tmp_path, pattern_databases, empty_postgres_url, valkey)
    try:
        yield system
    finally:
        for process in system.processes.values():
            process.kill()
            process.wait()


def await_that(condition: Callable[[], bool], seconds: float = 90.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "the time is over"
        time.sleep(0.1)


def test_the_services_work_together(natively: Natively) -> None:
    assert natively.start("migrations").wait(timeout=60) == 0
    for name in ("web", "worker-interactive", "worker-lab", "worker-search"):
        natively.start(name)
    for name in ("web", "worker-interactive", "worker-lab", "worker-search"):
        await_that(lambda name=name: natively.is_healthy(name))

    job = natively.call("/api/v1/jobs", {"board": "8 6 7 2 5 4 3 0 1"})
    await_that(
        lambda: natively.call(f"/api/v1/jobs/{job['id']}?wait=5")["state"] == "optimal", 30.0
    )
    assert natively.call(f"/api/v1/jobs/{job['id']}")["upper_bound"] == 31

    compared = natively.call(
        "/api/v1/comparisons", {"board": "1 2 3 4 5 6 0 7 8", "methods": ["breadth-first"]}
    )["id"]
    await_that(lambda: natively.call(f"/api/v1/comparisons/{compared}")["unfinished"] == 0, 30.0)

    lasting = [natively.processes[name] for name in natively.processes if name != "migrations"]
    for process in lasting:
        process.send_signal(signal.SIGTERM)
    assert [process.wait(timeout=10) for process in lasting] == [0] * 4
