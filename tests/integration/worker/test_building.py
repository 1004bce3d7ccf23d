"""A host's default databases are built beside the work, by one process that never stays behind."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest
from structlog.testing import capture_logs

from tilework.core.puzzle.board import Size
from tilework.core.solver.pdb import files
from tilework.core.solver.pdb.building.builder import become_builder
from tilework.core.solver.pdb.files import path_of
from tilework.core.solver.pdb.patterns import partition_named
from tilework.core.solver.pdb.progress import read_building
from tilework.core.solver.pdb.store import open_if_there, open_or_build
from tilework.core.solver.pdb.verify import verify
from tilework.worker import building
from tilework.worker.building import Building

QUICK = partition_named(Size(4, 4), "6-6-3")
ROOM_FOR_QUICK = 34_000_000
ROOM_FOR_ALL = 5_000_000_000


def await_that(condition: Callable[[], object], seconds: float = 60.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "the time is over"
        time.sleep(0.02)


def builders(process: psutil.Process) -> list[psutil.Process]:
    return [child for child in process.children() if is_builder(child)]


def is_builder(process: psutil.Process) -> bool:
    try:
        return "tilework.core.solver.pdb.building.apart" in process.cmdline()
    except psutil.NoSuchProcess:  # or a zombie
        return False


@pytest.fixture(autouse=True)
def short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(building, "_POLL_S", 0.1)
    monkeypatch.setattr(building, "_FIRST_PAUSE_S", 0.1)
    monkeypatch.setattr(building, "_WATCH_S", 0.1)


def test_what_fits_the_budget_is_built_while_one_process_builds(tmp_path: Path) -> None:
    claim = become_builder(tmp_path, patient=False)
    assert claim is not None
    threads = [Building(tmp_path, ROOM_FOR_QUICK) for _ in range(2)]
    for thread in threads:
        thread.start()
    time.sleep(0.3)
    assert builders(psutil.Process()) == []
    os.close(claim)
    await_that(lambda: builders(psutil.Process()))
    most = 0
    while open_if_there(QUICK, tmp_path) is None or builders(psutil.Process()):
        most = max(most, len(builders(psutil.Process())))
        time.sleep(0.01)
    for thread in threads:
        thread.stop()
    assert most == 1
    databases = open_if_there(QUICK, tmp_path)
    assert databases is not None
    verify(QUICK, databases.entries)
    assert [path.name for path in tmp_path.glob("*.pdb")] == ["4x4-6-6-3.pdb"]
    assert read_building(tmp_path) is None


def test_nothing_runs_where_nothing_is_missing(tmp_path: Path) -> None:
    thread = Building(tmp_path, 0)
    thread.start()
    thread.join(0.5)
    assert thread.is_alive()
    assert list(tmp_path.iterdir()) == []
    thread.stop()
    assert not thread.is_alive()


def test_a_file_that_is_damaged_later_is_built_again(
    tmp_path: Path, pattern_databases: Path
) -> None:
    open_or_build(QUICK, pattern_databases)
    path = path_of(QUICK, tmp_path)
    shutil.copy(path_of(QUICK, pattern_databases), path)
    thread = Building(tmp_path, ROOM_FOR_QUICK)
    thread.start()
    thread.join(0.5)
    path.chmod(0o644)
    with path.open("r+b") as file:
        file.seek(12345)
        file.write(b"damaged")
    await_that(lambda: builders(psutil.Process()))
    await_that(lambda: open_if_there(QUICK, tmp_path))
    thread.stop()
    verify(QUICK, files.load(QUICK, path, anew=True))


def test_a_build_that_is_ended_with_its_worker_has_not_failed(tmp_path: Path) -> None:
    with capture_logs() as said:
        thread = Building(tmp_path, ROOM_FOR_QUICK)
        thread.start()
        await_that(lambda: builders(psutil.Process()))
        thread.stop()
    assert not thread.is_alive()
    assert not any("failed" in entry["event"] for entry in said)


def test_a_folder_that_cannot_be_made_ends_it(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "file").write_text("")
    thread = Building(tmp_path / "file", ROOM_FOR_QUICK)
    thread.start()
    thread.join(10)
    assert not thread.is_alive()


def test_stopping_ends_a_build_that_has_begun(tmp_path: Path) -> None:
    thread = Building(tmp_path, ROOM_FOR_ALL)
    thread.start()
    await_that(lambda: read_building(tmp_path))
    (builder,) = builders(psutil.Process())
    assert builder.nice() > psutil.Process().nice()
    thread.stop()
    assert not thread.is_alive()
    assert not is_builder(builder)
    assert read_building(tmp_path) is None


def test_a_builder_that_is_killed_is_started_again(tmp_path: Path) -> None:
    thread = Building(tmp_path, ROOM_FOR_ALL)
    thread.start()
    await_that(lambda: builders(psutil.Process()))
    (first,) = builders(psutil.Process())
    first.kill()
    await_that(lambda: builders(psutil.Process()) not in ([], [first]))
    thread.stop()
    assert not thread.is_alive()


PROGRAM = """
import sys, time
from pathlib import Path
from tilework.worker.building import Building
Building(Path(sys.argv[1]), int(sys.argv[2])).start()
time.sleep(60)
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_builder_ends_with_its_worker(tmp_path: Path, number: int) -> None:
    worker = subprocess.Popen([sys.executable, "-c", PROGRAM, str(tmp_path), str(ROOM_FOR_ALL)])
    await_that(lambda: read_building(tmp_path))
    (builder,) = builders(psutil.Process(worker.pid))
    worker.send_signal(number)
    worker.wait(10)
    await_that(lambda: not is_builder(builder), 10)
    claim = become_builder(tmp_path, patient=True)
    assert claim is not None
    os.close(claim)
