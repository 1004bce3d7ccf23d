"""The file of one partition: what is written is what is read, and nothing else is taken."""

import errno
import json
import os
from dataclasses import replace

import numpy as np
import pytest

from tilework.core.errors import DamagedFileError
from tilework.core.puzzle.board import Size
from tilework.core.solver.pdb import files
from tilework.core.solver.pdb.building.flooding import build
from tilework.core.solver.pdb.patterns import Partition

PARTITION = Partition("4-4", Size(3, 3), ((1, 2, 4, 5), (3, 6, 7, 8)))


@pytest.fixture
def path(tmp_path):
    path = files.path_of(PARTITION, tmp_path)
    files.save(PARTITION, build(PARTITION), path)
    return path


@pytest.fixture
def sums(monkeypatch):
    """Lengths of all that is added up from now on."""
    lengths = []
    crc32 = files.zlib.crc32

    def counted(data):
        lengths.append(len(data))
        return crc32(data)

    monkeypatch.setattr(files.zlib, "crc32", counted)
    return lengths


def test_what_is_saved_is_mapped_read_only(path):
    entries = files.load(PARTITION, path)
    assert np.array_equal(entries, build(PARTITION))
    assert not entries.flags.writeable
    assert type(entries) is np.ndarray
    assert path.name == "3x3-4-4.pdb"
    assert path.stat().st_size == files.bytes_of(PARTITION)


def test_a_checksum_is_added_up_once_for_a_file(path, sums):
    files.load(PARTITION, path)
    assert sums == []
    files.load(PARTITION, path, anew=True)
    assert sums == [PARTITION.length]
    os.utime(path)
    files.load(PARTITION, path)
    files.load(PARTITION, path)
    assert sums == [PARTITION.length] * 2


@pytest.mark.parametrize("stamp", [b"", b"{", b"[]", b"{}", b'{"crc32": null}', b'{"crc32": 7}'])
def test_a_damaged_stamp_is_none(path, sums, stamp):
    path.with_name("3x3-4-4.pdb.checked").write_bytes(stamp)
    files.load(PARTITION, path)
    files.load(PARTITION, path)
    assert sums == [PARTITION.length]


def test_the_stamp_of_another_file_is_none(path, sums):
    stamp = path.with_name("3x3-4-4.pdb.checked")
    known = stamp.read_bytes()
    path.write_bytes(path.read_bytes())
    stamp.write_bytes(known)
    files.load(PARTITION, path)
    assert sums == [PARTITION.length]
    assert json.loads(stamp.read_bytes()) != json.loads(known)


def test_a_folder_that_cannot_be_written_costs_time_only(path, sums, monkeypatch):
    os.utime(path)

    def fail(*_):
        raise PermissionError(errno.EACCES, "read-only")

    monkeypatch.setattr(files.os, "replace", fail)
    files.load(PARTITION, path)
    files.load(PARTITION, path)
    assert sums == [PARTITION.length] * 2


def damage_entry(data):
    data[files.HEADER_BYTES + 777] ^= 1


def damage_version(data):
    data[: files.HEADER_BYTES] = data[: files.HEADER_BYTES].replace(
        b'"version": 1', b'"version": 0'
    )


def cut_short(data):
    del data[-1]


def cut_in_the_header(data):
    del data[100:]


def empty(data):
    del data[:]


DAMAGES = [damage_entry, damage_version, cut_short, cut_in_the_header, empty]


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_not_mapped(path, damage, sums):
    data = bytearray(path.read_bytes())
    damage(data)
    path.write_bytes(data)
    for _ in range(2):
        with pytest.raises(DamagedFileError, match=r"3x3-4-4\.pdb"):
            files.load(PARTITION, path)
    # Not even damage is added up twice.
    assert sums == ([PARTITION.length] if damage is damage_entry else [])


def test_damage_that_leaves_size_and_time_of_modification_is_found(path):
    before = path.stat()
    data = bytearray(path.read_bytes())
    damage_entry(data)
    with path.open("r+b") as file:
        file.write(data)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    with pytest.raises(DamagedFileError, match="checksum"):
        files.load(PARTITION, path)


def test_the_file_of_another_partition_is_not_taken(path):
    other = Partition("4-4", Size(3, 3), ((1, 2, 4, 7), (3, 5, 6, 8)))
    with pytest.raises(DamagedFileError):
        files.load(other, path)


def test_a_file_tells_which_index_it_has(tmp_path):
    # One pattern of one tile: as many entries by digits as by ranks.
    digits = Partition("1", Size(2, 1), ((1,),))
    ranked = replace(digits, ranked=True)
    for partition, other in ((digits, ranked), (ranked, digits)):
        path = files.path_of(partition, tmp_path)
        files.save(partition, build(partition), path)
        with pytest.raises(DamagedFileError, match="header"):
            files.load(other, path)


@pytest.mark.parametrize("call", ["replace", "fsync"])
def test_a_failed_writing_leaves_nothing(tmp_path, monkeypatch, call):
    def fail(*_):
        raise OSError(errno.ENOSPC, "disk full")

    monkeypatch.setattr(files.os, call, fail)
    with pytest.raises(OSError, match="disk full"):
        files.save(PARTITION, build(PARTITION), files.path_of(PARTITION, tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_a_failed_writing_keeps_what_was_there(path, monkeypatch):
    def fail(*_):
        raise OSError(errno.ENOSPC, "disk full")

    with monkeypatch.context() as patched:
        patched.setattr(files.os, "fsync", fail)
        with pytest.raises(OSError, match="disk full"):
            files.save(PARTITION, np.zeros(PARTITION.length, dtype=np.uint8), path)
    assert np.array_equal(files.load(PARTITION, path), build(PARTITION))


def test_what_a_killed_writer_left_is_written_over(path):
    path.with_suffix(".partial").write_bytes(bytes(10**6))
    files.save(PARTITION, build(PARTITION), path)
    files.load(PARTITION, path)
    assert not path.with_suffix(".partial").exists()
