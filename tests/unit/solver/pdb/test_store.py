"""Which databases are there, and who builds those that are not."""

import logging
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from tilework.core.puzzle.board import Size
from tilework.core.solver.pdb import files, store
from tilework.core.solver.pdb.building.flooding import build
from tilework.core.solver.pdb.patterns import Partition

SIZE = Size(3, 3)
PARTITION = Partition("4-4", SIZE, ((1, 2, 4, 5), (3, 6, 7, 8)))


@pytest.fixture
def path(tmp_path):
    path = files.path_of(PARTITION, tmp_path)
    files.save(PARTITION, build(PARTITION), path)
    return path


def test_the_first_opening_builds_and_the_second_only_maps(tmp_path, caplog, monkeypatch):
    folder = tmp_path / "new" / "folder"
    with caplog.at_level(logging.INFO):
        first = store.open_or_build(PARTITION, folder).entries
    assert "built 3x3-4-4.pdb" in caplog.text
    monkeypatch.setattr(Partition, "build", None)
    assert np.array_equal(store.open_or_build(PARTITION, folder).entries, first)
    assert sorted(file.name for file in folder.iterdir()) == [
        "3x3-4-4.lock",
        "3x3-4-4.pdb",
        "3x3-4-4.pdb.checked",
    ]


def test_a_damaged_file_is_told_and_built_again(path, caplog):
    data = bytearray(path.read_bytes())
    data[-7] ^= 1
    path.write_bytes(data)
    assert store.open_if_there(PARTITION, path.parent) is None
    assert "it is not used" in caplog.text
    entries = store.open_or_build(PARTITION, path.parent).entries
    assert "rebuilding it" in caplog.text
    assert np.array_equal(entries, build(PARTITION))
    assert store.open_if_there(PARTITION, path.parent) is not None


def test_what_is_not_there_is_not_built(tmp_path, caplog):
    assert store.open_if_there(PARTITION, tmp_path) is None
    assert store.open_if_there(PARTITION, tmp_path / "no" / "folder") is None
    assert list(tmp_path.iterdir()) == []
    assert not caplog.text


def test_what_is_there_is_not_made_again(tmp_path):
    shares = []
    assert store.make(PARTITION, tmp_path, shares.append)
    assert shares[-1] == 1
    assert not store.make(PARTITION, tmp_path, shares.append)
    assert shares.count(1) == 1


def test_a_folder_that_cannot_be_written_is_no_obstacle(tmp_path, caplog):
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    assert store.open_if_there(PARTITION, blocked) is None
    entries = store.open_or_build(PARTITION, blocked).entries
    assert "building it in memory" in caplog.text
    assert np.array_equal(entries, build(PARTITION))
    assert not entries.flags.writeable


def test_a_disk_without_room_is_told_before_the_building(tmp_path, monkeypatch):
    monkeypatch.setattr(Partition, "build", None)
    monkeypatch.setattr(store.shutil, "disk_usage", lambda _: SimpleNamespace(free=13_000))
    with pytest.raises(OSError, match="no room for 17218 bytes"):
        store.make(PARTITION, tmp_path)
    assert not list(tmp_path.glob("*.p*"))


def test_the_cache_folder_of_the_user_is_the_default(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    store.open_or_build(PARTITION)
    assert (tmp_path / "tilework" / "databases" / "3x3-4-4.pdb").exists()
    assert store.open_if_there(PARTITION) is not None


PROGRAM = """
import logging, sys
from pathlib import Path
from tilework.core.solver.pdb.patterns import Partition
from tilework.core.solver.pdb.store import open_or_build
from tilework.core.puzzle.board import Size
logging.basicConfig(level=logging.INFO, stream=sys.stdout)
sys.stdin.readline()
open_or_build(Partition("5-3", Size(3, 3), ((1, 2, 4, 5, 7), (3, 6, 8))), Path(sys.argv[1]))
"""


def test_of_two_processes_at_once_one_builds(tmp_path):
    starters = [
        subprocess.Popen(
            [sys.executable, "-c", PROGRAM, str(tmp_path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    for starter in starters:
        starter.stdin.write("\n")
        starter.stdin.flush()
    printed = [starter.communicate(timeout=120)[0] for starter in starters]
    assert [starter.returncode for starter in starters] == [0, 0]
    assert "".join(printed).count("built 3x3-5-3.pdb") == 1
