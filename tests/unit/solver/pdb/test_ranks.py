from itertools import permutations
from math import comb, factorial, perm

import numpy as np
import pytest

from tilework.core.solver.pdb.ranks import (
    index_of,
    order_ranks,
    orders,
    placement_of,
    set_rank_halves,
    set_ranks,
    sets,
)

RANDOM = np.random.default_rng(0)


def by_definition(placement, cells):
    """The index counted out from its definition."""
    tiles = len(placement)
    order = tuple(sorted(range(tiles), key=lambda place: placement[place]))
    order_rank = [*permutations(range(tiles))].index(order)
    word = sum(1 << cell for cell in placement)
    set_rank = sum(smaller.bit_count() == tiles for smaller in range(word))
    return order_rank * comb(cells, tiles) + set_rank


@pytest.mark.parametrize(
    ("tiles", "cells"), [(1, 16), (2, 16), (4, 16), (5, 16), (6, 16), (7, 16), (8, 16), (6, 9)]
)
def test_the_index_is_what_its_definition_says(tiles, cells):
    for _ in range(4):
        placement = tuple(RANDOM.permutation(cells)[:tiles].tolist())
        index = by_definition(placement, cells)
        assert index_of(placement, cells) == index
        assert placement_of(index, tiles, cells) == placement


@pytest.mark.parametrize(("tiles", "cells"), [(1, 4), (3, 4), (4, 16), (5, 8), (7, 8), (8, 8)])
def test_indices_have_no_gaps(tiles, cells):
    indices = {index_of(placement, cells) for placement in permutations(range(cells), tiles)}
    assert indices == set(range(perm(cells, tiles)))


def test_the_ends_of_the_largest_index():
    assert index_of(range(8)) == 0
    assert index_of(range(15, 7, -1)) == perm(16, 8) - 1


@pytest.mark.parametrize("tiles", range(1, 9))
def test_tables_and_their_reverses(tiles):
    low, high = order_ranks(tiles)
    packed = orders(tiles)
    assert packed.shape == (factorial(tiles),)
    ranks = low[packed & 0xFFF].astype(int) + high[packed >> 12]
    assert np.array_equal(ranks, np.arange(packed.size))
    words = sets(tiles)
    assert np.array_equal(set_ranks()[words], np.arange(comb(16, tiles)))
    low_set, high_set = set_rank_halves(tiles)
    assert np.array_equal(low_set[words & 0xFF] + high_set[words >> 8], set_ranks()[words])
    for table in (low, high, low_set, high_set, set_ranks()):
        assert table.dtype == np.uint16
    for table in (low, high, packed, words, low_set, high_set, set_ranks()):
        assert not table.flags.writeable


def test_orders_are_counted_as_permutations():
    low, high = order_ranks(8)
    # The second order of all exchanges the last two tiles.
    assert low[0o3210] == 0
    assert high[0o6754] == 1
    assert low[0o4210] == 24
