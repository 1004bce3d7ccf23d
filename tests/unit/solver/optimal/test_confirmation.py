"""Databases that are overwritten while a search uses them."""

import shutil
from functools import partial

import numpy as np
import pytest

from tests.support.instances import load_instances
from tilework.core.errors import DamagedFileError
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_first
from tilework.core.solver.optimal.choice import select_engine
from tilework.core.solver.optimal.cursor import Cursor
from tilework.core.solver.optimal.engines import PatternEngine
from tilework.core.solver.optimal.slice import search_slice
from tilework.core.solver.pdb.files import HEADER_BYTES, database_path
from tilework.core.solver.pdb.patterns import partitions_for

GOAL = blank_first(Size(4, 4))
QUICK = next(partition for partition in partitions_for(GOAL.size) if partition.is_quick)
KORF = {instance.name: instance for instance in load_instances("korf100_15puzzle.txt")}
PLENTY = 1 << 40


@pytest.fixture
def folder(pattern_databases, tmp_path):
    """A private copy of the databases, which may be damaged."""
    select_engine(GOAL, pattern_databases)
    shutil.copy(database_path(QUICK, pattern_databases), tmp_path)
    return tmp_path


def overwrite(folder):
    """Overwrite all entries in place with wrong values."""
    path = database_path(QUICK, folder)
    path.chmod(0o644)
    entries = np.random.default_rng(7).integers(20, 40, QUICK.length, dtype=np.uint8)
    with path.open("r+b") as file:
        file.seek(HEADER_BYTES)
        file.write(entries.data)


@pytest.fixture
def damage_databases(folder):
    """A cancellation check whose first call overwrites the databases."""
    polls = []

    def overwrite_once():
        if not polls:
            overwrite(folder)
        polls.append(True)
        return False

    yield overwrite_once
    assert polls


def test_slice_with_damaged_databases_fails(folder, damage_databases, monkeypatch):
    # Check limits even during this small search.
    monkeypatch.setattr(PatternEngine, "chunk", 10_000)
    board = KORF["korf15-017"].board
    threshold = KORF["korf15-017"].length - 2
    search = partial(search_slice, board, GOAL, threshold, Cursor.root(), PLENTY, pdb_folder=folder)
    with pytest.raises(DamagedFileError, match="was changed while it was in use"):
        search(cancelled=damage_databases)
    outcome = search()
    assert (outcome.moves, outcome.next_threshold) == (None, threshold + 2)
