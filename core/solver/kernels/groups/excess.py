"""The moves that a group of tiles needs beyond its Manhattan distances, ignoring all other tiles.

A state consists of the cells of the group's tiles and the region of the blank: the other cells that
it can reach without moving any of these tiles. Only moves of the group's tiles count. The search is
bidirectional: most groups that need more than their distances are stuck at one end, which is
detected after a few states.
"""

import numpy as np

from tilework.core.compiling import subroutine
from tilework.core.solver.kernels.constants import INDEX

MAX_TILES = 6  # tiles of the largest group

# Bits for the tiles' cells and the blank's region in a state's word; the others are for the
# remaining detours
MAX_BITS = 61

_SLOTS_BITS = 10
SLOTS = 1 << _SLOTS_BITS  # of the hash table for the states of one side
MAX_STATES = SLOTS // 2  # of one side, before the search gives up
_HASH = np.uint64(0x9E3779B97F4A7C15)
_ONE = np.uint64(1)


@subroutine
def _may_separate(cells, count, rows, columns):
    """Whether the tiles may separate cells: some touch at a corner, or fill a line.

    Separated cells are behind a chain of adjacent tiles from edge to edge, or surrounded by one. If
    the chain turns, two of its tiles touch at a corner; otherwise it is a line.
    """
    for tile in range(count):
        row = rows[cells[INDEX(tile)]]
        column = columns[cells[INDEX(tile)]]
        in_row = 0
        in_column = 0
        for other in range(count):
            other_row = rows[cells[INDEX(other)]]
            other_column = columns[cells[INDEX(other)]]
            if abs(row - other_row) == 1 and abs(column - other_column) == 1:
                return True
            in_row += row == other_row
            in_column += column == other_column
        if in_row == columns[columns.size - 1] + 1 or in_column == rows[rows.size - 1] + 1:
            return True
    return False


@subroutine
def find_region(cell, cells, count, rows, columns, queue, marks):
    """Return a number that identifies the blank's region.

    It is the region's lowest cell, or the number of cells for the region that is most of the board:
    if there are fewer tiles than the board's sides have cells, they can only cut off corners.
    """
    cell_count = rows.size
    if not _may_separate(cells, count, rows, columns):
        return cell_count
    width = columns[cell_count - 1] + 1
    height = rows[cell_count - 1] + 1
    max_region = count * (count - 1) // 2 if min(width, height) > count else cell_count
    for tile in range(count):
        marks[INDEX(cells[INDEX(tile)])] = 1
    queue[0] = cell
    marks[INDEX(cell)] = 1
    lowest = cell
    reached = 1
    head = 0
    while head < reached and reached <= max_region:
        cell = queue[INDEX(head)]
        head += 1
        lowest = min(lowest, cell)
        column = columns[INDEX(cell)]
        for direction in range(4):
            next_cell = _neighbor(cell, column, direction, width, cell_count)
            if next_cell >= 0 and marks[INDEX(next_cell)] == 0:
                marks[INDEX(next_cell)] = 1
                queue[INDEX(reached)] = next_cell
                reached += 1
    for tile in range(count):
        marks[INDEX(cells[INDEX(tile)])] = 0
    for i in range(reached):
        marks[INDEX(queue[INDEX(i)])] = 0
    return cell_count if reached > max_region else lowest


@subroutine
def _neighbor(cell, column, direction, width, cell_count):
    if direction == 0:
        return cell - width
    if direction == 1:
        return cell + width if cell + width < cell_count else -1
    if direction == 2:
        return cell - 1 if column > 0 else -1
    return cell + 1 if column < width - 1 else -1


@subroutine
def _push(word, side, stacks, tables, stamps, stamp, counts):
    """Push a new state to a side's stack; return False if there is no room."""
    slot = (word * _HASH) >> np.uint64(64 - _SLOTS_BITS)
    while stamps[INDEX(side), INDEX(slot)] == stamp:
        if tables[INDEX(side), INDEX(slot)] == word:
            return True
        slot = (slot + _ONE) & np.uint64(SLOTS - 1)
    if counts[INDEX(2 + side)] >= MAX_STATES:
        return False
    stamps[INDEX(side), INDEX(slot)] = stamp
    tables[INDEX(side), INDEX(slot)] = word
    counts[INDEX(2 + side)] += 1
    stacks[INDEX(side), INDEX(counts[INDEX(side)])] = word
    counts[INDEX(side)] += 1
    return True


