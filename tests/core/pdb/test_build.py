import numpy as np
import pytest

from core.pdb.build import build
from core.pdb.patterns import Partition
from core.pdb.verify import verify
from core.puzzle.board import Size
from tests.core.pdb.naive_patterns import pattern_distances

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
    # More than 16 cells: wider sets of cells in the builder.
    Partition("2-2-1", Size(3, 6), ((7, 13), (17, 2), *((tile,) for tile in ONE_BY_ONE))),
]


@pytest.mark.parametrize("partition", PARTITIONS, ids=lambda partition: partition.title)
def test_entries_are_the_distances_of_the_oracle(partition):
    width, height = partition.size
    cells = partition.size.cells
    entries = build(partition)
    assert entries.dtype == np.uint8
    assert entries.shape == (partition.length,)
    for pattern, offset, length in zip(
        partition.patterns[:6], partition.offsets, partition.lengths, strict=False
    ):
        expected = np.full(length, 255)
        goal = [tile - 1 for tile in pattern]
        for placement, moves in pattern_distances(goal, cells - 1, width, height).items():
            expected[sum(cell * cells**place for place, cell in enumerate(placement))] = moves
        assert np.array_equal(entries[offset : offset + length], expected)
    verify(partition, entries)


def test_the_share_that_is_done_rises_to_the_whole():
    shares = []
    build(PARTITIONS[1], shares.append)
    assert shares == sorted(shares)
    assert len(shares) > 10
    assert shares[0] > 0
    assert shares[-1] == 1
