from dataclasses import replace

import pytest

from tilework.core.puzzle.board import Size
from tilework.core.solver.pdb.patterns import Partition, partition_named
from tilework.core.solver.pdb.symmetry import symmetries


def test_three_blocks_of_the_24_puzzle_are_one():
    partition = partition_named(Size(5, 5), "6-6-6-6")
    blocks = partition.patterns[:3]
    mapped = symmetries(partition)
    assert {pattern: symmetry.source for pattern, symmetry in mapped.items()} == {
        blocks[1]: blocks[0],
        blocks[2]: blocks[0],
    }


@pytest.mark.parametrize(
    "patterns",
    [
        ((6, 8), (2, 4), (1, 3, 5, 7)),  # (6, 8) shuts the blank in
        ((1, 2, 4), (3, 5, 7), (6, 8)),  # an angle and a diagonal
    ],
)
def test_what_only_looks_alike_is_searched(patterns):
    assert symmetries(Partition("any", Size(3, 3), patterns)) == {}


def test_what_is_ranked_is_searched():
    digits = Partition("2-2-2-2", Size(3, 3), ((3, 2), (4, 7), (5, 8), (6, 1)))
    assert symmetries(digits)
    assert symmetries(replace(digits, ranked=True)) == {}
