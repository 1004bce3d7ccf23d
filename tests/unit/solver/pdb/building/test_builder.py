import errno
import os
import subprocess
import sys

import pytest

from tilework.core.puzzle.board import Size
from tilework.core.solver.pdb import files
from tilework.core.solver.pdb.building.builder import abandon, become_builder, build_missing
from tilework.core.solver.pdb.patterns import Partition
from tilework.core.solver.pdb.progress import read_building
from tilework.core.solver.pdb.store import open_if_there

SIZE = Size(3, 3)
FIRST = Partition("4-4", SIZE, ((1, 2, 4, 5), (3, 6, 7, 8)))
SECOND = Partition("5-3", SIZE, ((1, 2, 4, 5, 7), (3, 6, 8)))


def test_what_is_missing_is_built_and_told(tmp_path):
    assert build_missing([FIRST], tmp_path) == []
    told = []
    notes = []

    def tell(partition, share):
        told.append((partition, share))
        notes.append(read_building(tmp_path).partition)

    assert build_missing([FIRST, SECOND], tmp_path, tell) == []
    assert {partition for partition, _ in told} == {SECOND}
    assert told[-1][1] == 1
    assert set(notes) == {"3x3 5-3"}
    assert read_building(tmp_path) is None
    assert open_if_there(SECOND, tmp_path) is not None


def test_a_damaged_one_is_built_again(tmp_path):
    build_missing([FIRST], tmp_path)
    path = files.path_of(FIRST, tmp_path)
    path.write_bytes(path.read_bytes()[:-1])
    build_missing([FIRST], tmp_path)
    files.load(FIRST, path)


def test_a_full_disk_is_told_and_the_rest_is_built(tmp_path, monkeypatch, caplog):
    fsync = os.fsync
    failures = iter([OSError(errno.ENOSPC, "No space left on device")])

    def full_once(descriptor):
        if (failure := next(failures, None)) is not None:
            raise failure
        fsync(descriptor)

    monkeypatch.setattr(files.os, "fsync", full_once)
    assert build_missing([FIRST, SECOND], tmp_path) == [FIRST]
    assert "3x3-4-4.pdb could not be built: [Errno 28] No space left on device" in caplog.text
    assert sorted(path.name for path in tmp_path.glob("*.p*")) == [
        "3x3-5-3.pdb",
        "3x3-5-3.pdb.checked",
    ]


def test_a_builder_that_ends_deep_in_a_save_leaves_nothing(tmp_path, monkeypatch):
    def end(_descriptor):
        assert (tmp_path / "3x3-4-4.partial").exists()
        abandon(tmp_path)
        left.extend([*tmp_path.glob("*.p*"), *tmp_path.glob("*.json")])
        raise OSError(errno.EIO, "the end")

    left = []
    monkeypatch.setattr(files.os, "fsync", end)
    assert build_missing([FIRST], tmp_path) == [FIRST]
    assert left == []


def test_there_is_one_builder(tmp_path):
    descriptor = become_builder(tmp_path / "new", patient=False)
    assert descriptor is not None
    assert become_builder(tmp_path / "new", patient=False) is None
    os.close(descriptor)
    again = become_builder(tmp_path / "new", patient=True)
    assert again is not None
    os.close(again)


def test_a_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match="file"):
        become_builder(tmp_path / "file", patient=True)


PROGRAM = """
import os, sys, time
from pathlib import Path
from tilework.core.solver.pdb.building.builder import become_builder
descriptor = become_builder(Path(sys.argv[1]), patient=True)
print("builds", flush=True)
sys.stdin.readline()
"""


def test_a_builder_that_is_killed_makes_room(tmp_path):
    def start():
        return subprocess.Popen(
            [sys.executable, "-c", PROGRAM, str(tmp_path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    with start() as first:
        assert first.stdout.readline() == "builds\n"
        assert become_builder(tmp_path, patient=False) is None
        with start() as second:
            first.kill()
            assert second.stdout.readline() == "builds\n"
            second.kill()
