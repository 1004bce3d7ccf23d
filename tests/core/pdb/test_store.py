import logging
import subprocess
import sys

import numpy as np
import pytest

from core.errors import DamagedFileError
from core.pdb import store
from core.pdb.build import build
from core.pdb.patterns import Partition
from core.puzzle.board import Size

PARTITION = Partition("4-4", Size(3, 3), ((1, 2, 4, 5), (3, 6, 7, 8)))


@pytest.fixture
def path(tmp_path):
    path = store.path_of(PARTITION, tmp_path)
    store.save(PARTITION, build(PARTITION), path)
    return path


def test_what_is_saved_is_mapped_read_only(path):
    entries = store.load(PARTITION, path)
    assert np.array_equal(entries, build(PARTITION))
    assert not entries.flags.writeable
    assert type(entries) is np.ndarray
    assert path.stat().st_size == store.HEADER_BYTES + PARTITION.length


def test_the_first_opening_builds_and_the_second_only_maps(tmp_path, caplog, monkeypatch):
    folder = tmp_path / "new" / "folder"
    with caplog.at_level(logging.INFO):
        first = store.open_or_build(PARTITION, folder)
    assert "built 3x3-4-4.pdb" in caplog.text
    monkeypatch.setattr(store, "build", None)
    assert np.array_equal(store.open_or_build(PARTITION, folder), first)
    assert sorted(file.name for file in folder.iterdir()) == ["3x3-4-4.lock", "3x3-4-4.pdb"]


def damage_entry(data):
    data[store.HEADER_BYTES + 777] ^= 1


def damage_version(data):
    data[: store.HEADER_BYTES] = data[: store.HEADER_BYTES].replace(
        b'"version": 1', b'"version": 0'
    )


def cut_short(data):
    del data[-1]


def cut_in_the_header(data):
    del data[100:]


def empty(data):
    del data[:]


@pytest.mark.parametrize(
    "damage", [damage_entry, damage_version, cut_short, cut_in_the_header, empty]
)
def test_a_damaged_file_is_told_and_built_again(path, damage, caplog):
    data = bytearray(path.read_bytes())
    damage(data)
    path.write_bytes(data)
    with pytest.raises(DamagedFileError, match=r"3x3-4-4\.pdb"):
        store.load(PARTITION, path)
    entries = store.open_or_build(PARTITION, path.parent)
    assert "it is built again" in caplog.text
    assert np.array_equal(entries, build(PARTITION))
    store.load(PARTITION, path)


def test_the_file_of_another_partition_is_not_taken(path):
    other = Partition("4-4", Size(3, 3), ((1, 2, 4, 7), (3, 5, 6, 8)))
    with pytest.raises(DamagedFileError):
        store.load(other, path)


def test_a_failed_writing_leaves_nothing(tmp_path, monkeypatch):
    def fail(*_):
        raise OSError("disk full")

    monkeypatch.setattr(store.os, "replace", fail)
    with pytest.raises(OSError, match="disk full"):
        store.save(PARTITION, build(PARTITION), store.path_of(PARTITION, tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written_is_no_obstacle(tmp_path, caplog):
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    entries = store.open_or_build(PARTITION, blocked)
    assert "built in memory" in caplog.text
    assert np.array_equal(entries, build(PARTITION))
    assert not entries.flags.writeable


def test_the_cache_folder_of_the_user_is_the_default(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    store.open_or_build(PARTITION)
    assert (tmp_path / "tilework" / "databases" / "3x3-4-4.pdb").exists()


PROGRAM = """
import logging, sys
from pathlib import Path
from core.pdb.patterns import Partition
from core.pdb.store import open_or_build
from core.puzzle.board import Size
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
