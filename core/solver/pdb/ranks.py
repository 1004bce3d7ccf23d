"""A compact index: placements of a pattern on up to 16 cells, numbered without gaps.

A placement of k tiles is the set of their cells, a word of 16 bits, and the order of the tiles:
their indices in the pattern by increasing cell, three bits each, the lowest cell in the lowest
bits. Orders are ranked in the order of `itertools.permutations`, sets by the value of their words;
the index is the order's rank times the number of sets, plus the set's rank.

So eight tiles on 16 cells take 519 million entries instead of 4.3 billion with digits in base 16. A
move along a row does not change the order, so the index stays in the same block.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations, permutations
from math import comb, factorial

import numpy as np
from numpy.typing import NDArray

Ranks = NDArray[np.uint16]
MAX_RANKED_CELLS = 16  # of the largest board; the ranks of its sets of cells fit into a table
INDEX_BITS = 3  # bits of a tile's index in its pattern, of at most eight tiles
HALF_ORDER = 4 * INDEX_BITS  # bits of the lower half of an order
_WORDS = 1 << MAX_RANKED_CELLS
_BYTES = 1 << 8


@cache
def set_ranks() -> Ranks:
    """Return the rank of every set of cells among those of the same size."""
    ranks = np.zeros(_WORDS, dtype=np.uint16)
    for count in range(MAX_RANKED_CELLS + 1):
        words = list_sets(count)
        ranks[words] = np.arange(words.size)
    _make_read_only(ranks)
    return ranks


@cache
def set_rank_halves(count: int) -> tuple[Ranks, Ranks]:
    """Return two small tables whose sum ranks sets of one size by their lower and upper bytes.

    Returns
    -------
    low, high : uint16 arrays, shape (256,), read-only
        By the lower byte of a set, independently of the size, and by the upper byte.
    """
    ranks = set_ranks()
    low = ranks[:_BYTES].copy()
    high = np.zeros(_BYTES, dtype=np.uint16)
    for upper in range(_BYTES):
        # Use the first lower byte that completes a set of this size; its own term is 0.
        missing_bits = count - upper.bit_count()
        if 0 <= missing_bits <= 8:
            high[upper] = ranks[upper << 8 | (1 << missing_bits) - 1]
    _make_read_only(low, high)
    return low, high


@cache
def order_ranks(tiles: int) -> tuple[Ranks, Ranks]:
    """Return two tables whose sum ranks the orders of at most 8 tiles by their two halves.

    Returns
    -------
    low, high : uint16 arrays, shape (4096,), read-only
        By the lower and the upper half of an order, four tiles each; 0 for invalid halves.
    """
    low = np.zeros(1 << HALF_ORDER, dtype=np.uint16)
    high = np.zeros(1 << HALF_ORDER, dtype=np.uint16)
    upper_count = max(tiles - 4, 0)
    for rank, half in enumerate(permutations(range(tiles), tiles - upper_count)):
        low[_pack(half)] = rank * factorial(upper_count)
    for indices in combinations(range(tiles), upper_count):
        for rank, half in enumerate(permutations(indices)):
            high[_pack(half)] = rank
    _make_read_only(low, high)
    return low, high


@cache
def list_sets(count: int) -> Ranks:
    """Return the sets of one size by rank: uint16, read-only."""
    words = np.arange(_WORDS)
    bits = sum(words >> cell & 1 for cell in range(MAX_RANKED_CELLS))
    subsets = np.flatnonzero(bits == count).astype(np.uint16)
    _make_read_only(subsets)
    return subsets


@cache
def list_orders(tiles: int) -> NDArray[np.uint32]:
    """Return the orders of some tiles by rank: uint32, shape (tiles!,), read-only."""
    packed_orders = np.array([*map(_pack, permutations(range(tiles)))], dtype=np.uint32)
    _make_read_only(packed_orders)
    return packed_orders


def rank_placement(placement: Sequence[int], cells: int = MAX_RANKED_CELLS) -> int:
    low, high = order_ranks(len(placement))
    order = _pack(sorted(range(len(placement)), key=placement.__getitem__))
    occupied = sum(1 << cell for cell in placement)
    order_rank = int(low[order & (1 << HALF_ORDER) - 1]) + int(high[order >> HALF_ORDER])
    return order_rank * comb(cells, len(placement)) + int(set_ranks()[occupied])


def unrank_placement(index: int, tiles: int, cells: int = MAX_RANKED_CELLS) -> tuple[int, ...]:
    """Return the placement with an index: the inverse of `rank_placement`."""
    order_rank, set_rank = divmod(index, comb(cells, tiles))
    order = int(list_orders(tiles)[order_rank])
    occupied = int(list_sets(tiles)[set_rank])
    occupied_cells = [cell for cell in range(cells) if occupied >> cell & 1]
    indices = [order >> INDEX_BITS * number & 7 for number in range(tiles)]
    return tuple(cell for _, cell in sorted(zip(indices, occupied_cells, strict=True)))


def _pack(indices: Iterable[int]) -> int:
    return sum(index << INDEX_BITS * number for number, index in enumerate(indices))


def _make_read_only(*tables: NDArray[np.unsignedinteger]) -> None:
    for table in tables:
        table.flags.writeable = False
