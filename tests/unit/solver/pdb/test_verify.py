import numpy as np
import pytest

from tilework.core.errors import DamagedFileError
from tilework.core.puzzle.board import Size
from tilework.core.solver.pdb import verify as verify_module
from tilework.core.solver.pdb.building.flooding import build
from tilework.core.solver.pdb.patterns import Partition
from tilework.core.solver.pdb.ranks import index_of
from tilework.core.solver.pdb.verify import verify

# All at once, one tile resting, two, all.
SLABS = [10**6, 100, 20, 8]
# All at once, several orders but not a divisor of them all, one.
RANKED_SLABS = [10**6, 230, 1]


@pytest.mark.parametrize(
    ("index", "value"),
    [
        (0, 3),  # both tiles on cell 0
        (0 + 1 * 8, 1),  # the goal of tiles 1 and 2
        (1 + 0 * 8, 255),  # tiles 1 and 2 exchanged: somewhere to go
        (2 + 1 * 8, 3),  # Manhattan distance 2: wrong parity
        (3 + 1 * 8, 1),  # Manhattan distance 3: too little
        (3 + 1 * 8, 0),  # not the goal
    ],
)
@pytest.mark.parametrize("slab", SLABS)
def test_a_wrong_entry_is_found(index, value, slab, monkeypatch):
    monkeypatch.setattr(verify_module, "_SLAB", slab)
    partition = Partition("2-5", Size(4, 2), ((1, 2), (3, 4, 5, 6, 7)))
    entries = build(partition)
    verify(partition, entries)
    entries[index] = value
    with pytest.raises(DamagedFileError, match=r"\(1, 2\) on boards of 4×2"):
        verify(partition, entries)


@pytest.mark.parametrize("slab", SLABS)
def test_every_entry_of_a_right_one_is_checked(slab, monkeypatch):
    monkeypatch.setattr(verify_module, "_SLAB", slab)
    partition = Partition("3-4", Size(4, 2), ((3, 1, 2), (4, 5, 6, 7)))
    entries = build(partition)
    shares = []
    verify(partition, entries, shares.append)
    assert shares[-1] == 1
    # One too many everywhere: every slab has something to find.
    for first in range(0, partition.lengths[0], 8):
        wrong = entries.copy()
        row = wrong[first : first + 8]
        if (row == 255).all():
            row[0] = 7
        else:
            row[np.flatnonzero(row != 255)[0]] += 1
        with pytest.raises(DamagedFileError, match=r"\(3, 1, 2\) on boards of 4×2"):
            verify(partition, wrong)


@pytest.mark.parametrize(
    ("placement", "value"),
    [
        ((0, 1), 2),  # the goal of tiles 1 and 2
        ((1, 0), 255),  # exchanged: somewhere to go
        ((2, 1), 3),  # Manhattan distance 2: wrong parity
        ((3, 1), 1),  # Manhattan distance 3: too little
        ((3, 1), 0),  # not the goal
    ],
)
@pytest.mark.parametrize("slab", RANKED_SLABS)
def test_a_wrong_ranked_entry_is_found(placement, value, slab, monkeypatch):
    monkeypatch.setattr(verify_module, "_SLAB", slab)
    partition = Partition("2-5", Size(4, 2), ((1, 2), (3, 4, 5, 6, 7)), ranked=True)
    entries = build(partition)
    shares = []
    verify(partition, entries, shares.append)
    assert shares[-1] == 1
    entries[index_of(placement, 8)] = value
    with pytest.raises(DamagedFileError, match=r"\(1, 2\) on boards of 4×2"):
        verify(partition, entries)


@pytest.mark.parametrize("slab", RANKED_SLABS)
def test_every_ranked_entry_is_checked(slab, monkeypatch):
    monkeypatch.setattr(verify_module, "_SLAB", slab)
    partition = Partition("3-4", Size(4, 2), ((3, 1, 2), (4, 5, 6, 7)), ranked=True)
    entries = build(partition)
    for index in range(partition.lengths[0]):
        wrong = entries.copy()
        wrong[index] += 1
        with pytest.raises(DamagedFileError, match=r"\(3, 1, 2\) on boards of 4×2"):
            verify(partition, wrong)


@pytest.mark.parametrize("change", [-2, 2, 20])
def test_a_distance_that_looks_right_but_is_not(change):
    partition = Partition("2-2-2-1", Size(4, 2), ((1, 2), (3, 4), (5, 6), (7,)))
    entries = build(partition)
    verify(partition, entries)
    # In one another's place: four moves more than the Manhattan distance.
    entries[1 + 0 * 8] = int(entries[1]) + change
    with pytest.raises(DamagedFileError, match=r"cells \[1, 0\]"):
        verify(partition, entries)