@subroutine
def _pack_state(cells, count, region, detours_left, bits):
    word = np.uint64(detours_left)
    word = (word << np.uint64(bits)) | np.uint64(region)
    for tile in range(count):
        word = (word << np.uint64(bits)) | np.uint64(cells[INDEX(tile)])
    return word


@subroutine
def can_solve_with(
    max_detours,
    starts,
    goals,
    count,
    blank,
    goal_blank,
    rows,
    columns,
    bits,
    step_count,
    stamp,
    scratch,
):
    """Whether tiles can reach their goals with at most ``max_detours`` detours.

    Parameters
    ----------
    max_detours : int
        Moves away from the goal; each of them costs two moves beyond the distances.
    starts, goals : int64[count]; cells of the tiles
    blank, goal_blank : int; the blank's cells
    rows, columns : int64[cells]; of each cell
    bits : int; enough for the number of a cell and for the number of cells
    step_count : int64[1]; increased by the number of states searched
    stamp : int; positive, different at each call
    scratch : tuple; two stacks, two tables, two sets of stamps, counts, queue, marks, cells

    Returns
    -------
    bool; False only if it is proven; True also if there were too many states
    """
    stacks, tables, stamps, counts, queue, marks, cells = scratch
    counts[:] = 0
    cell_mask = (_ONE << np.uint64(bits)) - _ONE
    start_region = find_region(blank, starts, count, rows, columns, queue, marks)
    goal_region = find_region(goal_blank, goals, count, rows, columns, queue, marks)
    start_word = _pack_state(starts, count, start_region, 0, bits)
    goal_word = _pack_state(goals, count, goal_region, 0, bits)
    state_mask = (_ONE << np.uint64(bits * (count + 1))) - _ONE
    _push(
        _pack_state(starts, count, start_region, max_detours, bits),
        0,
        stacks,
        tables,
        stamps,
        stamp,
        counts,
    )
    _push(
        _pack_state(goals, count, goal_region, max_detours, bits),
        1,
        stacks,
        tables,
        stamps,
        stamp,
        counts,
    )
    side = 1
    cell_count = rows.size
    width = columns[cell_count - 1] + 1
    while True:
        # The sides alternate. A side with an empty stack has searched all reachable states.
        side = 1 - side
        if counts[INDEX(side)] == 0:
            return False
        counts[INDEX(side)] -= 1
        word = stacks[INDEX(side), INDEX(counts[INDEX(side)])]
        step_count[0] += 1
        if (word & state_mask) == (goal_word if side == 0 else start_word):
            return True
        remaining = word
        for tile in range(count - 1, -1, -1):
            cells[INDEX(tile)] = np.int64(remaining & cell_mask)
            remaining >>= np.uint64(bits)
        region = np.int64(remaining & cell_mask)
        detours_left = np.int64(remaining >> np.uint64(bits))
        separates = _may_separate(cells, count, rows, columns)
        for tile in range(count):
            cell = cells[INDEX(tile)]
            row = rows[INDEX(cell)]
            column = columns[INDEX(cell)]
            target = goals[INDEX(tile)] if side == 0 else starts[INDEX(tile)]
            target_row = rows[INDEX(target)]
            target_column = columns[INDEX(target)]
            for direction in range(4):
                next_cell = _neighbor(cell, column, direction, width, cell_count)
                if next_cell < 0:
                    continue
                if direction == 0:
                    nearer = target_row < row
                elif direction == 1:
                    nearer = target_row > row
                elif direction == 2:
                    nearer = target_column < column
                else:
                    nearer = target_column > column
                if not nearer and detours_left == 0:
                    continue
                is_free = True
                for other in range(count):
                    if cells[INDEX(other)] == next_cell:
                        is_free = False
                if not is_free:
                    continue
                if separates and region != find_region(
                    next_cell, cells, count, rows, columns, queue, marks
                ):
                    continue
                cells[INDEX(tile)] = next_cell
                new_region = find_region(cell, cells, count, rows, columns, queue, marks)
                pushed = _push(
                    _pack_state(
                        cells, count, new_region, detours_left if nearer else detours_left - 1, bits
                    ),
                    side,
                    stacks,
                    tables,
                    stamps,
                    stamp,
                    counts,
                )
                cells[INDEX(tile)] = cell
                if not pushed:
                    return True
