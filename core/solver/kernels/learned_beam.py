"""Beam search guided by the learned potential; a call expands as many levels as its budget allows.

The paths of a level are a tree, and all are walked on one board: see
`tilework.core.solver.kernels.path_tree`. Boards that were reached before are duplicates. Part of a
level is reserved for the best boards of each *region* of the blank's position, so that a beam does
not concentrate on one part of a large board.
"""

import numpy as np

from tilework.core.compiling import int8, int32, int64, kernel, subroutine, types, uint16
from tilework.core.solver.kernels.beam import is_new
from tilework.core.solver.kernels.constants import (
    BYTES,
    INDEX,
    WRITABLE_BYTES,
    WRITABLE_TABLE,
    WRITABLE_WORDS,
)
from tilework.core.solver.kernels.instructions import prefetch
from tilework.core.solver.kernels.path_tree import (
    ASCEND,
    grow_tree,
    has_single_branch,
    make_tour_steps,
)
from tilework.core.solver.kernels.potential import (
    BLANK_CODE,
    BLOCKS,
    INDICES,
    NEAR,
    NEAR_TABLE,
    near_goal_term,
    sum_touching_blocks,
)

# Potentials above a level's minimum by this or more are considered equal
BINS = 1 << 12

_COARSE_BITS = 6
COARSE_BINS = BINS >> _COARSE_BITS


@subroutine
def _limit_regions(candidates, count, minimum, regions, reserved, counts, limits):
    """Find the limits below which each region's boards are kept; return the number kept."""
    for region in range(limits.size):
        limits[INDEX(region)] = 0
        for bin_ in range(COARSE_BINS):
            counts[INDEX(region), INDEX(bin_)] = 0
    occupied = np.int64(0)
    for candidate in range(count):
        excess = min((candidates[INDEX(candidate), 0] - minimum) >> _COARSE_BITS, COARSE_BINS - 1)
        region = INDEX(regions[INDEX(candidates[INDEX(candidate), 3])])
        occupied += limits[region] == 0
        limits[region] = 1
        counts[region, INDEX(excess)] += 1
    quota = reserved // occupied
    selected = np.int64(0)
    for region in range(limits.size):
        remaining = quota
        limit_bin = np.int64(0)
        while limit_bin < COARSE_BINS - 1 and counts[INDEX(region), INDEX(limit_bin)] <= remaining:
            remaining -= counts[INDEX(region), INDEX(limit_bin)]
            limit_bin += 1
        limits[INDEX(region)] = limit_bin << _COARSE_BITS
        selected += quota - remaining
    return selected


@subroutine
def select_with_quotas(
    candidates, count, width, minimum, regions, reserved, region_counts, limits, counts, selection
):
    """Write the selected candidates to ``selection`` in order; return their number."""
    for region in range(limits.size):
        limits[INDEX(region)] = 0
    last_bin = np.int64(BINS)
    remaining = np.int64(0)
    if count > width:
        remaining = np.int64(width)
        if reserved:
            remaining -= _limit_regions(
                candidates, count, minimum, regions, reserved, region_counts, limits
            )
        for bin_ in range(BINS):
            counts[INDEX(bin_)] = 0
        for candidate in range(count):
            excess = min(candidates[INDEX(candidate), 0] - minimum, BINS - 1)
            if excess >= limits[INDEX(regions[INDEX(candidates[INDEX(candidate), 3])])]:
                counts[INDEX(excess)] += 1
        last_bin = np.int64(0)
        while last_bin < BINS and counts[INDEX(last_bin)] <= remaining:
            remaining -= counts[INDEX(last_bin)]
            last_bin += 1
    selected = np.int64(0)
    for candidate in range(count):
        excess = min(candidates[INDEX(candidate), 0] - minimum, BINS - 1)
        if (
            excess >= last_bin
            and excess >= limits[INDEX(regions[INDEX(candidates[INDEX(candidate), 3])])]
        ):
            if excess > last_bin or remaining == 0:
                continue
            remaining -= 1
        selection[INDEX(selected)] = candidate
        selected += 1
    return selected


# Indices in the int64 report, which is input and output.
LEVEL = 0  # number of the level to expand next
COUNT = 1  # number of boards in this level
NODES = 2  # nodes generated so far
GOAL = 3  # ``leaf << 2 | move`` of the goal once it has been generated
BEST_VALUE = 4  # minimum potential of any level so far
BEST_LEVEL = 5  # level of the minimum potential
HASH_COUNT = 6  # number of hashes in the table
TOUR = 7  # length of the tour
BLANK = 8  # the blank's position at the tree's root
LAST = 9  # the move to the root, or -1
PLAYED = 10  # number of moves in ``out``
REPORT_LENGTH = 11

