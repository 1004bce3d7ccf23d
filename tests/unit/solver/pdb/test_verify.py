import pytest

from tests.unit.solver.pdb.naive_patterns import pattern_distances
from tilework.core.errors import DamagedFileError
from tilework.core.puzzle.board import Size
from tilework.core.solver.pdb import verify as verify_module
from tilework.core.solver.pdb.building.flooding import build
from tilework.core.solver.pdb.patterns import Partition
from tilework.core.solver.pdb.ranks import index_of
from tilework.core.solver.pdb.slow_search import SlowSearch
from tilework.core.solver.pdb.verify import verify

SLABS = {False: [10**6, 100, 20, 8], True: [10**6, 230, 1]}
"""All at once, one tile resting, two, all; and of ranked entries several orders, or one."""


WRONG = [
    ((0, 0), 3),  # both tiles on one cell: no placement at all
    ((0, 1), 2),  # the goal of tiles 1 and 2
    ((1, 0), 255),  # exchanged: somewhere to go
    ((2, 1), 3),  # Manhattan distance 2: wrong parity
    ((3, 1), 1),  # Manhattan distance 3: too little
    ((3, 1), 0),  # not the goal
]


@pytest.mark.parametrize("ranked", [False, True])
def test_a_wrong_entry_is_found(ranked, monkeypatch):
    partition = Partition("2-5", Size(4, 2), ((1, 2), (3, 4, 5, 6, 7)), ranked=ranked)
    entries = build(partition)
    verify(partition, entries)
    for slab in SLABS[ranked]:
        monkeypatch.setattr(verify_module, "_SLAB", slab)
        for (one, other), value in WRONG[ranked:]:
            wrong = entries.copy()
            wrong[index_of((one, other), 8) if ranked else one + 8 * other] = value
            with pytest.raises(DamagedFileError, match=r"\(1, 2\) on boards of 4×2"):
                verify(partition, wrong)


@pytest.mark.parametrize("ranked", [False, True])
def test_every_entry_is_checked(ranked, monkeypatch):
    partition = Partition("3-4", Size(4, 2), ((3, 1, 2), (4, 5, 6, 7)), ranked=ranked)
    entries = build(partition)
    for slab in SLABS[ranked]:
        monkeypatch.setattr(verify_module, "_SLAB", slab)
        shares = []
        verify(partition, entries, shares.append)
        assert shares[-1] == 1
        # One too many everywhere: every slab has something to find.
        for index in range(0, partition.lengths[0], 5):
            wrong = entries.copy()
            wrong[index] = 7 if wrong[index] == 255 else wrong[index] + 1
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


@pytest.mark.parametrize(
    ("goal", "blank", "size"),
    [
        ((0, 1), 8, Size(3, 3)),
        ((5, 7), 8, Size(3, 3)),
        ((5, 7), 0, Size(3, 3)),
        ((0, 4, 3), 7, Size(4, 2)),
    ],
)
def test_exactly_the_least_moves_suffice(goal, blank, size):
    distances = pattern_distances(goal, blank, *size)
    for estimate in (distances.__getitem__, lambda _: 0):
        search = SlowSearch(goal, blank, size, estimate)
        for cells, moves in list(distances.items())[::41]:
            assert search.reaches_goal(cells, moves)
            assert search.reaches_goal(cells, moves + 2)
            assert not search.reaches_goal(cells, moves - 1)
