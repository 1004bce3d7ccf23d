import errno
import json
import os
import time
from dataclasses import replace
from functools import partial
from itertools import chain, repeat
from types import SimpleNamespace
from unittest.mock import Mock

import numpy as np
import pytest

from tests.support.damage import overwrite
from tilework.core.errors import DamagedFileError
from tilework.core.puzzle.board import Size
from tilework.core.solver.pdb import builds, files
from tilework.core.solver.pdb.breadth_first import build
from tilework.core.solver.pdb.builder import build_missing
from tilework.core.solver.pdb.builds import BuildProgress, BuildProgressFile, read_build_progress
from tilework.core.solver.pdb.partitions import Partition

PARTITION = Partition("4-4", Size(3, 3), ((1, 2, 4, 5), (3, 6, 7, 8)))
OFFSET = files.HEADER_BYTES + 777


@pytest.fixture
def path(tmp_path):
    path = files.database_path(PARTITION, tmp_path)
    files.save(PARTITION, build(PARTITION), path)
    return path


def test_saved_databases_are_mapped_read_only(path):
    entries = files.load(PARTITION, path)
    assert np.array_equal(entries, build(PARTITION))
    assert not entries.flags.writeable
    assert type(entries) is np.ndarray
    assert path.name == "3x3-4-4.pdb"
    assert path.stat().st_size == files.database_bytes(PARTITION)
    assert path.stat().st_mode & 0o222 == 0


def test_checksum_is_computed_once_per_file(path, monkeypatch):
    lengths, crc32 = [], files.zlib.crc32
    monkeypatch.setattr(files.zlib, "crc32", lambda data: lengths.append(len(data)) or crc32(data))
    files.load(PARTITION, path)
    assert lengths == []
    # It is computed again if the stamp file is damaged.
    for stamp in (b"", b"{", b"[]", b'{"crc32": null}', b'{"crc32": 7}'):
        lengths.clear()
        path.with_name("3x3-4-4.pdb.checked").write_bytes(stamp)
        files.load(PARTITION, path)
        files.load(PARTITION, path)
        assert lengths == [PARTITION.length]


