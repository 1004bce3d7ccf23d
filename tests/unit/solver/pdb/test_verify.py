import pytest

from tilework.core.errors import DamagedFileError
from tilework.core.puzzle.board import Size
from tilework.core.solver.pdb.breadth_first import build
from tilework.core.solver.pdb.partitions import Partition
from tilework.core.solver.pdb.ranks import rank_placement
from tilework.core.solver.pdb.verify import verify, verify_sample

WRONG = [
    ((0, 0), 3),  # invalid placement: both tiles on one cell
    ((0, 1), 2),  # the goal of tiles 1 and 2
    ((1, 0), 255),  # exchanged, but reachable
    ((2, 1), 3),  # Manhattan distance 2: wrong parity
    ((3, 1), 1),  # below the Manhattan distance of 3
    ((3, 1), 0),  # not the goal
    ((1, 0), 4),  # exchanged, which takes six moves
    ((1, 0), 8),
]


@pytest.mark.parametrize("ranked", [False, True])
def test_wrong_entry_is_found(ranked):
    partition = Partition("2-5", Size(4, 2), ((1, 2), (3, 4, 5, 6, 7)), ranked=ranked)
    entries = build(partition)
    verify(partition, entries)
    for (first, second), value in WRONG[ranked:]:
        wrong = entries.copy()
        wrong[rank_placement((first, second), 8) if ranked else first + 8 * second] = value
        with pytest.raises(DamagedFileError, match=r"\(1, 2\) on 4×2 boards"):
            verify(partition, wrong)


@pytest.mark.parametrize("ranked", [False, True])
def test_every_entry_is_checked(ranked):
    partition = Partition("3-4", Size(4, 2), ((3, 1, 2), (4, 5, 6, 7)), ranked=ranked)
    entries = build(partition)
    fractions = []
    verify(partition, entries, fractions.append)
    assert fractions[-1] == 1
    for index in range(0, partition.lengths[0], 23):
        wrong = entries.copy()
        wrong[index] = 7 if wrong[index] == 255 else wrong[index] + 1
        with pytest.raises(DamagedFileError, match=r"\(3, 1, 2\) on 4×2 boards"):
            verify(partition, wrong)


@pytest.mark.parametrize("ranked", [False, True])
def test_sample_finds_a_wrong_entry(ranked):
    partition = Partition("2-5", Size(4, 2), ((1, 2), (3, 4, 5, 6, 7)), ranked=ranked)
    wrong = build(partition)
    wrong[rank_placement((1, 0), 8) if ranked else 1] += 2
    with pytest.raises(DamagedFileError, match=r"\(1, 2\) on 4×2 boards"):
        verify_sample(partition, wrong, 10_000)
