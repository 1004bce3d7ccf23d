"""Building a pattern database: breadth first over placements, with the blank's whereabouts.

A state is where the pattern's tiles lie together with the region that the blank is in, the cells
that it can reach without moving any of them. Only moves of the pattern's tiles count, so all blank
cells of a region are at the same distance.

A placement is a set of cells and an order of the tiles on it. The states of one region are a row
of bits, one for each order. Whatever a move does to the region it does for all orders at once: a
move along a line of the board adds one row to another, word by word, and one that passes other
tiles takes each bit of a row to its place in another by a table. So all that is read and written
at random lies in the nearest cache.

The tiles' cells, summed up as colours of a chessboard, tell whether the distance of a set is even
or odd. So a level leads from the sets of one kind to those of the other, and the rows of its own
sets are only read: threads share a level by its sets and need not know of each other.
"""

import numpy as np

from tilework.core.compiling import int32, int64, kernel, subroutine, types, uint8, uint64
from tilework.core.solver.kernels.constants import INDEX, RANK_TABLES, TABLE
from tilework.core.solver.kernels.instructions import count_bits, lowest_bit

ONE = np.uint64(1)
WORD_SHIFT = np.uint64(6)
WORD_BITS = np.uint64(63)


@subroutine
def _add_moved(found, row, afters):
    """Add the states of a row that a move leads to, by a table of the orders after it."""
    for word in range(row.size):
        bits = row[INDEX(word)]
        first = np.uint64(word) << WORD_SHIFT
        while bits != 0:
            after = np.uint64(afters[first + lowest_bit(bits)])
            bits &= bits - ONE
            found[after >> WORD_SHIFT] |= ONE << (after & WORD_BITS)


@subroutine
def _add(found, row):
    for word in range(row.size):
        found[INDEX(word)] |= row[INDEX(word)]


@subroutine
def _remove(found, row):
    for word in range(row.size):
        found[INDEX(word)] &= ~row[INDEX(word)]


@subroutine
def _keep_new(found, reached, level, fresh):
    """Make a row of those found that were not reached before; return how many they are."""
    count = 0
    for word in range(found.size):
        new = found[INDEX(word)] & ~reached[INDEX(word)]
        level[INDEX(word)] = new
        fresh[INDEX(word)] |= new
        count += np.int64(count_bits(new))
    return count


@subroutine
def _note(distances, row, moved):
    """Note the distance of the orders in a row; return how many they are."""
    count = 0
    for word in range(row.size):
        bits = row[INDEX(word)]
        first = np.uint64(word) << WORD_SHIFT
        count += np.int64(count_bits(bits))
        while bits != 0:
            distances[first + lowest_bit(bits)] = moved
            bits &= bits - ONE
    return count


@kernel(
    types.UniTuple(int64, 2)(
        uint8[:, ::1],
        types.Tuple((uint64[:, ::1], uint64[:, ::1], int64[::1])),
        types.Tuple((int64[::1], int64[::1], int32[::1], uint8[::1], RANK_TABLES)),
        int64,
        int64[::1],
    )
)
def flood_level(distances, states, joins, moved, sets):
    """Find the states of one level of the search, of some sets.

    Parameters
    ----------
    distances : uint8[sets, orders], changed in place
        The distance of each placement, `UNREACHED` where none is known yet.
    states : tuple of arrays, changed in place; by region the orders of all states found, a bit
        each: uint64, shape (regions, words). Then in the same way those of the latest level that
        may have any in this region; and how many these are: int64, shape (regions,).
    joins : tuple of arrays; ``begins``, ``moves``, ``sources`` and ``kinds`` as in
        `tilework.core.solver.pdb.building.regions.Regions`, then ``afters`` as in
        `tilework.core.solver.pdb.building.regions.Orders`
    moved : int; the distance of the level
    sets : int64 array; the sets whose states are looked for: no two of them are joined by a move

    Returns
    -------
    states, placements : int; new states, and how many of them are the first of their placement. The
        search is over where there are no new states.
    """
    reached, level, counts = states
    begins, moves, sources, kinds, afters = joins
    words = reached.shape[1]
    found = np.empty(words, dtype=np.uint64)
    fresh = np.empty(words, dtype=np.uint64)
    new_states = 0
    placements = 0
    for number in sets:
        first, last = begins[number], begins[number + 1]
        new_here = 0
        fresh[:] = np.uint64(0)
        for region in range(first, last):
            counts[region] = 0
            found[:] = np.uint64(0)
            any_found = False
            for move in range(moves[region], moves[region + 1]):
                source = sources[INDEX(move)]
                if counts[INDEX(source)] == 0:
                    continue
                any_found = True
                kind = kinds[INDEX(move)]
                if kind == 0:
                    _add(found, level[INDEX(source)])
                else:
                    _add_moved(found, level[INDEX(source)], afters[INDEX(kind)])
            if any_found:
                counts[region] = _keep_new(found, reached[region], level[region], fresh)
                new_here += counts[region]
        if new_here == 0:
            continue
        new_states += new_here
        for region in range(first, last):
            _remove(fresh, reached[region])
        for region in range(first, last):
            if counts[region]:
                _add(reached[region], level[region])
        placements += _note(distances[number], fresh, moved)
    return new_states, placements


_BLOCK = 64  # orders that are taken at a time: a cache line of each set's distances


@kernel(types.void(uint8[::1], uint8[:, ::1], int64, int64))
def place_by_rank(entries, distances, first, last):
    """Place the distances of some orders of the tiles.

    Parameters
    ----------
    first, last : int; the orders: from the first to before the last
    """
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
def place_by_digits(entries, distances, sets, weights, first, last):
    """Place the distances of some sets of cells.

    Parameters
    ----------
    sets : uint64 array; the cells of each set
    weights : int64 array, shape (orders, tiles)
        By order and number of a tile, by rising cell, what a cell further adds to the index.
    first, last : int; the sets: from the first to before the last
    """
    orders, tiles = weights.shape
    cells = np.empty(tiles, dtype=np.int64)
    for number in range(first, last):
        occupied = sets[INDEX(number)]
        for place in range(tiles):
            cells[place] = lowest_bit(occupied)
            occupied &= occupied - np.uint64(1)
        for order in range(orders):
            index = 0
            for place in range(tiles):
                index += cells[INDEX(place)] * weights[INDEX(order), INDEX(place)]
            entries[INDEX(index)] = distances[INDEX(number), INDEX(order)]
