"""A process that builds databases, and ends whenever it is told to."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from tilework.core.puzzle.board import Size
from tilework.core.solver.pdb.building.builder import become_builder
from tilework.core.solver.pdb.building.process import BuilderProcess
from tilework.core.solver.pdb.patterns import Partition, partition_named
from tilework.core.solver.pdb.progress import read_building
from tilework.core.solver.pdb.store import open_if_there
from tilework.core.solver.pdb.verify import verify

QUICK = partition_named(Size(4, 4), "6-6-3")
LONG = partition_named(Size(5, 5), "6-6-6-6")


def begun(folder: Path, partition: Partition) -> BuilderProcess:
    claim = become_builder(folder, patient=False)
    assert claim is not None
    return BuilderProcess(claim, folder, [partition], quiet=True)


def await_that(condition: Callable[[], object], seconds: float = 60.0) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "the time is over"
        time.sleep(0.02)


def test_it_builds_and_ends(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    builder = begun(tmp_path, QUICK)
    await_that(lambda: builder.exit_code() is not None)
    assert builder.end() == 0
    databases = open_if_there(QUICK, tmp_path)
    assert databases is not None
    verify(QUICK, databases.entries)
    assert capfd.readouterr() == ("", "")


def test_it_ends_in_the_middle_and_leaves_nothing(tmp_path: Path) -> None:
    builder = begun(tmp_path, LONG)
    await_that(lambda: read_building(tmp_path))
    assert become_builder(tmp_path, patient=False) is None
    # A terminal's Ctrl-C reaches it too; what it means is the starter's to say.
    (process,) = (
        child
        for child in psutil.Process().children()
        if "tilework.core.solver.pdb.building.apart" in child.cmdline()
    )
    process.send_signal(signal.SIGINT)
    time.sleep(0.2)
    assert builder.exit_code() is None
    builder.end()
    assert not process.is_running()
    claim = become_builder(tmp_path, patient=False)
    assert claim is not None
    os.close(claim)
    assert [path.name for path in tmp_path.iterdir() if path.suffix != ".lock"] in (
        [],
        ["building.json"],
    )
