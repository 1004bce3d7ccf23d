import errno
import json
import logging
import os
import time
from types import SimpleNamespace

import numpy as np
import pytest

from tilework.core.puzzle.board import Size
from tilework.core.solver.pdb import builds, files
from tilework.core.solver.pdb.breadth_first import build
from tilework.core.solver.pdb.builder import build_missing, claim_builder_lock
from tilework.core.solver.pdb.builds import BuildProgress, BuildProgressFile, read_build_progress
from tilework.core.solver.pdb.partitions import Partition

SIZE = Size(3, 3)
PARTITION = Partition("4-4", SIZE, ((1, 2, 4, 5), (3, 6, 7, 8)))
SECOND = Partition("5-3", SIZE, ((1, 2, 4, 5, 7), (3, 6, 8)))


def test_database_is_built_once_and_then_mapped(tmp_path, caplog, monkeypatch):
    folder = tmp_path / "new" / "folder"
    assert files.open_existing(PARTITION, folder) is None
    assert not folder.exists()
    assert not caplog.text
    with caplog.at_level(logging.INFO):
        first = files.open_or_build(PARTITION, folder).entries
    assert "built 3x3-4-4.pdb" in caplog.text
    fractions = []
    assert files.ensure_built(SECOND, folder, fractions.append)
    assert fractions[-1] == 1
    monkeypatch.setattr(Partition, "build", None)
    assert np.array_equal(files.open_or_build(PARTITION, folder).entries, first)
    assert not files.ensure_built(SECOND, folder, fractions.append)
    assert fractions.count(1) == 1


def test_damaged_file_is_reported_and_rebuilt(tmp_path, caplog):
    files.ensure_built(PARTITION, tmp_path)
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
    fsync = os.fsync
    failures = iter([OSError(errno.ENOSPC, "No space left on device")])

    def fail_once(descriptor):
        if (failure := next(failures, None)) is not None:
            raise failure
        fsync(descriptor)

    monkeypatch.setattr(files.os, "fsync", fail_once)
    assert build_missing([PARTITION, SECOND], tmp_path) == [PARTITION]
    assert "3x3-4-4.pdb could not be built: [Errno 28] No space left on device" in caplog.text
    assert [path.name for path in tmp_path.glob("*.pdb")] == ["3x3-5-3.pdb"]


def test_only_one_builder_at_a_time(tmp_path):
    descriptor = claim_builder_lock(tmp_path / "new", wait=False)
    assert claim_builder_lock(tmp_path / "new", wait=False) is None
    os.close(descriptor)
    os.close(claim_builder_lock(tmp_path / "new", wait=True))
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match="file"):
        claim_builder_lock(tmp_path / "file", wait=True)


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
