"""Building a pattern database whose placements are ranked: the same flood, another index.

See `flood` for the search, `pdb.ranks` for the index: an order of the tiles times the number
of sets of cells, plus the rank of the set of theirs. Which tile moves does not matter, only how
many others it passes: those between its two cells. Along a row there are none.

The last lines of the flood stand in both files: as a function of their own they took half as long
again to build a database.
"""

from __future__ import annotations

import numpy as np

from tilework.core.compiling import kernel, part
from tilework.core.solver.kernels.constants import INDEX
from tilework.core.solver.kernels.pdb.flood import (
    MODULUS,
    ONE,
    PLACE,
    WORD_BITS,
    WORD_SHIFT,
    edges,
    spread,
)

_PLACE_BITS = np.uint64(4)
_LOWEST_PLACE = np.uint64(15)
_HALF = np.uint64(0xFFFF)
_HALF_BITS = np.uint64(16)

_PAIRS = np.uint64(0x5555)
_FOURS = np.uint64(0x3333)
_EIGHTS = np.uint64(0x0F0F)
_TWO, _EIGHT, _COUNT = np.uint64(2), np.uint64(8), np.uint64(31)


@part
def _count(cells):
    """How many cells a set of up to 16 has."""
    cells -= (cells >> ONE) & _PAIRS
    cells = (cells & _FOURS) + ((cells >> _TWO) & _FOURS)
    cells = (cells + (cells >> _PLACE_BITS)) & _EIGHTS
    return (cells + (cells >> _EIGHT)) & _COUNT


@part
def _passing(order, first, passed, upwards):
    """The order after a tile passed others.

    ``first`` is the number, by rising cell, of the first tile concerned; the one that passes is
    this one if it goes upwards, to a higher cell, else the last.
    """
    shift = first * _PLACE_BITS
    length = passed * _PLACE_BITS
    concerned = (ONE << (length + _PLACE_BITS)) - ONE
    places = (order >> shift) & concerned
    if upwards:
        after = (places >> _PLACE_BITS) | ((places & _LOWEST_PLACE) << length)
    else:
        after = ((places << _PLACE_BITS) & concerned) | (places >> length)
    return order ^ ((places ^ after) << shift)


@kernel
def flood_ranked_level(entries, seen, marked, marked_next, moved, tables, width, height):
    """Make every move that one level of the search has.

    Parameters
    ----------
    entries : uint8 array, shape (orders * sets,), changed in place
        By placement index the distance, `UNREACHED` where none is known yet.
    seen : uint16 array of the same shape, changed in place
        By placement index the blank cells already reached.
    marked, marked_next : uint64 arrays, a bit for each entry, changed in place
        As in `flood_level`.
    moved : int
        The distance of the next level.
    tables : tuple of arrays
        By rank the orders and the sets, both halves' ranks by order, and the ranks by set.
    width, height : int
        Size of the board, at most 16 cells.

    Returns
    -------
    states, placements : int
        As in `flood_level`.
    """
    orders, sets, low_ranks, high_ranks, set_ranks = tables
    count = np.uint64(sets.size)
    board, not_left, not_right = edges(width, height)
    row_shift = np.uint64(width)
    between = (ONE << np.uint64(width - 1)) - ONE
    states = 0
    placements = 0
    # The indices of one order, which stays while the index counts through the sets.
    block = block_end = np.uint64(0)
    order = np.uint64(0)
    for word in range(marked.size):
        bits = marked[INDEX(word)]
        if bits == 0:
            continue
        marked[INDEX(word)] = np.uint64(0)
        while bits != 0:
            bit = bits & (~bits + ONE)
            bits ^= bit
            index = np.uint64(word << 6) + PLACE[bit % MODULUS]
            if index >= block_end:
                order_rank = index // count
                block = order_rank * count
                block_end = block + count
                order = np.uint64(orders[order_rank])
            occupied = np.uint64(sets[index - block])
            free = board & ~occupied
            region = np.uint64(seen[index])
            for way in range(4):
                # The tiles that would slide into the blank's set.
                if way == 0:
                    movable = region >> row_shift
                elif way == 1:
                    movable = region << row_shift
                elif way == 2:
                    movable = (region & not_left) >> ONE
                else:
                    movable = (region & not_right) << ONE
                movable &= occupied
                while movable != 0:
                    start = movable & (~movable + ONE)
                    movable ^= start
                    if way == 0:
                        target = start << row_shift
                    elif way == 1:
                        target = start >> row_shift
                    elif way == 2:
                        target = start << ONE
                    else:
                        target = start >> ONE
                    base = block
                    if way < 2:
                        lower = min(start, target)
                        passed = occupied & (between * (lower << ONE))
                        if passed != 0:
                            after_order = _passing(
                                order, _count(occupied & (lower - ONE)), _count(passed), way == 0
                            )
                            order_rank = np.uint64(low_ranks[after_order & _HALF]) + np.uint64(
                                high_ranks[after_order >> _HALF_BITS]
                            )
                            base = order_rank * count
                    after = base + np.uint64(set_ranks[occupied ^ start ^ target])
                    already = np.uint64(seen[after])
                    if already & start:
                        continue
                    reached = spread(
                        start, (free | start) & ~target, row_shift, not_left, not_right
                    )
                    if already == 0:
                        entries[after] = moved
                        placements += 1
                    seen[after] = already | reached
                    marked_next[after >> WORD_SHIFT] |= ONE << (after & WORD_BITS)
                    states += 1
    return states, placements
