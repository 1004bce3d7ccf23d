import errno
import os
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from tilework.core.errors import DamagedFileError
from tilework.core.puzzle.board import Size
from tilework.core.solver.pdb import file_integrity, files
from tilework.core.solver.pdb.building.breadth_first import build
from tilework.core.solver.pdb.patterns import Partition

PARTITION = Partition("4-4", Size(3, 3), ((1, 2, 4, 5), (3, 6, 7, 8)))
PLACE = files.HEADER_BYTES + 777


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
    # It is computed again if its stamp is damaged.
    for stamp in (b"", b"{", b"[]", b'{"crc32": null}', b'{"crc32": 7}'):
        lengths.clear()
        path.with_name("3x3-4-4.pdb.checked").write_bytes(stamp)
        files.load(PARTITION, path)
        files.load(PARTITION, path)
        assert lengths == [PARTITION.length]


DAMAGES = {
    "an entry": lambda data: data[:PLACE] + b"c" + data[PLACE + 1 :],
    "the version": lambda data: data.replace(b'"version": 1', b'"version": 0'),
    "cut short": lambda data: data[:-1],
    "cut in the header": lambda data: data[:100],
    "empty": lambda data: b"",
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_file_is_not_mapped(path, damage):
    path.write_bytes(DAMAGES[damage](path.read_bytes()))
    for _ in range(2):
        with pytest.raises(DamagedFileError, match=r"3x3-4-4\.pdb"):
            files.load(PARTITION, path)


def test_file_has_the_version_of_its_index(tmp_path):
    # One pattern of one tile has as many entries by digits as by ranks.
    digits = Partition("1", Size(2, 1), ((1,),))
    ranked = replace(digits, ranked=True)
    for partition, other in ((digits, ranked), (ranked, digits)):
        path = files.database_path(partition, tmp_path)
        files.save(partition, build(partition), path)
        with pytest.raises(DamagedFileError, match="header"):
            files.load(other, path)


def overwrite(path):
    path.chmod(0o644)
    with path.open("r+b") as file:
        file.seek(PLACE)
        file.write(b"c")


@pytest.mark.parametrize("call", ["replace", "fsync"])
def test_failed_write_keeps_the_former_file(path, monkeypatch, call):
    # The file of a killed writer is overwritten.
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
    in_use = files.map_databases(PARTITION, path)
    intact = path.read_bytes()
    # Renaming it, changing its mode or replacing it does no harm.
    path.chmod(0o644)
    in_use.confirm()
    path.rename(path.with_name("other"))
    files.save(PARTITION, np.zeros(PARTITION.length, dtype=np.uint8), path)
    in_use.confirm()
    assert np.array_equal(in_use.entries, build(PARTITION))
    overwrite(path.with_name("other"))
    for _ in range(2):
        with pytest.raises(DamagedFileError, match="was changed while it was in use"):
            in_use.confirm()
    # Nor one that was restored.
    path.with_name("other").write_bytes(intact)
    with pytest.raises(DamagedFileError, match="was changed while it was in use"):
        in_use.confirm()


def test_damage_with_unchanged_size_and_time_is_found(path):
    in_use, before = files.map_databases(PARTITION, path), path.stat()
    overwrite(path)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    for read in (in_use.confirm, partial(files.load, PARTITION, path)):
        with pytest.raises(DamagedFileError, match="wrong checksum"):
            read()


def confirm_always(in_use):
    """Some entries are sampled each time; those without a placement are skipped."""
    for _ in range(1_000):
        in_use.confirm()


def test_damage_without_any_trace_is_found_by_a_complete_check(path, monkeypatch):
    # Each call checks the complete file.
    monkeypatch.setattr(file_integrity, "_MIN_PAUSE_S", 0.0)
    monkeypatch.setattr(file_integrity, "_PAUSE_FACTOR", 0)
    with path.open("rb") as file:
        mapped = file_integrity.MappedDatabases(
            path, file.fileno(), build(PARTITION), 7, lambda: None
        )
    with pytest.raises(DamagedFileError, match="wrong checksum"):
        mapped.confirm()
    # A wrongly built file with the right parity, which only a search detects.
    wrong = build(PARTITION)
    wrong[wrong > 2] += 2
    files.save(PARTITION, wrong, path)
    with pytest.raises(DamagedFileError, match="has the impossible entry"):
        confirm_always(files.map_databases(PARTITION, path))
