"""Breadth-first layers of the boards that may be on a shortest solution, by additive databases.

No board of a layer is in an earlier one: the estimate is consistent, so each board is first reached
at its true distance, and moves that undo a move to the board are skipped.

A board is packed into one word (see `tilework.core.solver.kernels.line_conflicts`). Its fields are
one byte: the blank's cell in the upper four bits, and the set of moves to the board in the lower
four.
"""

import numpy as np

from tilework.core.compiling import int8, int32, int64, kernel, uint8
from tilework.core.solver.kernels.a_star import find_slot
from tilework.core.solver.kernels.constants import BYTES, INDEX, TABLE, TABLES, WORDS
from tilework.core.solver.kernels.line_conflicts import get_packed_tile


@kernel(
    int64(
        BYTES, TABLE, TABLES, WORDS, int8[:, ::1], int64[::1], uint8[::1], int64, int64,
        int64, int64[::1], uint8[::1], int32[::1], int64,
    )
)  # fmt: skip
def expand_boards(
    entries, slots, parts, bases, neighbors, states, fields, first, last,
    moves_left, next_states, next_fields, table, count,
):  # fmt: skip
    """Add the children of the boards ``first`` to ``last - 1`` of a layer to the next layer.

    Parameters
    ----------
    entries, slots, parts, bases; ``entries``, ``slots``, ``terms`` and ``offsets`` of
        `tilework.core.solver.heuristics.additive_patterns.AdditivePatterns`
    neighbors : int8[cells, 4]; see `tilework.core.puzzle.moves.neighbor_table`
    states, fields : int64 and uint8 arrays; the layer
    moves_left : int; moves from the next layer to the goal; boards with larger estimates are pruned
    next_states, next_fields : int64 and uint8 arrays, changed in place
        With room for four boards for each one expanded.
    table : int32 array, changed in place
        Hash table of the next layer's board numbers + 1. Its length is a power of two, at least
        twice the room for boards.
    count : int; boards of the next layer before the call

    Returns
    -------
    int; boards of the next layer after the call
    """
    cells = neighbors.shape[0]
    half = bases.size // 2
    indices = np.empty(bases.size, dtype=np.int64)
    for number in range(first, last):
        state = states[number]
        blank = np.int64(fields[number]) >> 4
        incoming_moves = np.int64(fields[number]) & 15
        for slot in range(bases.size):
            indices[slot] = bases[slot]
        for cell in range(cells):
            tile = get_packed_tile(state, cell)
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
            # A move that undoes an incoming one leads back to the previous layer.
            if cell < 0 or (incoming_moves >> (move ^ 1)) & 1:
                continue
            tile = get_packed_tile(state, cell)
            index = indices[INDEX(slots[0, tile])]
            next_index = index + parts[0, tile, blank] - parts[0, tile, cell]
            change = np.int64(entries[INDEX(next_index)]) - np.int64(entries[INDEX(index)])
            if first_sum + change > moves_left:
                continue
            index = indices[INDEX(slots[1, tile])]
            next_index = index + parts[1, tile, blank] - parts[1, tile, cell]
            change = np.int64(entries[INDEX(next_index)]) - np.int64(entries[INDEX(index)])
            if second_sum + change > moves_left:
                continue
            child = state ^ (tile << (4 * cell)) ^ (tile << (4 * blank))
            table_slot = find_slot(child, next_states, table)
            existing = np.int64(table[table_slot]) - 1
            if existing < 0:
                next_states[count] = child
                next_fields[count] = cell << 4 | 1 << move
                count += 1
                table[table_slot] = count
            else:
                next_fields[existing] |= 1 << move
    return count
