"""Files that change while they are in use: what rests on them is never told."""

import os

import numpy as np
import pytest

from tilework.core.errors import DamagedFileError
from tilework.core.puzzle.board import Size
from tilework.core.solver.pdb import files, watched
from tilework.core.solver.pdb.building.flooding import build
from tilework.core.solver.pdb.patterns import Partition

PARTITION = Partition("4-4", Size(3, 3), ((1, 2, 4, 5), (3, 6, 7, 8)))


@pytest.fixture
def path(tmp_path):
    path = files.path_of(PARTITION, tmp_path)
    files.save(PARTITION, build(PARTITION), path)
    return path


@pytest.fixture
def in_use(path):
    return files.watch(PARTITION, path)


def overwrite(path, place=777):
    path.chmod(0o644)
    with path.open("r+b") as file:
        file.seek(files.HEADER_BYTES + place)
        file.write(b"\x63")


@pytest.fixture
def at_every_question(monkeypatch):
    """The whole is checked anew each time."""
    monkeypatch.setattr(watched, "_LEAST_PAUSE_S", 0.0)
    monkeypatch.setattr(watched, "_SHARE", 0)


def test_nobody_may_write_to_a_file(path):
    assert path.stat().st_mode & 0o222 == 0


def test_an_untouched_file_is_confirmed(in_use, path):
    in_use.confirm()
    assert np.array_equal(in_use.entries, build(PARTITION))


def test_a_file_that_was_written_to_is_not(in_use, path):
    overwrite(path)
    with pytest.raises(DamagedFileError, match="was changed while it was in use"):
        in_use.confirm()
    with pytest.raises(DamagedFileError, match="was changed while it was in use"):
        in_use.confirm()


def test_nor_one_that_was_made_whole_again(in_use, path):
    sound = path.read_bytes()
    overwrite(path)
    with path.open("r+b") as file:
        file.write(sound)
    with pytest.raises(DamagedFileError, match="was changed while it was in use"):
        in_use.confirm()


def test_nor_one_that_was_given_its_old_time_again(in_use, path):
    before = path.stat()
    overwrite(path)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    with pytest.raises(DamagedFileError, match="wrong checksum"):
        in_use.confirm()


def test_another_name_or_other_rights_do_no_harm(in_use, path):
    path.chmod(0o644)
    in_use.confirm()
    path.rename(path.with_name("other"))
    in_use.confirm()


def test_a_replaced_file_stays_as_it_was_for_who_uses_it(in_use, path):
    wrong = build(PARTITION)
    wrong[777] = 99
    files.save(PARTITION, wrong, path)
    in_use.confirm()
    assert np.array_equal(in_use.entries, build(PARTITION))


@pytest.mark.usefixtures("at_every_question")
def test_damage_that_leaves_no_trace_is_found_in_time(path):
    damaged = build(PARTITION)
    with path.open("rb") as file:
        found = watched.Watched(path, file.fileno(), damaged, 7, lambda: None)
    with pytest.raises(DamagedFileError, match="wrong checksum"):
        found.confirm()


@pytest.mark.usefixtures("at_every_question")
def test_a_file_that_was_built_wrong_is_found_by_searching_for_entries(path):
    wrong = build(PARTITION)
    # As odd or even as before, so that only a search can tell.
    wrong[wrong > 2] += 2
    files.save(PARTITION, wrong, path)
    in_use = files.watch(PARTITION, path)
    with pytest.raises(DamagedFileError, match="which cannot be"):
        in_use.confirm()
