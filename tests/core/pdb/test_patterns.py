import pytest

from core.errors import OptionError
from core.pdb.patterns import Partition, partition_for, weights
from core.puzzle.board import Size


def test_offsets_follow_from_lengths():
    partition = Partition("2-1", Size(2, 2), ((1, 3), (2,)))
    assert partition.lengths == (16, 4)
    assert partition.offsets == (0, 16)
    assert partition.length == 20


def test_weights_are_powers_of_the_cells():
    assert weights((4, 1, 2), Size(3, 3)).tolist() == [1, 9, 81]


@pytest.mark.parametrize(
    ("size", "patterns"),
    [
        (Size(2, 2), ((1, 2), (2, 3))),
        (Size(2, 2), ((1,), (2,))),
        (Size(2, 2), ((1, 2), (3, 4))),
        (Size(2, 2), ((1, 2), (3,), ())),
        (Size(4, 3), (tuple(range(1, 12)),)),
        (Size(7, 6), tuple((tile,) for tile in range(1, 42))),
    ],
)
def test_what_is_no_partition_is_refused(size, patterns):
    with pytest.raises(OptionError):
        Partition("wrong", size, patterns)


def test_the_4x4_has_a_partition_and_most_sizes_have_none():
    partition = partition_for(Size(4, 4))
    assert partition is not None
    assert partition.name == "-".join(str(len(pattern)) for pattern in partition.patterns)
    assert partition_for(Size(5, 3)) is None
