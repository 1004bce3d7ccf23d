"""Beam search guided by the learned potential; a call expands as many levels as its budget allows.

A level is a set of boards at one distance from the start, in rows of parallel arrays, one for each
parity of the level's number:

``labels``     uint16[2, width, cells]  the tile on each cell, identified by its goal cell
``codes``      uint8[2, width, padded]  the class of each cell, with the border
``values``     int64[2, width]          the potential
``hashes``     int64[2, width]          boards with equal hashes are considered the same
``blanks``     int32[2, width]          the blank's cell
``distances``  int32[2, width]          sum of the tiles' distances
``last_moves`` int8[2, width]           the last move, -1 for none

Part of a level is reserved for the best boards of each *region* of the blank's cell, so that a beam
does not concentrate on one part of a large board.
"""

import numpy as np

from tilework.core.compiling import int32, int64, kernel, subroutine, types, uint8, uint16, uint32
from tilework.core.solver.kernels.beam import is_new
from tilework.core.solver.kernels.constants import BYTES, INDEX, WORDS, WRITABLE_WORDS
from tilework.core.solver.kernels.instructions import prefetch
from tilework.core.solver.kernels.learned.potential import (
    BLANK_CODE,
    BLOCKS,
    CODE_TABLE,
    INDICES,
    NEAR,
    NEAR_TABLE,
    UNARY,
    near_goal_term,
    potential_change,
)
from tilework.core.solver.kernels.learned.selection import select_with_quotas

# Indices in the int64 report, which is input and output.
LEVEL = 0  # number of the level to expand next
COUNT = 1  # number of boards in this level
NODES = 2  # nodes generated so far
GOAL = 3  # origin of the goal once it has been generated, otherwise -1
BEST_VALUE = 4  # minimum potential of any level so far
BEST_LEVEL = 5  # level of the minimum potential
HASH_COUNT = 6  # number of hashes in the table
NEW_LEVELS = 7  # number of levels added by the call
REPORT_LENGTH = 8
BATCH = 32  # boards whose children are prefetched together
_ROWS = types.Array(uint16, 3, "C")
_CODES = types.Array(uint8, 3, "C")
_WORDS = types.Array(int64, 2, "C")
_STATES = types.Array(int32, 2, "C")
_LAST_MOVES = types.Array(types.int8, 2, "C")
_CANDIDATES = types.Array(int64, 2, "C")
_ORIGINS = types.Array(uint32, 2, "C")
_STEPS = types.Array(uint16, 2, "C", readonly=True)
_WRITABLE_INDICES = types.Array(int32, 1, "C")


@subroutine
def zobrist_word(label, cell):
    """Return the Zobrist word of a label on a cell; a board's hash is their exclusive or.

    It is computed, because the table of a 32×32 board would not fit into the processor's cache.
    """
    mixed = (np.uint64(label) << np.uint64(32) | np.uint64(cell)) + np.uint64(1)
    mixed = mixed * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(32))) * np.uint64(0xD6E8FEB86659FD93)
    return np.int64(mixed ^ (mixed >> np.uint64(29)))


@kernel(int64(types.Array(uint16, 1, "C", readonly=True), int64))
def hash_board(labels, blank_label):
    """Return the hash of a board, without the blank."""
    total = np.int64(0)
    for cell in range(labels.size):
        if labels[INDEX(cell)] != blank_label:
            total ^= zobrist_word(labels[INDEX(cell)], cell)
    return total


@subroutine
def _list_children(
    labels, hashes, blanks, distances, last_moves, current, first, end_row,
    legal, move_steps, steps, remaining, table, children, report,
):  # fmt: skip
    """List the children of some rows; prefetch their slots in the hash table."""
    mask = table.size - 1
    count = np.int64(0)
    for row in range(first, end_row):
        i = INDEX(row)
        blank = np.int64(blanks[current, i])
        last_move = np.int64(last_moves[current, i])
        for move in range(4):
            if not (legal[INDEX(blank)] >> move) & 1 or move == last_move ^ 1:
                continue
            report[NODES] += 1
            source = blank + move_steps[INDEX(move)]
            tile = np.int64(labels[current, i, INDEX(source)])
            distance = np.int64(distances[current, i]) + steps[INDEX(tile), INDEX(blank)]
            distance -= steps[INDEX(tile), INDEX(source)]
            if distance > remaining:
                continue
            state = hashes[current, i] ^ zobrist_word(tile, source) ^ zobrist_word(tile, blank)
            prefetch(table, state & mask)
            children[INDEX(count), 0] = state
            children[INDEX(count), 1] = row << 2 | move
            children[INDEX(count), 2] = distance
            count += 1
    return count