DAMAGES = {
    "changed entry": lambda data: data[:OFFSET] + b"c" + data[OFFSET + 1 :],
    "changed version": lambda data: data.replace(b'"version": 1', b'"version": 0'),
    "truncated": lambda data: data[:-1],
    "truncated header": lambda data: data[:100],
    "empty": lambda data: b"",
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_file_is_not_mapped(path, damage):
    path.write_bytes(DAMAGES[damage](path.read_bytes()))
    for _ in range(2):
        with pytest.raises(DamagedFileError, match=r"3x3-4-4\.pdb"):
            files.load(PARTITION, path)


def test_file_of_another_index_is_rejected(tmp_path):
    # A pattern of one tile has as many entries with digits as with ranks.
    digits = Partition("1", Size(2, 1), ((1,),))
    ranked = replace(digits, ranked=True)
    for partition, other in ((digits, ranked), (ranked, digits)):
        path = files.database_path(partition, tmp_path)
        files.save(partition, build(partition), path)
        with pytest.raises(DamagedFileError, match="header"):
            files.load(other, path)


@pytest.mark.parametrize("call", ["replace", "fsync"])
def test_failed_write_keeps_the_previous_file(path, monkeypatch, call):
    # The file of a process that was killed is overwritten.
    path.with_suffix(".partial").write_bytes(bytes(10**6))
    with monkeypatch.context() as patched:
        patched.setattr(files.os, call, Mock(side_effect=OSError(errno.ENOSPC, "disk full")))
        with pytest.raises(OSError, match="disk full"):
            files.save(PARTITION, np.zeros(PARTITION.length, dtype=np.uint8), path)
    assert np.array_equal(files.load(PARTITION, path), build(PARTITION))
    assert {file.name for file in path.parent.iterdir()} == {path.name, f"{path.name}.checked"}


def test_modified_file_is_not_confirmed(path):
    databases = files.map_databases(PARTITION, path)
    intact = path.read_bytes()
    # The file may be renamed, replaced, or get another mode.
    path.chmod(0o644)
    databases.confirm()
    path.rename(path.with_name("other"))
    files.save(PARTITION, np.zeros(PARTITION.length, dtype=np.uint8), path)
    databases.confirm()
    assert np.array_equal(databases.entries, build(PARTITION))
    overwrite(path.with_name("other"), OFFSET, b"c")
    for _ in range(2):
        with pytest.raises(DamagedFileError, match="was changed while it was in use"):
            databases.confirm()
    # Restoring the content does not help.
    path.with_name("other").write_bytes(intact)
    with pytest.raises(DamagedFileError, match="was changed while it was in use"):
        databases.confirm()


def test_damage_with_unchanged_size_and_time_is_found(path):
    databases = files.map_databases(PARTITION, path)
    overwrite(path, OFFSET, b"c", keep_time=True)
    for check in (partial(files.load, PARTITION, path), databases.confirm):
        with pytest.raises(DamagedFileError, match="wrong checksum"):
            check()


def confirm_often(databases):
    """Confirm repeatedly: each call samples some entries."""
    for _ in range(1_000):
        databases.confirm()


def test_damage_without_a_changed_time_is_found_by_a_complete_check(path, monkeypatch):
    # Check the complete file in each call.
    monkeypatch.setattr(files, "_MIN_PAUSE_S", 0.0)
    monkeypatch.setattr(files, "_PAUSE_FACTOR", 0)
    with path.open("rb") as file:
        number, entries = file.fileno(), build(PARTITION)
        arguments = (path, number, entries, 7, lambda: None)
        mapped = files.MappedDatabases(*arguments, discard=lambda: None)
    with pytest.raises(DamagedFileError, match="wrong checksum"):
        mapped.confirm()
    assert mapped.is_damaged
    # Only a search detects wrong entries with the right parity.
    wrong = build(PARTITION)
    wrong[wrong > 2] += 2
    files.save(PARTITION, wrong, path)
    with pytest.raises(DamagedFileError, match="has the wrong entry"):
        confirm_often(files.map_databases(PARTITION, path))
    # It will be built again.
    assert list(path.parent.iterdir()) == []


SECOND = Partition("5-3", Size(3, 3), ((1, 2, 4, 5, 7), (3, 6, 8)))


def test_damaged_file_is_reported_and_rebuilt_once(tmp_path, caplog):
    assert files.ensure_built(PARTITION, tmp_path)
    assert not files.ensure_built(PARTITION, tmp_path)
    path = files.database_path(PARTITION, tmp_path)
    data = bytearray(path.read_bytes())
    data[-7] ^= 1
    path.write_bytes(data)
    assert files.open_existing(PARTITION, tmp_path) is None
    assert "ignoring the file" in caplog.text
    entries = files.open_or_build(PARTITION, tmp_path).entries
    assert "rebuilding it" in caplog.text
    assert np.array_equal(entries, build(PARTITION))
    assert files.open_existing(PARTITION, tmp_path) is not None


def test_unwritable_folder_is_tolerated(tmp_path, caplog):
    file = tmp_path / "file"
    file.write_text("not a folder")
    assert files.open_existing(PARTITION, file) is None
    entries = files.open_or_build(PARTITION, file).entries
    assert "building it in memory" in caplog.text
    assert np.array_equal(entries, build(PARTITION))
    assert not entries.flags.writeable


def test_full_disk_is_reported_before_building(tmp_path, monkeypatch):
    monkeypatch.setattr(Partition, "build", None)
    monkeypatch.setattr(files.shutil, "disk_usage", lambda _: SimpleNamespace(free=13_000))
    with pytest.raises(OSError, match="no room for 17218 bytes"):
        files.ensure_built(PARTITION, tmp_path)
    assert not list(tmp_path.glob("*.p*"))


def test_missing_databases_are_built_with_progress(tmp_path):
    assert build_missing([PARTITION], tmp_path) == []
    reports, titles = [], []

    def report(partition, fraction):
        reports.append((partition, fraction))
        titles.append(read_build_progress(tmp_path).partition)

    assert build_missing([PARTITION, SECOND], tmp_path, report) == []
    assert {partition for partition, _ in reports} == {SECOND}
    assert reports[-1][1] == 1
    assert set(titles) == {"3x3 5-3"}
    assert read_build_progress(tmp_path) is None
    assert files.open_existing(SECOND, tmp_path) is not None


def test_full_disk_is_reported_and_other_databases_are_built(tmp_path, monkeypatch, caplog):
    outcomes = chain([OSError(errno.ENOSPC, "disk full")], repeat(None))
    monkeypatch.setattr(files.os, "fsync", Mock(side_effect=outcomes))
    assert build_missing([PARTITION, SECOND], tmp_path) == [PARTITION]
    assert "3x3-4-4.pdb could not be built: [Errno 28] disk full" in caplog.text
    assert [path.name for path in tmp_path.glob("*.pdb")] == ["3x3-5-3.pdb"]


def test_build_progress_of_a_killed_builder_expires(tmp_path):
    path = tmp_path / "building.json"
    path.write_text(json.dumps({"partition": "3x3 4-4", "fraction": 0.25, "started_at": 1.0}))
    assert read_build_progress(tmp_path) == BuildProgress("3x3 4-4", 0.25, 1.0)
    expired = time.time() - builds.STALE_AFTER_S - 1
    os.utime(path, (expired, expired))
    assert read_build_progress(tmp_path) is None
    for text in ("", "{", "[]", "{}", '{"partition": "x", "fraction": "y"}'):
        path.write_text(text)
        assert read_build_progress(tmp_path) is None
    # A missing folder is not created for a progress file.
    with BuildProgressFile(tmp_path / "none", "3x3 4-4") as progress_file:
        progress_file(0.5)
    assert not (tmp_path / "none").exists()
