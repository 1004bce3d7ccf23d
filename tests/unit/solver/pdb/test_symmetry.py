from dataclasses import replace

import numpy as np
import pytest

from tilework.core.puzzle.board import Size
from tilework.core.solver.pdb.parts import Part
from tilework.core.solver.pdb.patterns import Partition, partition_named

BLANK_LAST = 24


def test_three_blocks_of_the_24_puzzle_are_one():
    partition = partition_named(Size(5, 5), "6-6-6-6")
    *blocks, last = partition.patterns
    assert Part(blocks[0], BLANK_LAST) in partition.parts
    assert Part(last, BLANK_LAST) in partition.parts
    assert not {Part(block, BLANK_LAST) for block in blocks[1:]} & {*partition.parts}
    offsets = [served.offset for served in partition.serving(BLANK_LAST)]
    assert offsets[0] == offsets[1] == offsets[2] != offsets[3]


@pytest.mark.parametrize("blank", range(25))
def test_each_goal_of_the_24_puzzle_has_its_goal_at_distance_0(blank):
    partition = partition_named(Size(5, 5), "5-5-5-5-4")
    tiles = [tile for served in partition.serving(blank) for tile in served.pattern]
    assert sorted(tiles) == [tile for tile in range(1, 26) if tile != blank + 1]
    for pattern, offset, places in partition.serving(blank):
        index = offset + sum(places[place, tile - 1] for place, tile in enumerate(pattern))
        number = int(np.searchsorted(partition.offsets, index, side="right")) - 1
        part = partition.parts[number]
        within = index - partition.offsets[number]
        home = sum((tile - 1) * 25**place for place, tile in enumerate(part.pattern))
        assert within == home


@pytest.mark.parametrize(
    "patterns",
    [
        ((6, 8), (2, 4), (1, 3, 5, 7)),  # (6, 8) shuts the blank in
        ((1, 2, 4), (3, 5, 7), (6, 8)),  # an angle and a diagonal
    ],
)
def test_what_only_looks_alike_is_searched(patterns):
    assert len(begins(Partition("any", Size(3, 3), patterns, anywhere=True))) == len(patterns)


def test_what_is_ranked_is_searched():
    digits = Partition("2-2-2-2", Size(3, 3), ((3, 2), (4, 7), (5, 8), (6, 1)))
    assert len(begins(replace(digits, anywhere=True))) < 4
    assert len(begins(replace(digits, ranked=True))) == len(begins(digits)) == 4


def begins(partition):
    """Where the entries of a 3×3 partition's patterns begin, for goals with the blank last."""
    return {served.offset for served in partition.serving(8)}
