import errno
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from tests.support.damage import overwrite
from tilework.core.errors import DamagedFileError
from tilework.core.puzzle.board import Size
from tilework.core.solver.pdb import files
from tilework.core.solver.pdb.breadth_first import build
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

    def fail(*_):
        raise OSError(errno.ENOSPC, "disk full")

    with monkeypatch.context() as patched:
        patched.setattr(files.os, call, fail)
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
