"""Beam search that solves one block of tiles after another, by single moves of the blank.

The paths of a level are a tree, and all are walked on one board: see
`tilework.core.solver.kernels.path_tree`. Paths that lead to the same positions of the blank and the
block's tiles are duplicates; the one with the smallest learned potential is kept. A solved block is
closed: for the potential, its cells are border.
"""

import numpy as np

from tilework.core.compiling import int8, int16, int32, int64, kernel, subroutine, uint8, uint64
from tilework.core.solver.kernels.path_tree import (
    ASCEND,
    grow_tree,
    has_single_branch,
    make_tour_steps,
)
from tilework.core.solver.kernels.potential import (
    BLANK_CODE,
    BLOCKS,
    BORDER_CODE,
    SCALE,
    sum_block_row,
    sum_touching_blocks,
)


@subroutine
def hash_tile(tile, position):
    """Return a hash of a tile at a position."""
    word = np.uint64((tile << 32) + position) * np.uint64(0x9E3779B97F4A7C15)
    word ^= word >> np.uint64(31)
    word *= np.uint64(0xBF58476D1CE4E5B9)
    return word ^ (word >> np.uint64(29))


@subroutine
def count_steps(rows, columns, first, second):
    return abs(rows[first] - rows[second]) + abs(columns[first] - columns[second])


@subroutine
def start_stage(blocks, stage, member, closed):
    """Close the previous block's cells, and mark this block's tiles; return the number closed."""
    count = 0
    if stage > 0:
        for j in range(blocks.shape[1]):
            tile = blocks[stage - 1, j]
            if tile >= 0:
                closed[tile] = 1
                member[tile] = 0
                count += 1
    for j in range(blocks.shape[1]):
        if blocks[stage, j] >= 0:
            member[blocks[stage, j]] = 1
    return count


@subroutine
def hash_block(blocks, stage, positions):
    """Return a hash of the positions of the block's tiles."""
    block_hash = np.uint64(0)
    for j in range(blocks.shape[1]):
        tile = blocks[stage, j]
        if tile < 0:
            break
        block_hash ^= hash_tile(tile, positions[tile])
    return block_hash


@subroutine
def sum_block_distances(blocks, stage, positions, rows, columns):
    """Return the sum of the distances of the block's tiles."""
    distance = 0
    for j in range(blocks.shape[1]):
        tile = blocks[stage, j]
        if tile < 0:
            break
        distance += count_steps(rows, columns, tile, positions[tile])
    return distance


@subroutine
def count_misplaced(blocks, stage, positions, rows, columns, moved_tile, target):
    """Return the number of misplaced tiles of the block, and the position of the farthest one.

    The tile ``moved_tile`` counts as being at ``target``.
    """
    count = 0
    max_distance = 0
    farthest = 0
    for j in range(blocks.shape[1]):
        tile = blocks[stage, j]
        if tile < 0:
            break
        position = np.int64(target if tile == moved_tile else positions[tile])
        if position != tile:
            count += 1
            distance = count_steps(rows, columns, tile, position)
            if distance > max_distance:
                max_distance = distance
                farthest = position
    return count, farthest


_HOME_CODE = 12  # of a tile that is on its goal cell


@subroutine
def _level(steps):
    return np.sign(steps) * (np.int64(steps != 0) + np.int64(abs(steps) > 2))


@subroutine
def displacement_code(rows, columns, closed, tile, position):
    """Return the class of a tile's displacement, as in the learned potential."""
    if closed[position]:
        return np.int64(BORDER_CODE)
    down = np.int64(rows[tile]) - rows[position]
    right = np.int64(columns[tile]) - columns[position]
    return (_level(down) + 2) * 5 + _level(right) + 2


