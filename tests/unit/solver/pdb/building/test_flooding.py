from dataclasses import replace
from itertools import permutations
from math import comb

import numpy as np
import pytest

from tests.unit.solver.pdb.naive_patterns import pattern_distances
from tilework.core.errors import OptionError
from tilework.core.puzzle.board import Size
from tilework.core.solver.kernels.constants import UNREACHED
from tilework.core.solver.pdb import distances
from tilework.core.solver.pdb.building.flooding import build
from tilework.core.solver.pdb.patterns import Partition
from tilework.core.solver.pdb.ranks import index_of, order_ranks, set_ranks
from tilework.core.solver.pdb.verify import verify

ONE_BY_ONE = sorted(set(range(1, 18)) - {7, 13, 17, 2})
PARTITIONS = [
    Partition("3", Size(2, 2), ((1, 2, 3),)),
    Partition("4-4", Size(3, 3), ((1, 2, 4, 5), (3, 6, 7, 8))),
    Partition("3-2-2", Size(4, 2), ((5, 1, 6), (2, 3), (7, 4))),
    Partition("3-2-2", Size(2, 4), ((5, 1, 6), (2, 3), (7, 4))),
    # Mirror images of one another, with tiles in another order.
    Partition("2-2-1-1-1-1", Size(3, 3), ((3, 2), (4, 7), (6,), (8,), (1,), (5,))),
    Partition("3-3-3-1-1", Size(4, 3), ((1, 2, 5), (4, 8, 3), (9, 10, 6), (7,), (11,))),
    # Mirror images too, but (6, 8) shuts the blank in.
    Partition("2-2-1-1-1-1", Size(3, 3), ((2, 4), (6, 8), (1,), (3,), (5,), (7,))),
    # More than 16 cells, and as many as there may be.
    Partition("2-2-1", Size(3, 6), ((7, 13), (17, 2), *((tile,) for tile in ONE_BY_ONE))),
    Partition("2", Size(6, 6), ((35, 29), *((tile,) for tile in [*range(1, 29), *range(30, 35)]))),
]
# Goals with the blank elsewhere; the last cell's neighbors are in one pattern, or in two.
ANYWHERE = [
    replace(partition, anywhere=True)
    for partition in (
        PARTITIONS[1],
        PARTITIONS[2],
        Partition("4-4", Size(3, 3), ((6, 8, 1, 2), (3, 4, 5, 7))),
    )
]
RANKED = [
    replace(partition, ranked=True) for partition in PARTITIONS if partition.size.cells <= 16
] + [
    # All of eight tiles, and a board on which a tile passes up to four others.
    Partition("8", Size(3, 3), ((1, 2, 3, 4, 5, 6, 7, 8),), ranked=True),
    Partition("5-4", Size(5, 2), ((6, 1, 2, 7, 3), (4, 9, 8, 5)), ranked=True),
]


def name_of(partition):
    return f"{partition.title}{' ranked' * partition.ranked}{' anywhere' * partition.anywhere}"


@pytest.mark.parametrize("partition", PARTITIONS + ANYWHERE + RANKED, ids=name_of)
def test_entries_are_the_distances_of_the_oracle(partition):
    width, height = partition.size
    cells = partition.size.cells
    entries = build(partition)
    assert entries.dtype == np.uint8
    assert entries.shape == (partition.length,)
    for (pattern, blank), offset, length in zip(
        partition.parts[:20], partition.offsets, partition.lengths, strict=False
    ):
        expected = np.full(length, 255)
        goal = [tile - 1 for tile in pattern]
        for placement, moves in pattern_distances(goal, blank, width, height).items():
            index = sum(cell * cells**place for place, cell in enumerate(placement))
            expected[index_of(placement, cells) if partition.ranked else index] = moves
        assert np.array_equal(entries[offset : offset + length], expected)
    verify(partition, entries)


def test_ranks_change_the_index_and_nothing_else():
    tiles = ((1, 6, 5, 10, 2), (3, 4, 7, 8, 12), (9, 11, 13, 14, 15))
    digits = Partition("5-5-5", Size(4, 4), tiles)
    ranked = replace(digits, ranked=True)
    parts, ranked_parts = (
        np.split(build(partition), partition.offsets[1:]) for partition in (digits, ranked)
    )
    placements = np.array([*permutations(range(16), 5)])
    indices = placements @ 16 ** np.arange(5)
    low, high = order_ranks(5)
    orders = np.argsort(placements) @ 8 ** np.arange(5)
    ranks = (low[orders & 0xFFF] + high[orders >> 12]).astype(int) * comb(16, 5)
    ranks += set_ranks()[(1 << placements).sum(axis=1)]
    for part, ranked_part in zip(parts, ranked_parts, strict=True):
        assert np.array_equal(part[indices], ranked_part[ranks])


@pytest.mark.parametrize("partition", [PARTITIONS[1], RANKED[1]], ids=name_of)
def test_the_share_that_is_done_rises_to_the_whole(partition):
    shares = []
    build(partition, shares.append)
    assert shares == sorted(shares)
    assert len(shares) > 10
    assert shares[0] > 0
    assert shares[-1] == 1


@pytest.mark.parametrize("ranked", [False, True])
def test_a_distance_that_no_entry_holds_is_told(ranked, monkeypatch):
    partition = Partition("4-4", Size(3, 3), ((1, 2, 4, 5), (3, 6, 7, 8)), ranked=ranked)
    whole = build(partition)
    most = int(whole[whole != UNREACHED].max())
    monkeypatch.setattr(distances, "MOST_MOVES", most)
    assert np.array_equal(build(partition), whole)
    monkeypatch.setattr(distances, "MOST_MOVES", most - 1)
    with pytest.raises(OptionError, match=f"is {most} moves from its goal"):
        build(partition)
