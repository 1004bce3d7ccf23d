"""Building a pattern database whose placements are ranked: the same flood, another index.

See `flood` for the search, `pdb.ranks` for the index: an order of the tiles times the number of
sets of cells, plus the rank of the set of theirs. All that a move does to the set follows from the
set: it is read from tables (`tilework.core.solver.pdb.set_moves`). The order changes in one of few
ways, by how many tiles are passed and which is the first of them: a block of placements of one
order so leads to itself and some thirty others.

Threads share a level. Each takes placements of its own and writes where any leads, by atomic
changes; which of two is first there makes no difference to the entries.
"""

from __future__ import annotations

import numpy as np

from tilework.core.compiling import kernel, part
from tilework.core.solver.kernels.atomics import fetch_or
from tilework.core.solver.kernels.constants import INDEX
from tilework.core.solver.kernels.pdb.flood import MODULUS, ONE, PLACE, WORD_BITS, WORD_SHIFT

_PLACE_BITS = np.uint64(4)
_LOWEST_PLACE = np.uint64(15)
_HALF = np.uint64(0xFFFF)
_HALF_BITS = np.uint64(16)


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
def flood_ranked_level(entries, seen, marked, marked_next, moved, orders, moves, first, last):
    """Make every move that a part of one level of the search has.

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
    orders : tuple of arrays
        The orders by rank, and both halves' ranks by order.
    moves : tuple of arrays
        As `tilework.core.solver.pdb.set_moves.SetMoves` has them.
    first, last : int
        Words of ``marked`` that are the part: from the first to before the last.

    Returns
    -------
    states, placements : int
        As in `flood_level`, of this part.
    """
    by_rank, low_ranks, high_ranks = orders
    begins, afters, starts, targets, reached, kinds, passings = moves
    count = np.uint64(begins.size - 1)
    bases = np.empty(passings.shape[0], dtype=np.uint64)
    states = 0
    placements = 0
    # The indices of one order, which stays while the index counts through the sets.
    block = block_end = np.uint64(0)
    for word in range(first, last):
        bits = marked[INDEX(word)]
        if bits == 0:
            continue
        marked[INDEX(word)] = np.uint64(0)
        while bits != 0:
            bit = bits & (~bits + ONE)
            bits ^= bit
            index = np.uint64(word << 6) + PLACE[bit % MODULUS]
            if index >= block_end:
                rank = index // count
                block = rank * count
                block_end = block + count
                bases[0] = block
                order = np.uint64(by_rank[rank])
                for kind in range(1, bases.size):
                    after_order = _passing(
                        order, passings[kind, 0], passings[kind, 1], passings[kind, 2]
                    )
                    after_rank = np.uint64(low_ranks[after_order & _HALF]) + np.uint64(
                        high_ranks[after_order >> _HALF_BITS]
                    )
                    bases[kind] = after_rank * count
            within = index - block
            # All that the blank has reached, as in `flood_level`. No thread adds to it in this
            # level: two distances of a placement are both even or both odd.
            region = seen[index]
            for move in range(begins[within], begins[within + ONE]):
                if region & targets[INDEX(move)] == 0:
                    continue
                after = bases[kinds[INDEX(move)]] + np.uint64(afters[INDEX(move)])
                start = starts[INDEX(move)]
                if seen[after] & start:
                    continue
                before = fetch_or(seen, after, reached[INDEX(move)])
                if before & start:
                    continue
                if before == 0:
                    entries[after] = moved
                    placements += 1
                fetch_or(marked_next, after >> WORD_SHIFT, ONE << (after & WORD_BITS))
                states += 1
    return states, placements
