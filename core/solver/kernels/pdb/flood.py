"""Building a pattern database: breadth first over placements, with the blank's whereabouts.

A state is where the pattern's tiles lie together with the set of cells that the blank can reach
without moving any of them. Only moves of the pattern's tiles count, so all blank cells of one
set are at the same distance, and one bit-mask flood replaces a search over single blank moves.
Sets of cells are 64-bit words.

A level's placements are kept as a set of bits, one an index, and taken in the order of their
indices: what they lead to then lies in a few streams that the processor's caches foresee. A list
of them in the order of their discovery took twice the time and more memory.
"""

from __future__ import annotations

import numpy as np

from tilework.core.compiling import kernel, part
from tilework.core.solver.kernels.constants import INDEX

ONE = np.uint64(1)
WORD_SHIFT = np.uint64(6)
WORD_BITS = np.uint64(63)
MODULUS = np.uint64(67)

PLACE = np.zeros(67, dtype=np.uint64)
"""By a power of two modulo 67: which one it is. Division by a constant is quick and compiles."""

for _power in range(64):
    PLACE[(1 << _power) % 67] = _power


@part
def edges(width, height):
    """All cells, those not in the left column, and those not in the right one."""
    board = (ONE << np.uint64(width * height)) - ONE
    left_column = np.uint64(0)
    for row in range(height):
        left_column |= ONE << np.uint64(row * width)
    return board, board & ~left_column, board & ~(left_column << np.uint64(width - 1))


@part
def spread(reached, free, width, not_left, not_right):
    """All of the free cells connected to ``reached``."""
    while True:
        grown = reached | (reached << width) | (reached >> width)
        grown |= ((reached & not_right) << ONE) | ((reached & not_left) >> ONE)
        grown &= free
        if grown == reached:
            return reached
        reached = grown


@kernel
def flood_level(entries, seen, marked, marked_next, moved, weights, width, height):
    """Make every move that one level of the search has.

    Parameters
    ----------
    entries : uint8 array, shape (cells ** tiles,), changed in place
        By placement index the distance, `UNREACHED` where none is known yet.
    seen : unsigned integer array of the same shape with a bit for each cell, changed in place
        By placement index the blank cells already reached.
    marked : uint64 array, a bit for each entry, changed in place
        Placements of this level; left all zero.
    marked_next : uint64 array of the same shape, changed in place
        All zero at first; placements of the next level.
    moved : int
        The distance of the next level.
    weights : int64 array, shape (tiles,)
        A placement's index is the sum of weight times cell over its tiles: the powers of the
        number of cells.
    width, height : int
        Size of the board, at most 36 cells.

    Returns
    -------
    states, placements : int
        New states, placements with each set of cells that the blank can reach, and how many of
        them are the first of their placement. The search is over where there are no new states.
    """
    tiles = weights.size
    cells = np.uint64(width * height)
    pairs = cells * cells
    board, not_left, not_right = edges(width, height)
    row_shift = np.uint64(width)
    weight_at = np.empty(64, dtype=np.int64)
    states = 0
    placements = 0
    # Cells of all tiles but the first two, which stay while the index counts through those.
    others = np.uint64(0)
    others_index = ~np.uint64(0)
    for word in range(marked.size):
        bits = marked[INDEX(word)]
        if bits == 0:
            continue
        marked[INDEX(word)] = np.uint64(0)
        while bits != 0:
            bit = bits & (~bits + ONE)
            bits ^= bit
            index = np.uint64(word << 6) + PLACE[bit % MODULUS]
            rest = index // pairs
            low = index - rest * pairs
            if rest != others_index:
                others_index = rest
                others = np.uint64(0)
                for tile in range(2, tiles):
                    cell = rest % cells
                    rest //= cells
                    others |= ONE << cell
                    weight_at[cell] = weights[INDEX(tile)]
            occupied = others
            for tile in range(min(tiles, 2)):
                cell = low % cells
                low //= cells
                occupied |= ONE << cell
                weight_at[cell] = weights[INDEX(tile)]
            free = board & ~occupied
            # All that the blank has reached here, not only of late: older moves lead to nothing
            # new, and two distances of a placement are both even or both odd, so that nothing
            # found in this level comes in between.
            region = np.uint64(seen[index])
            for way in range(4):
                # The tiles that would slide into the blank's set, and by how many cells.
                if way == 0:
                    movable = region >> row_shift
                    step = width
                elif way == 1:
                    movable = region << row_shift
                    step = -width
                elif way == 2:
                    movable = (region & not_left) >> ONE
                    step = 1
                else:
                    movable = (region & not_right) << ONE
                    step = -1
                movable &= occupied
                while movable != 0:
                    start = movable & (~movable + ONE)
                    movable ^= start
                    cell = PLACE[start % MODULUS]
                    after = INDEX(np.int64(index) + weight_at[cell] * step)
                    already = np.uint64(seen[after])
                    if already & start:
                        continue
                    target = ONE << np.uint64(np.int64(cell) + step)
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


@kernel
def start_flood(entries, seen, marked, index, goal_cells, goal_blank, width, height):
    """Mark the goal: the one state of the first level.

    Parameters
    ----------
    entries, seen, marked, width, height
        As in `flood_level`; nothing is known or reached yet.
    index : int
        Of the goal's placement.
    goal_cells : int64 array, shape (tiles,)
        Where each tile of the pattern lies in the goal.
    goal_blank : int
        The blank's cell in the goal.
    """
    free, not_left, not_right = edges(width, height)
    for tile in range(goal_cells.size):
        free &= ~(ONE << np.uint64(goal_cells[tile]))
    blank = ONE << np.uint64(goal_blank)
    seen[index] = spread(blank, free, np.uint64(width), not_left, not_right)
    entries[index] = 0
    marked[index >> 6] |= ONE << np.uint64(index & 63)
