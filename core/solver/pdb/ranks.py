"""A compact index: the placements of a pattern on up to 16 cells, numbered without a gap.

A placement of k tiles is the set of their cells, a word of 16 bits, and the order of the tiles:
their places in the pattern, by rising cell, three bits each with the lowest cell's lowest. The
orders are ranked as `itertools.permutations` counts them, the sets as words of k bits by size;
the index is the order's rank times the number of sets, plus the set's rank.

Eight tiles on 16 cells so take 519 million entries where digits in base 16 would take 4.3
thousand million. A move along a row leaves the order as it is, and the index in its block.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations, permutations
from math import comb, factorial

import numpy as np
from numpy.typing import NDArray

Ranks = NDArray[np.uint16]
MAX_RANKED_CELLS = 16  # cells of the largest board whose sets of cells are ranked by a table
PLACE_BITS = 3  # bits of a tile's place in its pattern: of eight at most
HALF_ORDER = 4 * PLACE_BITS  # bits of the lower half of an order
_WORDS = 1 << MAX_RANKED_CELLS
_BYTES = 1 << 8


@cache
def set_ranks() -> Ranks:
    """Rank every set of cells among those of as many cells."""
    ranks = np.zeros(_WORDS, dtype=np.uint16)
    for count in range(MAX_RANKED_CELLS + 1):
        words = sets(count)
        ranks[words] = np.arange(words.size)
    _fix(ranks)
    return ranks


@cache
def set_rank_halves(count: int) -> tuple[Ranks, Ranks]:
    """Rank the sets of so many cells, in two bytes whose ranks add up: tables that stay in a cache.

    Returns
    -------
    low, high : uint16 arrays, shape (256,), read-only
        By the lower byte of a set, whatever its size, and by the upper one.
    """
    ranks = set_ranks()
    low = ranks[:_BYTES].copy()
    high = np.zeros(_BYTES, dtype=np.uint16)
    for upper in range(_BYTES):
        # With the first lower byte that makes a set of the size, whose own rank is 0.
        missing = count - upper.bit_count()
        if 0 <= missing <= 8:
            high[upper] = ranks[upper << 8 | (1 << missing) - 1]
    _fix(low, high)
    return low, high


@cache
def order_ranks(tiles: int) -> tuple[Ranks, Ranks]:
    """Rank the orders of at most 8 tiles, in two halves whose ranks add up.

    Returns
    -------
    low, high : uint16 arrays, shape (4096,), read-only
        By the lower half of an order, and by the upper one: four places each. Anything else has 0.
    """
    low = np.zeros(1 << HALF_ORDER, dtype=np.uint16)
    high = np.zeros(1 << HALF_ORDER, dtype=np.uint16)
    above = max(tiles - 4, 0)
    for rank, half in enumerate(permutations(range(tiles), tiles - above)):
        low[_packed(half)] = rank * factorial(above)
    for places in combinations(range(tiles), above):
        for rank, half in enumerate(permutations(places)):
            high[_packed(half)] = rank
    _fix(low, high)
    return low, high


@cache
def sets(count: int) -> Ranks:
    """Return the sets of so many cells by rank: uint16, read-only."""
    words = np.arange(_WORDS)
    bits = sum(words >> cell & 1 for cell in range(MAX_RANKED_CELLS))
    found = np.flatnonzero(bits == count).astype(np.uint16)
    _fix(found)
    return found


@cache
def orders(tiles: int) -> NDArray[np.uint32]:
    """Return the orders of so many tiles by rank: uint32, shape (tiles!,), read-only."""
    found = np.array([*map(_packed, permutations(range(tiles)))], dtype=np.uint32)
    _fix(found)
    return found


def index_of(placement: Sequence[int], cells: int = MAX_RANKED_CELLS) -> int:
    low, high = order_ranks(len(placement))
    order = _packed(sorted(range(len(placement)), key=placement.__getitem__))
    occupied = sum(1 << cell for cell in placement)
    order_rank = int(low[order & (1 << HALF_ORDER) - 1]) + int(high[order >> HALF_ORDER])
    return order_rank * comb(cells, len(placement)) + int(set_ranks()[occupied])


def placement_of(index: int, tiles: int, cells: int = MAX_RANKED_CELLS) -> tuple[int, ...]:
    """Return the placement that has an index: the reverse of `index_of`."""
    order_rank, set_rank = divmod(index, comb(cells, tiles))
    order = int(orders(tiles)[order_rank])
    occupied = int(sets(tiles)[set_rank])
    rising = [cell for cell in range(cells) if occupied >> cell & 1]
    places = [order >> PLACE_BITS * number & 7 for number in range(tiles)]
    return tuple(cell for _, cell in sorted(zip(places, rising, strict=True)))


def _packed(places: Iterable[int]) -> int:
    return sum(place << PLACE_BITS * number for number, place in enumerate(places))


def _fix(*tables: NDArray[np.unsignedinteger]) -> None:
    for table in tables:
        table.flags.writeable = False
