"""``tilework up`` as a person runs it: real processes, one folder."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest

TILEWORK = Path(sys.executable).with_name("tilework")

# Korf's first 24-puzzle: far more than a minute.
HARD = "14 5 9 2 18 8 23 19 12 17 15 0 10 20 4 6 11 21 1 7 24 3 16 22 13"


class Up:
    """One run of ``tilework up``."""

    def __init__(self, folder: Path, pdb_folder: Path, *options: str, **variables: str) -> None:
        folder.parent.mkdir(exist_ok=True)
        self._log = folder.with_suffix(".log")
        with self._log.open("w") as log:
            self.process = subprocess.Popen(
                [str(TILEWORK), "up", "--data-dir", str(folder), "--workers", "1", *options],
                env=os.environ | {"TILEWORK_DATABASES_DIR": str(pdb_folder)} | variables,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        self._url = ""

    def call(self, path: str, body: Any = None) -> Any:
        request = urllib.request.Request(
            self.url + path,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=30) as response:
            return json.load(response)

    @property
    def url(self) -> str:
        """Where it serves, as it says itself once it does."""
        if not self._url:
            assert self.process.stdout is not None
            line = self.process.stdout.readline()
            assert line.startswith("Tilework is ready at http://127.0.0.1:"), line
            self._url = line.split()[4]
        return self._url

    def log(self) -> str:
        """Return what all its processes have told so far."""
        return self._log.read_text()

    def descendants(self) -> list[psutil.Process]:
        return psutil.Process(self.process.pid).children(recursive=True)

    def end(self) -> None:
        for process in [*self.descendants(), self.process]:
            process.kill()
        self.process.wait()


@pytest.fixture
def start(tmp_path: Path, pattern_databases: Path) -> Iterator[Callable[..., Up]]:
    runs: list[Up] = []

    def start_up(**variables: str) -> Up:
        runs.append(Up(tmp_path / "data", pattern_databases, **variables))
        return runs[-1]

    yield start_up
    for run in runs:
        if run.process.poll() is None:
            run.end()
        if run.process.stdout is not None:
            run.process.stdout.close()


@contextmanager
def busy_machine() -> Iterator[None]:
    """Have three times as much to do as there are processors for."""
    command = [sys.executable, "-c", "while True: pass"]
    burning = [subprocess.Popen(command) for _ in range(3 * (os.cpu_count() or 1))]
    try:
        yield
    finally:
        for process in burning:
            process.kill()
            process.wait()


def await_that(condition: Callable[[], bool], seconds: float = 60.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "the time is over"
        time.sleep(0.05)


def test_one_folder_from_start_to_start(start: Callable[[], Up], tmp_path: Path) -> None:
    first = start()
    job = first.call("/api/v1/jobs", {"board": "8 6 7 2 5 4 3 0 1"})
    await_that(lambda: first.call(f"/api/v1/jobs/{job['id']}?wait=5")["state"] == "optimal")
    asked = {"board": "8 6 7 2 5 4 3 0 1", "methods": ["a-star:manhattan"]}
    compared = first.call("/api/v1/comparisons", asked)["id"]
    await_that(lambda: first.call(f"/api/v1/comparisons/{compared}")["unfinished"] == 0)
    # Web, Valkey, a worker of each kind, the guardian.
    await_that(lambda: len(first.descendants()) == 6)

    refused = subprocess.run(
        [str(TILEWORK), "up", "--data-dir", str(tmp_path / "data")],
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert refused.returncode == 2
    assert f"another tilework up (process {first.process.pid})" in refused.stderr

    family = first.descendants()
    first.process.send_signal(signal.SIGINT)
    assert first.process.wait(timeout=15) == 0
    assert not any(process.is_running() for process in family)

    second = start()
    assert second.call(f"/api/v1/jobs/{job['id']}")["upper_bound"] == 31
    assert second.call(f"/api/v1/comparisons/{compared}")["runs"][0]["length"] == 31


def test_nothing_outlives_a_killed_supervisor(start: Callable[[], Up]) -> None:
    first = start()
    first.call("/healthz")
    await_that(lambda: len(first.descendants()) == 6)
    family = first.descendants()
    first.process.kill()
    first.process.wait()
    # A second start waits for the last of the first to go.
    second = start()
    second.call("/healthz")
    assert not any(
        process.is_running() and process.status() != psutil.STATUS_ZOMBIE for process in family
    )


def test_a_crashed_process_comes_back(start: Callable[[], Up]) -> None:
    system = start()
    system.call("/healthz")
    await_that(lambda: len(system.descendants()) == 6)
    for process in system.descendants():
        if "guardian" not in " ".join(process.cmdline()):
            os.kill(process.pid, signal.SIGKILL)
    job = None
    deadline = time.monotonic() + 60
    while job is None and time.monotonic() < deadline:
        try:
            job = system.call("/api/v1/jobs", {"board": "1 2 3 4 5 6 0 7 8"})
        except OSError:
            time.sleep(0.1)
    assert job is not None
    await_that(lambda: system.call(f"/api/v1/jobs/{job['id']}?wait=5")["state"] == "optimal")


def test_an_asked_for_port_that_is_taken(tmp_path: Path, start: Callable[[], Up]) -> None:
    first = start()
    port = first.url.rsplit(":", 1)[1]
    refused = subprocess.run(
        [str(TILEWORK), "up", "--data-dir", str(tmp_path / "other"), "--port", port],
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert refused.returncode == 2
    assert f"cannot listen on port {port}" in refused.stderr


def is_working(system: Up) -> bool:
    job = system.call("/api/v1/jobs", {"board": HARD, "goal": "blank-first"})
    await_that(lambda: system.call(f"/api/v1/jobs/{job['id']}")["nodes"] > 0, 120)
    return True


@pytest.mark.parametrize(
    ("ripe", "compiled"),
    [
        (lambda system: "[up] serving" in system.log(), False),
        (lambda system: "kernels and pattern databases are ready" in system.log(), True),
        (is_working, True),
    ],
    ids=["while it compiles", "warm", "at work"],
)
def test_ctrl_c_on_a_busy_machine_kills_nobody(
    ripe: Callable[[Up], bool], compiled: bool, start: Callable[..., Up], tmp_path: Path
) -> None:
    system = start(**({} if compiled else {"NUMBA_CACHE_DIR": str(tmp_path / "numba")}))
    await_that(lambda: ripe(system), 240)
    family = system.descendants()
    with busy_machine():
        system.process.send_signal(signal.SIGINT)
        assert system.process.wait(timeout=60) == 0
    assert not any(process.is_running() for process in family)
    assert "did not stop" not in system.log()
    assert "Traceback" not in system.log()


def test_ctrl_c_amid_long_searches_gives_their_slices_back(
    start: Callable[..., Up], tmp_path: Path
) -> None:
    system = start(TILEWORK_PDB_BUILD="false")
    for side in (16, 64):
        tiles = [*range(2, side * side), 1, 0]
        tiles[0], tiles[1] = tiles[1], tiles[0]  # two exchanges more or less: solvable again
        if not is_taken(system, tiles):
            tiles[0], tiles[1] = tiles[1], tiles[0]
            assert is_taken(system, tiles)
    compared = {"board": "14 15 8 12 10 11 9 13 2 6 5 1 3 7 4 0", "methods": ["a-star:manhattan"]}
    system.call("/api/v1/comparisons", compared)
    assert is_working(system)
    system.process.send_signal(signal.SIGINT)
    assert system.process.wait(timeout=60) == 0
    assert "did not stop" not in system.log()
    with closing(sqlite3.connect(tmp_path / "data" / "tilework.sqlite")) as database:
        assert database.execute("SELECT 1 FROM slice WHERE state = 'leased'").fetchall() == []
        assert database.execute("SELECT 1 FROM search_run WHERE state = 'running'").fetchall() == []


def is_taken(system: Up, tiles: list[int]) -> bool:
    try:
        system.call("/api/v1/jobs", {"board": " ".join(map(str, tiles))})
    except urllib.error.HTTPError as refusal:
        refusal.close()
        return False
    return True