@subroutine
def closing_change(block_values, codes, blocks, stage, pitch):
    """Return the change of the potential when the cells of a solved block become border."""
    low = np.int64(blocks[stage, 0])
    high = low
    left = right = low % pitch
    for tile in blocks[stage]:
        if tile < 0:
            break
        low = min(low, np.int64(tile))
        high = max(high, np.int64(tile))
        left = min(left, np.int64(tile) % pitch)
        right = max(right, np.int64(tile) % pitch)
    change = np.int64(0)
    for sign in (-1, 1):
        for tile in blocks[stage]:
            if tile < 0:
                break
            codes[tile] = _HOME_CODE if sign < 0 else BORDER_CODE
        for row in range(low // pitch - 1, high // pitch + 1):
            start = row * pitch + left - 1
            change += sign * sum_block_row(block_values, codes, start, 1, pitch, right - left + 2)
    return change


_LEVEL_BITS = np.uint64((1 << 24) - 1)
_HASH_BITS = ~_LEVEL_BITS


@subroutine
def find_slot(slots, key, level):
    """Return the slot of a key, and the entry to write to it if the key is new."""
    mixed = key * np.uint64(0x9E3779B97F4A7C15)
    mixed ^= mixed >> np.uint64(32)
    mask = np.uint64(slots.size - 1)
    slot = mixed & mask
    entry = (mixed & _HASH_BITS) | np.uint64(level)
    # Slots with entries of other levels are free.
    while slots[slot] != entry and (slots[slot] & _LEVEL_BITS) == np.uint64(level):
        slot = (slot + np.uint64(1)) & mask
    return slot, entry


REPLACED = 1 << 30  # key of a child that was replaced by a better duplicate
BUCKETS = 4096
_SHIFT = 4
_FINE_BUCKETS = 1 << _SHIFT


@subroutine
def select_best(keys, count, width, counts, keep):
    """Mark the ``width`` children with the smallest keys; of equal keys, the first ones."""
    minimum = REPLACED
    for i in range(count):
        minimum = min(minimum, keys[i])
    counts[:] = 0
    for i in range(count):
        counts[min(BUCKETS - 1, (keys[i] - minimum) >> _SHIFT)] += 1
    selected = 0
    bucket = 0
    while bucket < BUCKETS - 1 and selected + counts[bucket] <= width:
        selected += counts[bucket]
        bucket += 1
    # Keys below the limit are selected, and as many keys equal to it as there is room for.
    limit = minimum + (bucket << _SHIFT)
    if bucket < BUCKETS - 1:
        counts[:_FINE_BUCKETS] = 0
        for i in range(count):
            if 0 <= keys[i] - limit < _FINE_BUCKETS:
                counts[keys[i] - limit] += 1
        offset = 0
        while selected + counts[offset] <= width:
            selected += counts[offset]
            offset += 1
        limit += offset
    room = width - selected
    for i in range(count):
        keep[i] = keys[i] < limit
        if keys[i] == limit and room > 0 and limit < REPLACED:
            keep[i] = 1
            room -= 1


@subroutine
def keep_best(keys, distances, count, keep):
    """Mark the child with the smallest key, preferably one that has solved the block."""
    best = -1
    for i in range(count):
        keep[i] = 0
        if keys[i] == REPLACED:
            continue
        is_solved = distances[i] == 0
        if best < 0 or (is_solved and distances[best] > 0):
            best = i
        elif is_solved == (distances[best] == 0) and keys[i] < keys[best]:
            best = i
    keep[best] = 1


UNIT = SCALE  # score of a move

# Indices in the state. BLANK: the blank's position at the tree's root. LAST: the move to the root,
# or -1. LENGTH: number of moves in `out`. STAGE: the current block. NEXT_STAGE: the block of the
# next level. TOUR: length of the tour. OPEN: number of cells that are not closed. LEVEL: number of
# the level. FIRST_LEVEL: first level of the stage. NODES: children generated. FINISH: 1 to end with
# the best path so far.
BLANK, LAST, LENGTH, STAGE, NEXT_STAGE, TOUR, OPEN, LEVEL, FIRST_LEVEL, NODES, FINISH = range(11)
STATE_SIZE = 11

# Indices in the settings. WIDTH: width of the beam. PULL: weight of a step of a block's tile.
# MISSING: weight of a misplaced tile. NEAR: weight of a step from the blank to the farthest
# misplaced tile. READY: number of children that have solved the block before the next one starts.
# PATIENCE: maximum levels of a stage. PITCH: difference between a position and the position below
# it. LATER_WIDTH, LATER_PATIENCE: upper limits from the next stage on.
WIDTH, PULL, MISSING, NEAR, READY, PATIENCE, PITCH, LATER_WIDTH, LATER_PATIENCE = range(9)
SETTINGS_SIZE = 9

SOLVED, STUCK, OUT_OF_ROOM, OUT_OF_BUDGET = range(4)
PLAY_INTERVAL = 16  # levels after which the moves shared by all paths are played


@kernel(
    int64(
        int32[::1], int32[::1], int16[::1], int16[::1], int32[:, ::1], BLOCKS, uint8[::1],
        int32[:, ::1], uint8[::1], uint8[::1], int64[::1], int64[::1], int64, int8[::1],
        int8[::1], int32[::1], int32[::1],
        uint64[::1], int32[::1], int32[::1], int32[::1], uint64[::1], int32[::1], int8[::1],
        uint8[::1], uint64[::1], int32[::1], int32[::1], uint8[::1],
    )
)  # fmt: skip
def run_levels(
    cells, positions, rows, columns, unary, block_values, codes, blocks, member, closed,
    settings, state, budget, tour, new_tour, potentials, distances, hashes, keys, new_potentials,
    new_distances, new_hashes, parents, moves, keep, slots, slots_child, counts, out,
):  # fmt: skip
    """Continue the search level by level; return the reason for stopping.

    Parameters
    ----------
    cells, positions : int32[positions]
        The tile at each position, and the position of each tile, at the tree's root.
    rows, columns : int16[positions]; of each position
    unary : int32[:, :]; the potential of a tile by its row distance and column distance
    block_values, codes : int16[CODES ** 4], uint8[positions]
        See `tilework.core.solver.kernels.potential`; closed cells count as border.
    blocks : int32[blocks, :]; the tiles of each block, padded with -1
    member, closed : uint8[positions]; tiles of the current block, and closed positions
    budget : int64; approximate number of children to generate
    tour, new_tour : int8[:]; the tree, and scratch of the same size
    potentials, distances, hashes : int32[width + 1], int32[width + 1], uint64[width + 1]
        For each leaf: the learned potential up to a constant, the sum of distances of the block's
        tiles, and a hash of their positions.
    keys, new_potentials, new_distances, new_hashes, parents, moves, keep
        Scratch for ``3 · width + 8`` children.
    slots, slots_child : uint64[2ⁿ], int32[2ⁿ]; hash table of the level's children
    counts : int32[BUCKETS]; scratch
    out : uint8[:]; moves are written from ``state[LENGTH]`` on

    Returns
    -------
    int64; `SOLVED`, `STUCK` (the best path is played), `OUT_OF_ROOM` for moves, or `OUT_OF_BUDGET`
    """
    width = settings[WIDTH]
    pull = settings[PULL]
    missing = settings[MISSING]
    near_weight = settings[NEAR]
    pitch = settings[PITCH]
    steps = make_tour_steps(pitch)
    last_stage = blocks.shape[0] - 1
    node_limit = state[NODES] + budget
    while True:
        if state[NODES] >= node_limit:
            return OUT_OF_BUDGET
        if out.size - state[LENGTH] < tour.size:
            return OUT_OF_ROOM
        state[LEVEL] += 1
        level = state[LEVEL]
        is_new_stage = state[NEXT_STAGE] > state[STAGE]
        if is_new_stage:
            state[STAGE] = state[NEXT_STAGE]
            state[OPEN] -= start_stage(blocks, state[STAGE], member, closed)
            for tile in blocks[state[STAGE] - 1]:
                if tile >= 0:
                    codes[tile] = BORDER_CODE
            state[FIRST_LEVEL] = level
            width = min(width, settings[LATER_WIDTH])
            settings[WIDTH] = width
            settings[PATIENCE] = min(settings[PATIENCE], settings[LATER_PATIENCE])
        stage = state[STAGE]
        blank = state[BLANK]
        tour_length = state[TOUR]
        leaf = 0
        count = 0
        solved_count = 0
        # The root is a leaf if the tour is empty.
        for i in range(0 if tour_length else -1, tour_length):
            if i >= 0:
                tour_entry = np.int64(tour[i])
                next_blank = blank + steps[tour_entry]
                tile = cells[next_blank]
                cells[blank] = tile
                positions[tile] = blank
                codes[blank] = displacement_code(rows, columns, closed, tile, blank)
                codes[next_blank] = BORDER_CODE if closed[next_blank] else BLANK_CODE
                blank = next_blank
                if tour_entry >= ASCEND or tour[i + 1] < ASCEND:
                    continue
                reverse_move = tour_entry ^ 1
            else:
                reverse_move = state[LAST] ^ 1 if state[LAST] >= 0 else -1
            if is_new_stage:
                if distances[leaf] > 0:
                    leaf += 1
                    continue
                potentials[leaf] += closing_change(block_values, codes, blocks, stage - 1, pitch)
                distances[leaf] = sum_block_distances(blocks, stage, positions, rows, columns)
                hashes[leaf] = hash_block(blocks, stage, positions)
            row = np.int64(rows[blank])
            column = np.int64(columns[blank])
            potential = potentials[leaf]
            misplaced, farthest_position = count_misplaced(
                blocks, stage, positions, rows, columns, -1, 0
            )
            for move in range(4):
                if move == reverse_move:
                    continue
                next_blank = blank + steps[move]
                if closed[next_blank]:
                    continue
                tile = cells[next_blank]
                old_down = abs(np.int64(rows[tile]) - rows[next_blank])
                old_right = abs(np.int64(columns[tile]) - columns[next_blank])
                down = abs(np.int64(rows[tile]) - row)
                right = abs(np.int64(columns[tile]) - column)
                new_potential = np.int64(potential) + unary[down, right]
                new_potential -= unary[old_down, old_right]
                new_potential -= sum_touching_blocks(block_values, codes, next_blank, blank, pitch)
                old_code = codes[next_blank]
                codes[blank] = displacement_code(rows, columns, closed, tile, blank)
                codes[next_blank] = BLANK_CODE
                new_potential += sum_touching_blocks(block_values, codes, next_blank, blank, pitch)
                codes[blank] = BLANK_CODE
                codes[next_blank] = old_code
                key = hashes[leaf]
                distance = distances[leaf]
                if member[tile]:
                    key ^= hash_tile(tile, next_blank) ^ hash_tile(tile, blank)
                    distance += down + right - old_down - old_right
                slot, entry = find_slot(slots, key + np.uint64(next_blank), level)
                duplicate = slots_child[slot] if slots[slot] == entry else -1
                if duplicate >= 0:
                    if new_potentials[duplicate] <= new_potential:
                        continue
                    keys[duplicate] = REPLACED
                slots[slot] = entry
                slots_child[slot] = count
                score = new_potential
                if distance > 0:
                    if member[tile]:
                        next_misplaced, next_farthest = count_misplaced(
                            blocks, stage, positions, rows, columns, tile, blank
                        )
                    else:
                        next_misplaced = misplaced
                        next_farthest = farthest_position
                    score += pull * distance + missing * next_misplaced
                    score += near_weight * count_steps(rows, columns, next_blank, next_farthest)
                elif duplicate < 0:
                    solved_count += 1
                keys[count] = score + np.int64(entry >> np.uint64(63))
                new_potentials[count] = new_potential
                new_distances[count] = distance
                new_hashes[count] = key
                parents[count] = leaf
                moves[count] = move
                count += 1
            leaf += 1
        state[NODES] += count
        if count == 0:
            return STUCK
        should_stop = state[FINISH] == 1
        if solved_count and (
            solved_count >= settings[READY]
            or 4 * solved_count >= state[OPEN]
            or stage == last_stage
        ):
            if stage < last_stage:
                state[NEXT_STAGE] = stage + 1
            else:
                should_stop = True
        is_stuck = level - state[FIRST_LEVEL] > settings[PATIENCE]
        if should_stop or is_stuck or tour_length + 3 * width > tour.size:
            keep_best(keys, new_distances, count, keep)
        elif count > width:
            select_best(keys, count, width, counts, keep)
        else:
            for i in range(count):
                keep[i] = keys[i] < REPLACED
        leaf = 0
        for i in range(count):
            if keep[i]:
                potentials[leaf] = new_potentials[i]
                distances[leaf] = new_distances[i]
                hashes[leaf] = new_hashes[i]
                leaf += 1
        length = grow_tree(tour, tour_length, new_tour, parents, moves, keep, count)
        # Play the moves that all paths share.
        first = 0
        if should_stop or is_stuck or level % PLAY_INTERVAL == 0:
            while has_single_branch(new_tour, first, length):
                tour_entry = np.int64(new_tour[first])
                blank = state[BLANK]
                next_blank = blank + steps[tour_entry]
                tile = cells[next_blank]
                cells[blank] = tile
                positions[tile] = blank
                codes[blank] = displacement_code(rows, columns, closed, tile, blank)
                codes[next_blank] = BORDER_CODE if closed[next_blank] else BLANK_CODE
                state[BLANK] = next_blank
                state[LAST] = tour_entry
                out[state[LENGTH]] = tour_entry
                state[LENGTH] += 1
                first += 1
                length -= 1
        for i in range(first, length):
            tour[i - first] = new_tour[i]
        state[TOUR] = length - first
        if should_stop:
            return SOLVED if stage == last_stage and distances[0] == 0 else STUCK
        if is_stuck:
            return STUCK
