import pytest

from tests.unit.solver.pdb.naive_patterns import neighbors
from tilework.core.errors import OptionError
from tilework.core.puzzle.board import Size
from tilework.core.solver.pdb.parts import weights
from tilework.core.solver.pdb.patterns import (
    Partition,
    partition_named,
    partition_titled,
    partitions_for,
)

SIZES = [
    Size(width, height) for width in range(2, 19) for height in range(2, 19) if width * height <= 36
]


def test_offsets_follow_from_lengths():
    partition = Partition("2-1", Size(2, 2), ((1, 3), (2,)))
    assert partition.lengths == (16, 4)
    assert partition.offsets == (0, 16)
    assert partition.length == 20


def test_ranked_lengths_have_no_unused_entries():
    partition = Partition("2-1", Size(2, 2), ((1, 3), (2,)), ranked=True)
    assert partition.lengths == (12, 4)
    assert partition.offsets == (0, 12)


@pytest.mark.parametrize(
    ("size", "patterns", "words"),
    [
        (Size(4, 4), (tuple(range(1, 10)), tuple(range(10, 16))), "1 to 8 tiles"),
        (Size(6, 3), tuple((tile,) for tile in range(1, 18)), "a board of 6×3 has 18"),
    ],
)
def test_only_small_patterns_on_small_boards_are_ranked(size, patterns, words):
    with pytest.raises(OptionError, match=words):
        Partition("wrong", size, patterns, ranked=True)


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


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_every_size_is_cut_into_patterns_by_name(size):
    partitions = partitions_for(size)
    assert len({partition.name for partition in partitions}) == len(partitions) > 0
    for partition in partitions:
        assert partition.size == size
        assert partition.name == "-".join(str(len(pattern)) for pattern in partition.patterns)
        assert partition.title == f"{size.width}x{size.height} {partition.name}"
        assert partition_named(size, partition.name) == partition


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_tiles_of_a_pattern_lie_together(size):
    for partition in partitions_for(size):
        for pattern in partition.patterns:
            cells = {tile - 1 for tile in pattern}
            touching = {cells.pop()}
            while near := {
                cell
                for cell in cells
                for other in touching
                if cell in neighbors(other, size.width, size.height)
            }:
                touching |= near
                cells -= near
            assert not cells


def test_the_known_sizes_have_the_known_names():
    names = [partition.name for partition in partitions_for(Size(4, 4))]
    assert names == ["7-8", "6-6-3"]
    names = [partition.name for partition in partitions_for(Size(5, 5))]
    assert names == ["6-6-6-6", "5-5-5-5-4"]
    assert [partition.name for partition in partitions_for(Size(6, 6))] == ["5-5-5-5-5-5-5"]


@pytest.mark.parametrize(
    ("size", "name", "quick"),
    [
        (Size(4, 4), "6-6-3", True),
        (Size(4, 4), "7-8", False),
        (Size(5, 5), "5-5-5-5-4", True),
        (Size(5, 5), "6-6-6-6", False),
    ],
)
def test_only_small_ones_are_quick(size, name, quick):
    assert partition_named(size, name).is_quick is quick


@pytest.mark.parametrize("size", [Size(1, 1), Size(1, 8), Size(8, 1), Size(6, 7)])
def test_lines_and_boards_of_over_36_cells_have_none(size):
    assert partitions_for(size) == ()
    with pytest.raises(OptionError, match="no pattern databases"):
        partition_named(size, "1")


def test_an_unknown_name_is_quoted_with_the_choices():
    with pytest.raises(OptionError, match="'6-7'; choose from 6-6-6-6, 5-5-5-5-4"):
        partition_named(Size(5, 5), "6-7")


def test_a_title_names_a_partition():
    for size in (Size(4, 4), Size(5, 5), Size(6, 4)):
        for partition in partitions_for(size):
            assert partition_titled(partition.title) == partition


@pytest.mark.parametrize("title", ["", "5x5", "6-6-6-6", "5x5 6-7", "x 6-6-6-6", "-1x5 6"])
def test_a_title_of_none_is_quoted(title):
    with pytest.raises(OptionError, match=f"{title!r}|no partition|no pattern"):
        partition_titled(title)
