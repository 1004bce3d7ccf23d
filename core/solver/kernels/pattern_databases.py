"""Building a pattern database: breadth-first search over placements and regions of the blank.

A set of cells that the pattern's tiles occupy is a 64-bit word; sets of the same size are numbered
in increasing order. A region is a connected component of the cells outside a set: the blank stays
in it while no tile of the pattern moves. A state is a placement of the pattern's tiles with the
region of the blank. Only moves of the pattern's tiles count, so all blank cells of a region are at
the same distance.

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
from tilework.core.solver.kernels.constants import INDEX, RANK_TABLES, SMALL_FLAG, TABLE, WORDS
from tilework.core.solver.kernels.instructions import count_bits, find_lowest_bit

ONE = np.uint64(1)

_SETS = types.Array(uint64, 1, "C", readonly=True)
_KINDS = types.Array(uint8, 3, "C", readonly=True)


@subroutine
def _make_masks(width, height):
    """Return the masks of all cells, those outside the left column, and those outside the right."""
    board = (ONE << np.uint64(width * height)) - ONE
    left_column = np.uint64(0)
    for row in range(height):
        left_column |= ONE << np.uint64(row * width)
    return board, board & ~left_column, board & ~(left_column << np.uint64(width - 1))


@subroutine
def _fill_region(reached, free, width, not_left, not_right):
    """Return all free cells connected to ``reached``."""
    while True:
        enlarged = reached | (reached << width) | (reached >> width)
        enlarged |= ((reached & not_right) << ONE) | ((reached & not_left) >> ONE)
        enlarged &= free
        if enlarged == reached:
            return reached
        reached = enlarged


@kernel(types.void(uint64[::1], int64))
def find_sets(sets, tiles):
    """Write the first words with ``tiles`` bits, in increasing order."""
    word = (ONE << np.uint64(tiles)) - ONE
    for number in range(sets.size):
        sets[INDEX(number)] = word
        # Gosper's hack: the next larger word with the same number of bits.
        lowest = word & (~word + ONE)
        carried = word + lowest
        word = carried | (((word ^ carried) >> np.uint64(2)) >> np.uint64(find_lowest_bit(lowest)))


@kernel(int64(_SETS, int64[::1], uint64[::1], int64, int64))
def find_regions(sets, starts, regions, width, height):
    """Find the regions outside each set of cells.

    Parameters
    ----------
    starts : int64[sets + 1], filled; the first region of each set
    regions : uint64 array, filled up to its length
        The cells of each region; the regions of a set are in the order of their lowest cells.
    width, height : int; of a board of at most 36 cells

    Returns
    -------
    int; number of regions
    """
    board, not_left, not_right = _make_masks(width, height)
    row = np.uint64(width)
    region_count = 0
    for number in range(sets.size):
        starts[number] = region_count
        free = board & ~sets[INDEX(number)]
        while free != 0:
            region = _fill_region(free & (~free + ONE), free, row, not_left, not_right)
            free ^= region
            if region_count < regions.size:
                regions[region_count] = region
            region_count += 1
    starts[sets.size] = region_count
    return region_count


@subroutine
def _rank(word, choices):
    rank = np.int64(0)
    count = 0
    while word != 0:
        count += 1
        rank += choices[INDEX(find_lowest_bit(word)), count]
        word &= word - ONE
    return rank


@kernel(
    types.void(_SETS, WORDS, _SETS, TABLE, _KINDS, int64[::1], int32[::1], uint8[::1], int64, int64)
)
def join_regions(sets, starts, regions, choices, reorders, moves, sources, kinds, width, height):
    """Find the moves of tiles that lead into each region.

    Parameters
    ----------
    sets, starts, regions, width, height; see `find_regions`
    choices : int64[cells + 1, tiles + 1]; binomial coefficients
    reorders : uint8[tiles, width, 2]
        ``kinds`` of `tilework.core.solver.pdb.breadth_first.Orders`.
    moves : int64[regions + 1], filled; the first move into each region
    sources : int32 array, filled; the blank's region before each move
    kinds : uint8 array, filled; the kind of each move
    """
    _, not_left, not_right = _make_masks(width, height)
    row = np.uint64(width)
    move_count = 0
    for number in range(sets.size):
        occupied = sets[INDEX(number)]
        for index in range(starts[INDEX(number)], starts[INDEX(number + 1)]):
            moves[index] = move_count
            region = regions[INDEX(index)]
            for direction in range(4):
                # The tiles next to the region, and the step back to the cells that they came from.
                if direction == 0:
                    adjacent, step = region >> row, width
                elif direction == 1:
                    adjacent, step = region << row, -width
                elif direction == 2:
                    adjacent, step = (region & not_left) >> ONE, 1
                else:
                    adjacent, step = (region & not_right) << ONE, -1
                adjacent &= occupied
                while adjacent != 0:
                    cell = np.int64(find_lowest_bit(adjacent))
                    bit = adjacent & (~adjacent + ONE)
                    adjacent ^= bit
                    previous = ONE << np.uint64(cell + step)
                    lower, higher = min(bit, previous), max(bit, previous)
                    first = count_bits(occupied & (lower - ONE))
                    passed_tiles = count_bits(occupied & (higher - ONE) & ~(lower | (lower - ONE)))
                    source = starts[_rank(occupied ^ bit ^ previous, choices)]
                    while regions[INDEX(source)] & bit == 0:
                        source += 1
                    sources[move_count] = source
                    kinds[move_count] = reorders[first, passed_tiles, INDEX(step < 0)]
                    move_count += 1
    moves[starts[sets.size]] = move_count


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
        `tilework.core.solver.pdb.breadth_first.Regions`, then ``next_orders`` of
        `tilework.core.solver.pdb.breadth_first.Orders`
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
