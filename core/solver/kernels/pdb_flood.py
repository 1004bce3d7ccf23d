"""Building a pattern database: breadth-first search over placements and regions of the blank.

A state is a placement of the pattern's tiles with the region of the blank, the cells that it can
reach without moving any of them. Only moves of the pattern's tiles count, so all blank cells of a
region are at the same distance.

A placement is a set of cells and an order of the tiles on them. The states of one region are a row
of bits, one for each order, and a move changes the region for all orders together. A move that
passes no tile adds one row to another, word by word. A move that passes tiles maps each bit of a
row to a bit of another through a table. So all random accesses are in the innermost cache.

The chessboard colours of the tiles' cells determine whether the distance of a set is even or odd.
So all moves from a level lead to sets of the other parity, and threads can work on different sets
of a level independently.
"""

import numpy as np

from tilework.core.compiling import int32, int64, kernel, subroutine, types, uint8, uint64
from tilework.core.solver.kernels.constants import INDEX, RANK_TABLES, SMALL_FLAG, TABLE
from tilework.core.solver.kernels.instructions import count_bits, find_lowest_bit

ONE = np.uint64(1)
WORD_SHIFT = np.uint64(6)
WORD_BITS = np.uint64(63)


@subroutine
def _add_reordered(states, row, next_orders):
    """Add the states of a row after a move that replaces each order with ``next_orders[order]``."""
    for word in range(row.size):
        bits = row[INDEX(word)]
        first = np.uint64(word) << WORD_SHIFT
        while bits != 0:
            order = np.uint64(next_orders[first + find_lowest_bit(bits)])
            bits &= bits - ONE
            states[order >> WORD_SHIFT] |= ONE << (order & WORD_BITS)


@subroutine
def _add(states, row):
    for word in range(row.size):
        states[INDEX(word)] |= row[INDEX(word)]


@subroutine
def _remove(states, row):
    for word in range(row.size):
        states[INDEX(word)] &= ~row[INDEX(word)]


@subroutine
def _keep_new(candidates, reached, level, new_orders):
    """Write candidates that were not reached before to ``level``; return their number."""
    count = 0
    for word in range(candidates.size):
        new = candidates[INDEX(word)] & ~reached[INDEX(word)]
        level[INDEX(word)] = new
        new_orders[INDEX(word)] |= new
        count += np.int64(count_bits(new))
    return count


@subroutine
def _record(distances, row, distance):
    """Record the distance of the orders in a row; return their number."""
    count = 0
    for word in range(row.size):
        bits = row[INDEX(word)]
        first = np.uint64(word) << WORD_SHIFT
        count += np.int64(count_bits(bits))
        while bits != 0:
            distances[first + find_lowest_bit(bits)] = distance
            bits &= bits - ONE
    return count


@subroutine
def _flag(distances, row, reached, flag):
    """Add a flag to the orders in a row that were not reached."""
    for word in range(row.size):
        bits = row[INDEX(word)] & ~reached[INDEX(word)]
        first = np.uint64(word) << WORD_SHIFT
        while bits != 0:
            distances[first + find_lowest_bit(bits)] |= flag
            bits &= bits - ONE


@kernel(
    types.UniTuple(int64, 2)(
        uint8[:, ::1],
        types.Tuple((uint64[:, ::1], uint64[:, ::1], int64[::1])),
        types.Tuple((int64[::1], int64[::1], int32[::1], uint8[::1], RANK_TABLES)),
        uint8[::1],
        int64,
        int64[::1],
    )
)
def flood_level(distances, states, joins, is_large, distance, sets):
    """Find the states of a level for some sets.

    Parameters
    ----------
    distances : uint8[sets, orders], changed in place; `UNREACHED` if not yet known
    states : tuple of arrays, changed in place
        By region: the orders of all states found, one bit each, uint64[regions, words]; the same
        for the latest level of the region's parity; and the number of the latter, int64[regions].
    joins : tuple of arrays; ``starts``, ``moves``, ``sources`` and ``kinds`` of
        `tilework.core.solver.pdb.building.regions.Regions`, then ``next_orders`` of
        `tilework.core.solver.pdb.building.regions.Orders`
    is_large : uint8[regions], or empty
        1 for large regions, 0 for small ones. If given, distances are flagged; see
        `tilework.core.solver.kernels.constants`.
    distance : int; the distance of the level
    sets : int64 array; the sets to find states for; no move leads from one of them to another

    Returns
    -------
    states, placements : int; number of new states, and of new placements. The search ends when
        there are no new states.
    """
    reached, level, counts = states
    starts, moves, sources, kinds, next_orders = joins
    words = reached.shape[1]
    candidates = np.empty(words, dtype=np.uint64)
    new_orders = np.empty(words, dtype=np.uint64)
    new_states = 0
    placements = 0
    for number in sets:
        first, last = starts[number], starts[number + 1]
        new_in_set = 0
        new_orders[:] = np.uint64(0)
        for region in range(first, last):
            counts[region] = 0
            candidates[:] = np.uint64(0)
            has_candidates = False
            for move in range(moves[region], moves[region + 1]):
                source = sources[INDEX(move)]
                if counts[INDEX(source)] == 0:
                    continue
                has_candidates = True
                kind = kinds[INDEX(move)]
                if kind == 0:
                    _add(candidates, level[INDEX(source)])
                else:
                    _add_reordered(candidates, level[INDEX(source)], next_orders[INDEX(kind)])
            if has_candidates:
                counts[region] = _keep_new(candidates, reached[region], level[region], new_orders)
                new_in_set += counts[region]
        if new_in_set == 0:
            continue
        new_states += new_in_set
        for region in range(first, last):
            _remove(new_orders, reached[region])
        for region in range(first, last):
            if counts[region]:
                _add(reached[region], level[region])
        placements += _record(distances[number], new_orders, distance)
        for kind in range(2 if is_large.size else 0):
            candidates[:] = np.uint64(0)
            exists = False
            for region in range(first, last):
                if is_large[region] == kind:
                    exists = True
                    if counts[region]:
                        _add(candidates, level[region])
            if exists:
                _flag(distances[number], new_orders, candidates, SMALL_FLAG << kind)
    return new_states, placements


_BLOCK = 64  # orders written together, which is one cache line of each set's distances


@kernel(types.void(uint8[::1], uint8[:, ::1], int64, int64))
def write_by_rank(entries, distances, first, last):
    """Write the distances of the orders ``first`` to ``last - 1`` to the entries."""
    sets = distances.shape[0]
    for block in range(first, last, _BLOCK):
        end = min(block + _BLOCK, last)
        for number in range(sets):
            for order in range(block, end):
                entries[INDEX(order * sets + number)] = distances[INDEX(number), INDEX(order)]


@kernel(
    types.void(
        uint8[::1], uint8[:, ::1], types.Array(uint64, 1, "C", readonly=True), TABLE, int64, int64
    )
)
def write_by_digits(entries, distances, sets, weights, first, last):
    """Write the distances of the sets ``first`` to ``last - 1`` to the entries.

    ``weights``, int64[orders, tiles], are the weights in an index of the cells in increasing order.
    """
    orders, tiles = weights.shape
    cells = np.empty(tiles, dtype=np.int64)
    for number in range(first, last):
        occupied = sets[INDEX(number)]
        for i in range(tiles):
            cells[i] = find_lowest_bit(occupied)
            occupied &= occupied - np.uint64(1)
        for order in range(orders):
            index = 0
            for i in range(tiles):
                index += cells[INDEX(i)] * weights[INDEX(order), INDEX(i)]
            entries[INDEX(index)] = distances[INDEX(number), INDEX(order)]