SOLVED, STUCK, TREE_FULL, OUT_OF_BUDGET = range(4)
_PLAY_INTERVAL = 16  # levels after which the moves shared by all paths are played


@subroutine
def zobrist_word(label, position):
    """Return the Zobrist word of a tile at a position; a board's hash is their exclusive or.

    It is computed, because the table of a 32×32 board would not fit into the processor's cache.
    """
    mixed = (np.uint64(label) << np.uint64(32) | np.uint64(position)) + np.uint64(1)
    mixed = mixed * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(32))) * np.uint64(0xD6E8FEB86659FD93)
    return np.int64(mixed ^ (mixed >> np.uint64(29)))


@subroutine
def _make_move(cells, codes, homes, offsets, code_table, blank, source):
    tile = cells[INDEX(source)]
    cells[INDEX(blank)] = tile
    codes[INDEX(blank)] = code_table[INDEX(homes[INDEX(tile)] - offsets[INDEX(blank)])]
    codes[INDEX(source)] = BLANK_CODE


@kernel(
    int64(
        int32[::1], WRITABLE_BYTES, INDICES, INDICES, BYTES, INDICES, int64,
        BYTES, types.Array(uint16, 1, "C", readonly=True), INDICES, BLOCKS, NEAR_TABLE,
        int64, int64, int64, int64, int64, int64,
        WRITABLE_WORDS, int8[::1], int8[::1], int64[::1], int64[::1], int32[::1],
        WRITABLE_TABLE, int32[::1], int32[::1], int8[::1], WRITABLE_BYTES,
        WRITABLE_TABLE, WRITABLE_WORDS, WRITABLE_WORDS, int32[::1],
        WRITABLE_BYTES, WRITABLE_WORDS,
    )
)  # fmt: skip
def advance(
    cells, codes, homes, offsets, border, regions, reserved,
    code_table, step_table, unary, blocks, near,
    pitch, goal_blank, max_moves, patience, last_level, budget,
    table, tour, new_tour, values, hashes, distances,
    candidates, new_distances, parents, moves, keep,
    region_counts, limits, counts, selection,
    out, report,
):  # fmt: skip
    """Expand levels until the goal is generated, or the budget or the room is used up.

    Parameters
    ----------
    cells, codes : int32[positions], uint8[positions]; the tile and its class, at the tree's root
    homes, offsets : int32[positions]
        ``homes[tile] - offsets[position]`` is the index of a tile's displacement in the tables.
    border : uint8[positions]; whether a position is not on the board
    regions, reserved : int32[positions], int
        The region by the blank's position, and the number of paths of a level that are reserved,
        divided equally among its regions.
    code_table, step_table, unary : uint8[:], uint16[:], int32[:]
        By displacement: its class, the number of steps, and the potential of the tile.
    blocks, near; see `tilework.core.solver.kernels.potential`
    pitch, goal_blank : int
        The difference between a position and the one below, and the goal position of the blank.
    max_moves : int; length of the longest acceptable solution
    patience : int; levels without a lower potential before the beam gives up
    last_level, budget : int; level and number of nodes after which no new level is started
    table : int64 array, whose length is a power of two
        Hashes of earlier boards, 0 in empty slots; it is cleared whenever it is half full.
    tour, new_tour : int8[:]; the tree, and scratch of the same size
    values, hashes, distances : int64[:], int64[:], int32[:]
        For each leaf: the potential, a hash of the board, and the sum of the tiles' distances.
    candidates : int64[:, 4]; scratch, for three times as many leaves and one
        The potential, hash, origin and blank's position of each candidate.
    new_distances, parents, moves, keep; scratch for as many candidates
    region_counts, limits, counts; scratch
    selection : int32[width]; scratch, whose size is the number of paths to keep
    out : uint8[:]; moves that all paths share are written from ``report[PLAYED]`` on

    Returns
    -------
    int64; `SOLVED`, `STUCK`, `TREE_FULL`, or `OUT_OF_BUDGET`
    """
    width = selection.size
    mask = table.size - 1
    steps = make_tour_steps(pitch)
    goal_offset = np.int64(homes[INDEX(goal_blank)])
    states = np.empty(4, dtype=np.int64)
    child_distances = np.empty(4, dtype=np.int64)
    end = report[NODES] + budget
    while report[LEVEL] < last_level and report[NODES] < end:
        level = report[LEVEL]
        length = report[TOUR]
        if level >= max_moves or level - report[BEST_LEVEL] > patience:
            return STUCK
        if length + 2 * width > tour.size:
            return TREE_FULL
        if out.size - report[PLAYED] < tour.size:
            return OUT_OF_BUDGET
        if report[HASH_COUNT] + 3 * report[COUNT] + 1 > table.size // 2:
            table[:] = 0
            report[HASH_COUNT] = 0
        remaining = max_moves - level - 1
        blank = report[BLANK]
        leaf = 0
        count = 0
        minimum = np.int64(1) << 60
        # The root is a leaf if the tour is empty.
        for i in range(0 if length else -1, length):
            last = report[LAST]
            if i >= 0:
                last = np.int64(tour[INDEX(i)])
                source = blank + steps[INDEX(last)]
                _make_move(cells, codes, homes, offsets, code_table, blank, source)
                blank = source
                if last >= ASCEND or tour[INDEX(i + 1)] < ASCEND:
                    continue
            offset = np.int64(offsets[INDEX(blank)])
            old_value, old_hash = values[INDEX(leaf)], hashes[INDEX(leaf)]
            old_distance = np.int64(distances[INDEX(leaf)])
            for move in range(4):
                child_distances[INDEX(move)] = -1
                source = blank + steps[INDEX(move)]
                if (last >= 0 and move == last ^ 1) or border[INDEX(source)]:
                    continue
                report[NODES] += 1
                tile = np.int64(cells[INDEX(source)])
                home = np.int64(homes[INDEX(tile)])
                distance = old_distance + step_table[INDEX(home - offset)]
                distance -= step_table[INDEX(home - offsets[INDEX(source)])]
                if distance > remaining:
                    continue
                state = old_hash ^ zobrist_word(tile, source) ^ zobrist_word(tile, blank)
                prefetch(table, state & mask)
                states[INDEX(move)] = state
                child_distances[INDEX(move)] = distance
            for move in range(4):
                distance = child_distances[INDEX(move)]
                if distance < 0 or not is_new(table, states[INDEX(move)]):
                    continue
                report[HASH_COUNT] += 1
                origin = leaf << 2 | move
                if distance == 0:
                    report[GOAL] = origin
                    return SOLVED
                source = blank + steps[INDEX(move)]
                home = np.int64(homes[INDEX(cells[INDEX(source)])])
                value = old_value + unary[INDEX(home - offset)]
                value -= unary[INDEX(home - offsets[INDEX(source)])]
                value -= sum_touching_blocks(blocks, codes, source, blank, pitch)
                old_code = codes[INDEX(source)]
                codes[INDEX(blank)] = code_table[INDEX(home - offset)]
                codes[INDEX(source)] = BLANK_CODE
                value += sum_touching_blocks(blocks, codes, source, blank, pitch)
                codes[INDEX(blank)] = BLANK_CODE
                codes[INDEX(source)] = old_code
                if min(distance, old_distance) < NEAR:
                    steps_left = step_table[INDEX(goal_offset - offsets[INDEX(source)])]
                    value += near_goal_term(near, distance, np.int64(steps_left))
                    steps_left = step_table[INDEX(goal_offset - offset)]
                    value -= near_goal_term(near, old_distance, np.int64(steps_left))
                candidates[INDEX(count), 0] = value
                candidates[INDEX(count), 1] = states[INDEX(move)]
                candidates[INDEX(count), 2] = origin
                candidates[INDEX(count), 3] = source
                new_distances[INDEX(count)] = distance
                parents[INDEX(count)] = leaf
                moves[INDEX(count)] = move
                keep[INDEX(count)] = 0
                minimum = min(minimum, value)
                count += 1
            leaf += 1
        if minimum < report[BEST_VALUE]:
            report[BEST_VALUE] = minimum
            report[BEST_LEVEL] = level
        if count == 0:
            return STUCK
        selected = select_with_quotas(
            candidates, count, width, minimum, regions, reserved, region_counts, limits, counts,
            selection,
        )  # fmt: skip
        for leaf in range(selected):
            candidate = selection[leaf]
            keep[candidate] = 1
            values[leaf] = candidates[candidate, 0]
            hashes[leaf] = candidates[candidate, 1]
            distances[leaf] = new_distances[candidate]
        length = grow_tree(tour, length, new_tour, parents, moves, keep, count)
        first = 0
        if level % _PLAY_INTERVAL == 0:
            while has_single_branch(new_tour, first, length):
                entry = np.int64(new_tour[first])
                blank = report[BLANK]
                source = blank + steps[entry]
                _make_move(cells, codes, homes, offsets, code_table, blank, source)
                report[BLANK] = source
                report[LAST] = entry
                out[report[PLAYED]] = entry
                report[PLAYED] += 1
                first += 1
                length -= 1
        for i in range(first, length):
            tour[i - first] = new_tour[i]
        report[TOUR] = length - first
        report[LEVEL] += 1
        report[COUNT] = selected
    return OUT_OF_BUDGET
