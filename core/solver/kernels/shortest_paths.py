"""Breadth-first layers of the boards that may lie on a shortest way, by additive databases.

No board of a layer is in an earlier one: the estimate is consistent, so that each is met first at
its own distance, and what undoes a move that led to a board is left out.

A board is packed into one word (see `tilework.core.solver.kernels.line_conflicts`). Beside it
stands one byte: the blank's cell above, and in the lower four bits the moves that led to it.
"""

import numpy as np

from tilework.core.compiling import int8, int32, int64, kernel, uint8
from tilework.core.solver.kernels.a_star import slot_of
from tilework.core.solver.kernels.constants import BYTES, INDEX, TABLE, TABLES, WORDS
from tilework.core.solver.kernels.line_conflicts import packed_tile


@kernel(
    int64(
        BYTES, TABLE, TABLES, WORDS, int8[:, ::1], int64[::1], uint8[::1], int64, int64,
        int64, int64[::1], uint8[::1], int32[::1], int64,
    )
)  # fmt: skip
def expand_boards(
    entries, slots, parts, bases, neighbors, states, facts, first, last,
    rest, next_states, next_facts, table, count,
):  # fmt: skip
    """Add to the next layer what the boards ``first`` to ``last`` of a layer lead to.

    Parameters
    ----------
    entries : uint8 array; the pattern databases, one after the other
    slots : int64[2, cells]; by view and tile the number of the tile's pattern
    parts : int64[2, cells, cells]
        By view, tile and cell, what the tile adds there to its pattern's index.
    bases : int64[2 * patterns]; what is added to each pattern's index whatever the board
    neighbors : int8[cells, 4]
        The cell whose tile makes each move when the blank is on a cell; -1 for none.
    states, facts : int64 and uint8 arrays; the layer
    first, last : int; the boards that are expanded, the last one not included
    rest : int; moves from the next layer to the goal: a board whose estimate is greater is left out
    next_states, next_facts : int64 and uint8 arrays, changed in place
        With room for four boards for each that is expanded.
    table : int32 array, changed in place
        Its length a power of two, at least twice that room; the next layer's numbers + 1.
    count : int; boards of the next layer so far

    Returns
    -------
    int; boards of the next layer now
    """
    cells = neighbors.shape[0]
    half = bases.size // 2
    indices = np.empty(bases.size, dtype=np.int64)
    for number in range(first, last):
        state = states[number]
        blank = np.int64(facts[number]) >> 4
        led_here = np.int64(facts[number]) & 15
        for slot in range(bases.size):
            indices[slot] = bases[slot]
        for cell in range(cells):
            tile = packed_tile(state, cell)
            if cell != blank:
                indices[INDEX(slots[0, tile])] += parts[0, tile, cell]
                indices[INDEX(slots[1, tile])] += parts[1, tile, cell]
        first_sum = 0
        second_sum = 0
        for slot in range(half):
            first_sum += np.int64(entries[INDEX(indices[slot])])
            second_sum += np.int64(entries[INDEX(indices[half + slot])])
        for move in range(4):
            cell = np.int64(neighbors[blank, move])
            # What undoes a move that led here leads back into the layer before.
            if cell < 0 or (led_here >> (move ^ 1)) & 1:
                continue
            tile = packed_tile(state, cell)
            index = indices[INDEX(slots[0, tile])]
            after = index + parts[0, tile, blank] - parts[0, tile, cell]
            change = np.int64(entries[INDEX(after)]) - np.int64(entries[INDEX(index)])
            if first_sum + change > rest:
                continue
            index = indices[INDEX(slots[1, tile])]
            after = index + parts[1, tile, blank] - parts[1, tile, cell]
            change = np.int64(entries[INDEX(after)]) - np.int64(entries[INDEX(index)])
            if second_sum + change > rest:
                continue
            child = state ^ (tile << (4 * cell)) ^ (tile << (4 * blank))
            place = slot_of(child, next_states, table)
            known = np.int64(table[place]) - 1
            if known < 0:
                next_states[count] = child
                next_facts[count] = cell << 4 | 1 << move
                count += 1
                table[place] = count
            else:
                next_facts[known] |= 1 << move
    return count