@kernel(
    types.void(
        _ROWS, _CODES, _WORDS, _WORDS, _STATES, _STATES, _LAST_MOVES,
        INDICES, WORDS, BYTES, INDICES, INDICES,
        _STEPS, CODE_TABLE, UNARY, BLOCKS, NEAR_TABLE,
        int64, int64, int64, int64, int64,
        WRITABLE_WORDS, _CANDIDATES, _CANDIDATES, _CANDIDATES, WRITABLE_WORDS, WRITABLE_WORDS,
        _WRITABLE_INDICES, _ORIGINS, WRITABLE_WORDS, WRITABLE_WORDS,
    )
)  # fmt: skip
def advance(
    labels, codes, values, hashes, blanks, distances, last_moves,
    padded, move_steps, legal, regions, quotas,
    steps, code_table, unary, blocks, near,
    stride, goal_blank, max_moves, patience, budget,
    table, children, candidates, region_counts, limits, counts, selection,
    origins, board_counts, report,
):  # fmt: skip
    """Expand levels until the goal is generated, or the budget or the room for origins is used up.

    Parameters
    ----------
    labels, codes, values, hashes, blanks, distances, last_moves; see the module
    padded : int32[cells]; the index of each cell in ``codes``
    move_steps : int64[4]; change of the blank's cell by each move
    legal : uint8[cells]; legal moves by the blank's cell (bit m for move m)
    regions, quotas : int32[cells], int32[regions]
        The region by the blank's cell, and the number of rows reserved for each region.
    steps : uint16[cells, cells]; the steps to the goal cell, by label and cell
    code_table, unary, blocks, near; see `tilework.core.solver.kernels.learned.potential`
    stride, goal_blank : int; the padded board's width, and the blank's goal cell
    max_moves : int; length of the longest acceptable solution
    patience : int; levels without a lower potential before the beam gives up
    budget : int; nodes after which no new level is started
    table : int64 array, whose length is a power of two
        Hashes of earlier boards, 0 in empty slots; it is cleared whenever it is half full.
    children : int64[4 · `BATCH`, 3]; scratch: hash, origin and distance of children
    candidates : int64[3 · width + 1, 4]; scratch
        The potential, hash, origin and blank's cell of each candidate.
    region_counts, limits, counts, selection; scratch
    origins : uint32[levels, width], filled; ``parent's row << 2 | move`` by new level and row
    board_counts : int64[levels], filled; the number of boards of each new level
    """
    width = labels.shape[1]
    cells = labels.shape[2]
    size = codes.shape[2]
    mask = table.size // 2
    end = report[NODES] + budget
    report[NEW_LEVELS] = 0
    while report[NEW_LEVELS] < origins.shape[0] and report[NODES] < end:
        level = report[LEVEL]
        current = INDEX(level & 1)
        next_level = INDEX(level & 1 ^ 1)
        if level >= max_moves or level - report[BEST_LEVEL] > patience:
            report[COUNT] = 0
            return
        if report[HASH_COUNT] + 3 * report[COUNT] + 1 > mask:
            for slot in range(table.size):
                table[INDEX(slot)] = 0
            report[HASH_COUNT] = 0
        count = np.int64(0)
        minimum = np.int64(1) << 60
        for first in range(0, report[COUNT], BATCH):
            end_row = min(first + BATCH, report[COUNT])
            child_count = _list_children(
                labels, hashes, blanks, distances, last_moves, current, first, end_row,
                legal, move_steps, steps, max_moves - level - 1, table, children, report,
            )  # fmt: skip
            for child in range(child_count):
                state = children[INDEX(child), 0]
                if not is_new(table, state):
                    continue
                report[HASH_COUNT] += 1
                origin = children[INDEX(child), 1]
                distance = children[INDEX(child), 2]
                if distance == 0:
                    report[GOAL] = origin
                    return
                row = INDEX(origin >> 2)
                blank = np.int64(blanks[current, row])
                source = blank + move_steps[INDEX(origin & 3)]
                tile = np.int64(labels[current, row, INDEX(source)])
                value = values[current, row] + potential_change(
                    unary, blocks, codes[current, row], tile, code_table[INDEX(tile), INDEX(blank)],
                    source, blank, np.int64(padded[INDEX(source)]), np.int64(padded[INDEX(blank)]),
                    stride,
                )  # fmt: skip
                if min(distance, np.int64(distances[current, row])) < NEAR:
                    blank_distance = np.int64(steps[INDEX(goal_blank), INDEX(source)])
                    value += near_goal_term(near, distance, blank_distance)
                    blank_distance = np.int64(steps[INDEX(goal_blank), INDEX(blank)])
                    value -= near_goal_term(near, np.int64(distances[current, row]), blank_distance)
                candidates[INDEX(count), 0] = value
                candidates[INDEX(count), 1] = state
                candidates[INDEX(count), 2] = origin
                candidates[INDEX(count), 3] = source
                minimum = min(minimum, value)
                count += 1
        if minimum < report[BEST_VALUE]:
            report[BEST_VALUE] = minimum
            report[BEST_LEVEL] = level
        selected = select_with_quotas(
            candidates, count, width, minimum, regions, quotas, region_counts, limits, counts,
            selection,
        )  # fmt: skip
        for row in range(selected):
            i = INDEX(row)
            candidate = INDEX(selection[i])
            origin = candidates[candidate, 2]
            parent = INDEX(origin >> 2)
            move = origin & 3
            for cell in range(cells):
                labels[next_level, i, INDEX(cell)] = labels[current, parent, INDEX(cell)]
            for index in range(size):
                codes[next_level, i, INDEX(index)] = codes[current, parent, INDEX(index)]
            blank = np.int64(blanks[current, parent])
            source = candidates[candidate, 3]
            tile = np.int64(labels[current, parent, INDEX(source)])
            labels[next_level, i, INDEX(blank)] = tile
            labels[next_level, i, INDEX(source)] = goal_blank
            codes[next_level, i, INDEX(padded[INDEX(blank)])] = code_table[
                INDEX(tile), INDEX(blank)
            ]
            codes[next_level, i, INDEX(padded[INDEX(source)])] = BLANK_CODE
            blanks[next_level, i] = source
            values[next_level, i] = candidates[candidate, 0]
            hashes[next_level, i] = candidates[candidate, 1]
            distance_change = (
                np.int64(steps[INDEX(tile), INDEX(blank)]) - steps[INDEX(tile), INDEX(source)]
            )
            distances[next_level, i] = distances[current, parent] + distance_change
            last_moves[next_level, i] = move
            origins[INDEX(report[NEW_LEVELS]), i] = origin
        board_counts[INDEX(report[NEW_LEVELS])] = selected
        report[NEW_LEVELS] += 1
        report[LEVEL] += 1
        report[COUNT] = selected
        if selected == 0:
            return
