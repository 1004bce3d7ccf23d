"""A* over packed boards: bucket queue, open-addressing table, nodes in flat arrays.

A node is a row of four parallel arrays, appended and never moved:

``states``      int64  the packed board
``fields``      int32  g in bits 0-8, the blank's cell in 9-12, the last move in 13-14; bit 15 is
                       set once the node is closed
``parents``     int32  the node that it was generated from, -1 for the start
``next_nodes``  int32  the next node in the same bucket, -1 at its end

``slots`` is the hash table: node + 1, or 0 if empty; its length is a power of two and it is at most
half full. ``heads[f * side + g]`` is the first node of a bucket, -1 if empty.
"""

import numpy as np

from tilework.core.compiling import int8, int32, int64, kernel, subroutine
from tilework.core.solver.kernels.line_conflicts import count_conflicts, get_packed_tile, hash_state

CLOSED = 1 << 15
G_MASK = 511

# Indices in the ``control`` array, the state of the search besides the nodes.
COUNT, F, G, EXPANDED, GENERATED, OPEN, MAX_OPEN, SIDE = range(8)
CONTROL_SIZE = 8

# Why the kernel returned.
BUDGET_SPENT, GOAL_REACHED, NO_ROOM, EXHAUSTED = range(4)


@subroutine
def find_slot(state, states, slots):
    """Return the slot of the state's node, or the empty slot for it."""
    mask = slots.size - 1
    slot = hash_state(state) & mask
    while slots[slot] != 0 and states[slots[slot] - 1] != state:
        slot = (slot + 1) & mask
    return slot


@kernel(int64(int64[::1], int32[::1], int64))
def fill_slots(states, slots, count):
    """Insert the first ``count`` nodes into an empty table.

    If a state has two nodes, the later one, which has the smaller g, is kept.
    """
    for node in range(count):
        slots[find_slot(states[node], states, slots)] = node + 1
    return count


@subroutine
def _conflict_change(state, child, tile, cell, blank, goals, width, height, tails):
    """Return the change of linear conflicts when ``tile`` moves from ``cell`` to ``blank``.

    A vertical (horizontal) move only changes the conflicts of the tile's goal row (column), if the
    tile enters or leaves it; along a line the order of tiles does not change.
    """
    if cell % width == blank % width:
        across, along = goals[0], goals[1]
        line = across[tile]
        if cell // width != line and blank // width != line:
            return 0
        first, step, length = line * width, 1, width
    else:
        across, along = goals[1], goals[0]
        line = across[tile]
        if cell % width != line and blank % width != line:
            return 0
        first, step, length = line, width, height
    child_conflicts = count_conflicts(
        get_packed_tile, child, cell, across, along, line, first, step, length, tails
    )
    return child_conflicts - count_conflicts(
        get_packed_tile, state, blank, across, along, line, first, step, length, tails
    )


@kernel(
    int64(
        int64[::1], int32[::1], int32[::1], int32[::1], int32[::1], int32[::1], int64[::1],
        int8[:, ::1], int8[:, ::1], int64[:, ::1], int64, int64, int64,
    )
)  # fmt: skip
def expand(
    states, fields, parents, next_nodes, slots, heads, control, neighbors, distances, goals, width,
    conflicts, budget,
):  # fmt: skip
    """Expand up to ``budget`` nodes in order of increasing f and, for equal f, decreasing g.

    Parameters
    ----------
    states, fields, parents, next_nodes, slots, heads; see the module
    control : int64[CONTROL_SIZE]; counters and the next bucket; updated
    neighbors : int8[cells, 4]; see `tilework.core.puzzle.moves.neighbor_table`
    distances : int8[16, 16]; Manhattan distance by tile and cell
    goals : int64[2, 16]; each tile's goal row and goal column
    conflicts : int64; 1 to add linear conflicts, 0 for the Manhattan distance alone

    Returns
    -------
    int64; ``GOAL_REACHED`` (the node is ``heads[control[F] * side + control[G]]``), ``NO_ROOM``
        (enlarge the arrays, call again), ``BUDGET_SPENT`` or ``EXHAUSTED``
    """
    cells = neighbors.shape[0]
    height = cells // width
    side = control[SIDE]
    count = control[COUNT]
    f = control[F]
    g = control[G]
    max_count = states.size - 4
    if slots.size // 2 < max_count:
        max_count = slots.size // 2 - 4
    tails = np.empty(max(width, height), dtype=np.int64)
    status = BUDGET_SPENT
    expanded = 0
    while expanded < budget:
        if count > max_count:
            status = NO_ROOM
            break
        while f < 2 * side and heads[f * side + g] < 0:
            g -= 1
            if g < 0:
                f += 1
                g = side - 1
        if f >= 2 * side:
            status = EXHAUSTED
            break
        bucket = f * side + g
        node = heads[bucket]
        heads[bucket] = next_nodes[node]
        node_fields = np.int64(fields[node])
        if node_fields & CLOSED:
            continue
        if f == g:
            # Put the node back, so that the frontier stays complete.
            heads[bucket] = node
            status = GOAL_REACHED
            break
        fields[node] = node_fields | CLOSED
        expanded += 1
        control[OPEN] -= 1
        state = states[node]
        blank = (node_fields >> 9) & 15
        reverse_move = ((node_fields >> 13) & 3) ^ 1
        if parents[node] < 0:
            reverse_move = -1
        node_h = f - g
        child_g = g + 1
        for move in range(4):
            if move == reverse_move:
                continue
            cell = np.int64(neighbors[blank, move])
            if cell < 0:
                continue
            tile = get_packed_tile(state, cell)
            child = state ^ (tile << (4 * cell)) ^ (tile << (4 * blank))
            control[GENERATED] += 1
            slot = find_slot(child, states, slots)
            existing = np.int64(slots[slot]) - 1
            if existing >= 0:
                existing_fields = np.int64(fields[existing])
                if existing_fields & CLOSED or (existing_fields & G_MASK) <= child_g:
                    continue
                fields[existing] = existing_fields | CLOSED
                control[OPEN] -= 1
            h = node_h + np.int64(distances[tile, blank]) - np.int64(distances[tile, cell])
            if conflicts:
                h += _conflict_change(state, child, tile, cell, blank, goals, width, height, tails)
            states[count] = child
            fields[count] = child_g | (cell << 9) | (move << 13)
            parents[count] = node
            bucket = (child_g + h) * side + child_g
            next_nodes[count] = heads[bucket]
            heads[bucket] = count
            count += 1
            slots[slot] = count
            control[OPEN] += 1
            if child_g + h == f and child_g > g:
                g = child_g
        control[MAX_OPEN] = max(control[MAX_OPEN], control[OPEN])
    control[COUNT] = count
    control[F] = f
    control[G] = g
    control[EXPANDED] += expanded
    return status
