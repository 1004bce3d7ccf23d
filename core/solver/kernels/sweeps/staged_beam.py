"""Beam search that places blocks of tiles one after another, by single moves of the blank.

The state is one board and the current paths as a tour of their tree (`steps_of`). So the time of a
level is proportional to the size of the tree, a few times the beam's width, whatever the board's
size. Paths that lead to the same places of the blank and the block's tiles are duplicates, of which
the one with the other tiles nearest home is kept. A placed block is closed.

The board has a closed border; cells and tiles are *places* in it, a tile being the place of its
goal.
"""

import numpy as np

from tilework.core.compiling import int8, int16, int32, int64, kernel, uint8, uint64
from tilework.core.solver.kernels.sweeps.block import (
    ASCEND,
    begin_stage,
    block_distance,
    block_hash,
    grow,
    has_single_branch,
    hash_place,
    misplaced,
    steps_between,
    steps_of,
)
from tilework.core.solver.kernels.sweeps.selection import DEAD, choose_best, keep_one, look_up

UNIT = 128  # score of a move

# Indices in the state. BLANK: its place at the tree's root. LAST: the move that led to the root, or
# -1. LENGTH: of `out`. STAGE: the current block. NEXT_STAGE: of the next level. TOUR: its length.
# OPEN: cells not closed. LEVEL: its number. BEGAN: the stage's first level. NODES: children
# generated. HURRY: 1 to end with the best path so far.
BLANK, LAST, LENGTH, STAGE, NEXT_STAGE, TOUR, OPEN, LEVEL, BEGAN, NODES, HURRY = range(11)
STATE_SIZE = 11

# Indices in the settings. WIDTH: of the beam. PULL: weight of a step of a block's tile. MISSING: of
# a misplaced tile. NEAR: of a step from the blank to the farthest misplaced tile. READY: children
# that have placed the block before the next begins. PATIENCE: most levels of a stage. PITCH: from a
# place to the one below.
WIDTH, PULL, MISSING, NEAR, READY, PATIENCE, PITCH = range(7)
SETTINGS_SIZE = 7

SOLVED, STUCK, OUT_OF_ROOM, OUT_OF_BUDGET = range(4)
STRIP_EVERY = 16  # levels after which the moves shared by all paths are played


