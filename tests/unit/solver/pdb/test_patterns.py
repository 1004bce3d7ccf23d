from itertools import permutations
from math import perm

import numpy as np
import pytest

from tests.support.naive import adjacent_cells
from tilework.core.errors import OptionError
from tilework.core.puzzle.board import Size
from tilework.core.solver.pdb.partitions import (
    find_partition,
    find_partition_by_title,
    partitions_for,
)
from tilework.core.solver.pdb.ranks import MAX_RANKED_CELLS, rank_placement, unrank_placement

SIZES = [
    Size(width, height) for width in range(2, 19) for height in range(2, 19) if width * height <= 36
]


def test_every_size_has_patterns_of_adjacent_tiles():
    for size in SIZES:
        partitions = partitions_for(size)
        assert len({partition.name for partition in partitions}) == len(partitions) > 0
        for partition in partitions:
            assert partition.size == size
            tiles = sorted(tile for pattern in partition.patterns for tile in pattern)
            assert tiles == list(range(1, size.cells))
            assert max(map(len, partition.patterns)) <= 8  # the orders of up to 8 tiles fit 16 bits
            assert not partition.ranked or size.cells <= MAX_RANKED_CELLS
            assert partition.name == "-".join(str(len(pattern)) for pattern in partition.patterns)
            assert find_partition(size, partition.name) == partition
            assert find_partition_by_title(partition.title) == partition
            for pattern in partition.patterns:
                cells = {tile - 1 for tile in pattern}
                reached = [cells.pop()]
                for cell in reached:
                    adjacent = cells & {*adjacent_cells(cell, size.width, size.cells)}
                    reached += adjacent
                    cells -= adjacent
                assert not cells


def test_unknown_names_are_quoted():
    with pytest.raises(OptionError, match="no pattern databases"):
        find_partition(Size(6, 7), "1")
    with pytest.raises(OptionError, match="'6-7'; choose from 6-6-6-6, 5-5-5-5-4"):
        find_partition(Size(5, 5), "6-7")
    for title in ("", "5x5", "6-6-6-6", "5x5 6-7", "x 6-6-6-6", "-1x5 6"):
        with pytest.raises(OptionError, match=f"{title!r}|no partition|no pattern"):
            find_partition_by_title(title)


@pytest.mark.parametrize("blank", range(0, 25, 4))
def test_every_24_puzzle_goal_has_the_index_of_a_pattern_goal(blank):
    partition = find_partition(Size(5, 5), "5-5-5-5-4")
    tiles = [tile for entries in partition.entries_for_blank(blank) for tile in entries.pattern]
    assert sorted(tiles) == [tile for tile in range(1, 26) if tile != blank + 1]
    for pattern, offset, weights_ in partition.entries_for_blank(blank):
        index = offset + sum(weights_[row, tile - 1] for row, tile in enumerate(pattern))
        number = int(np.searchsorted(partition.offsets, index, side="right")) - 1
        part = partition.parts[number]
        goal_index = sum((tile - 1) * 25**exponent for exponent, tile in enumerate(part.pattern))
        assert index - partition.offsets[number] == goal_index


@pytest.mark.parametrize(("tiles", "cells"), [(1, 4), (3, 4), (4, 16), (7, 8)])
def test_indices_have_no_gaps(tiles, cells):
    indices = set()
    for placement in permutations(range(cells), tiles):
        indices.add(index := rank_placement(placement, cells))
        assert unrank_placement(index, tiles, cells) == placement
    assert indices == set(range(perm(cells, tiles)))
    # Files are written with this index.
    assert [rank_placement((3, 0, 7), 8), rank_placement((1, 2, 0), 16)] == [150, 2240]