@kernel(
    int64(
        int32[::1], int32[::1], int16[::1], int16[::1], int32[::1], int32[:, ::1], uint8[::1],
        uint8[::1], int64[::1], int64[::1], int64, int8[::1], int8[::1], int32[::1], int32[::1],
        uint64[::1], int32[::1], int32[::1], int32[::1], uint64[::1], int32[::1], int8[::1],
        uint8[::1], uint64[::1], int32[::1], int32[::1], uint8[::1],
    )
)  # fmt: skip
def run_levels(
    cells, places, rows, columns, weights, blocks, member, closed, settings, state, budget, tour,
    new_tour, potentials, distances, hashes, keys, new_potentials, new_distances, new_hashes,
    parents, moves, keep, slots, slots_child, counts, out,
):  # fmt: skip
    """Continue the search level by level; return why it stopped.

    Parameters
    ----------
    cells, places : int32[places]
        The tile on each place, and the place of each tile, at the tree's root.
    rows, columns : int16[places]; of each place
    weights : int32[:]; of a tile by its row or column distance
    blocks : int32[blocks, :]; the tiles of each block, padded with -1
    member, closed : uint8[places]; tiles of the current block, and closed places
    budget : int64; children to generate, approximately
    tour, new_tour : int8[:]; the tree, and scratch of the same size
    potentials, distances, hashes : int32[width + 1], int32[width + 1], uint64[width + 1]
        Of each leaf, the weight of all tiles, the distance of the block's tiles, and a hash of
        their places.
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
    steps = steps_of(settings[PITCH])
    last_stage = blocks.shape[0] - 1
    ends = state[NODES] + budget
    while True:
        if state[NODES] >= ends:
            return OUT_OF_BUDGET
        if out.size - state[LENGTH] < tour.size:
            return OUT_OF_ROOM
        state[LEVEL] += 1
        level = state[LEVEL]
        grew = state[NEXT_STAGE] > state[STAGE]
        if grew:
            state[STAGE] = state[NEXT_STAGE]
            state[OPEN] -= begin_stage(blocks, state[STAGE], member, closed)
            state[BEGAN] = level
        stage = state[STAGE]
        blank = state[BLANK]
        tour_length = state[TOUR]
        leaf = 0
        count = 0
        placed = 0
        # The root is a leaf if the tour is empty.
        for at in range(0 if tour_length else -1, tour_length):
            if at >= 0:
                op = np.int64(tour[at])
                next_blank = blank + steps[op]
                tile = cells[next_blank]
                cells[blank] = tile
                places[tile] = blank
                blank = next_blank
                if op >= ASCEND or tour[at + 1] < ASCEND:
                    continue
                back = op ^ 1
            else:
                back = state[LAST] ^ 1 if state[LAST] >= 0 else -1
            if grew:
                if distances[leaf] > 0:
                    leaf += 1
                    continue
                distances[leaf] = block_distance(blocks, stage, places, rows, columns)
                hashes[leaf] = block_hash(blocks, stage, places)
            row = np.int64(rows[blank])
            column = np.int64(columns[blank])
            potential = potentials[leaf]
            wrong, far_place = misplaced(blocks, stage, places, rows, columns, -1, 0)
            for move in range(4):
                if move == back:
                    continue
                next_blank = blank + steps[move]
                if closed[next_blank]:
                    continue
                tile = cells[next_blank]
                if move < 2:
                    home = np.int64(rows[tile])
                    was = abs(home - rows[next_blank])
                    becomes = abs(home - row)
                else:
                    home = np.int64(columns[tile])
                    was = abs(home - columns[next_blank])
                    becomes = abs(home - column)
                new_potential = potential + weights[becomes] - weights[was]
                key = hashes[leaf]
                distance = distances[leaf]
                if member[tile]:
                    key ^= hash_place(tile, next_blank) ^ hash_place(tile, blank)
                    distance += becomes - was
                slot, mark = look_up(slots, key + np.uint64(next_blank), level)
                twin = slots_child[slot] if slots[slot] == mark else -1
                if twin >= 0:
                    if new_potentials[twin] <= new_potential:
                        continue
                    keys[twin] = DEAD
                slots[slot] = mark
                slots_child[slot] = count
                score = new_potential
                if distance > 0:
                    if member[tile]:
                        still_wrong, farthest = misplaced(
                            blocks, stage, places, rows, columns, tile, blank
                        )
                    else:
                        still_wrong = wrong
                        farthest = far_place
                    score += pull * distance + missing * still_wrong
                    score += near_weight * steps_between(rows, columns, next_blank, farthest)
                elif twin < 0:
                    placed += 1
                keys[count] = score + np.int64(mark >> np.uint64(63))
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
        stop = state[HURRY] == 1
        if placed and (
            placed >= settings[READY] or 4 * placed >= state[OPEN] or stage == last_stage
        ):
            if stage < last_stage:
                state[NEXT_STAGE] = stage + 1
            else:
                stop = True
        stuck = level - state[BEGAN] > settings[PATIENCE]
        if stop or stuck or tour_length + 3 * width > tour.size:
            keep_one(keys, new_distances, count, keep)
        elif count > width:
            choose_best(keys, count, width, counts, keep)
        else:
            for i in range(count):
                keep[i] = keys[i] < DEAD
        leaf = 0
        for i in range(count):
            if keep[i]:
                potentials[leaf] = new_potentials[i]
                distances[leaf] = new_distances[i]
                hashes[leaf] = new_hashes[i]
                leaf += 1
        length = grow(tour, tour_length, new_tour, parents, moves, keep, count)
        # Play the moves that all paths share.
        first = 0
        if stop or stuck or level % STRIP_EVERY == 0:
            while has_single_branch(new_tour, first, length):
                op = np.int64(new_tour[first])
                blank = state[BLANK]
                next_blank = blank + steps[op]
                tile = cells[next_blank]
                cells[blank] = tile
                places[tile] = blank
                state[BLANK] = next_blank
                state[LAST] = op
                out[state[LENGTH]] = op
                state[LENGTH] += 1
                first += 1
                length -= 1
        for at in range(first, length):
            tour[at - first] = new_tour[at]
        state[TOUR] = length - first
        if stop:
            return SOLVED if stage == last_stage and distances[0] == 0 else STUCK
        if stuck:
            return STUCK
