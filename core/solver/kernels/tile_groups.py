"""The moves that groups of tiles need beyond their Manhattan distances.

All tiles outside a group are ignored. A state consists of the cells of the group's tiles and the
region of the blank: the other cells that it can reach without moving any of these tiles. Only moves
of the group's tiles count. The search is bidirectional: most groups that need more than their
distances are stuck at one end, which is detected after a few states.

A tile with a straight path often blocks others; one with many shortest paths seldom does. So each
tile has a *slack*, and groups are tried by the sum of slacks and by size. A group counts only if it
needs more than the groups that it contains.
"""

import numpy as np

from tilework.core.compiling import boolean, int64, kernel, subroutine, types
from tilework.core.solver.kernels.constants import (
    INDEX,
    WORDS,
    WRITABLE_TABLE,
    WRITABLE_WORDS,
)

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


MAX_GROUPS = 256  # to find in total
_MAX_DETOURS = 3  # to try for each group
_TOUCHES = types.Array(boolean, 2, "C", readonly=True)


@subroutine
def _find_known_need(group, count, members, sizes, needs, group_count):
    """Return the greatest need of a known group, or of two disjoint ones, within a group."""
    subgroups = np.empty(MAX_GROUPS, dtype=np.int64)
    subgroup_count = 0
    best = 0
    for index in range(group_count):
        if sizes[INDEX(index)] >= count:
            continue
        common = 0
        for i in range(sizes[INDEX(index)]):
            for tile in range(count):
                if members[INDEX(index), INDEX(i)] == group[INDEX(tile)]:
                    common += 1
        if common < sizes[INDEX(index)]:
            continue
        best = max(best, needs[INDEX(index)])
        for i in range(subgroup_count):
            other = subgroups[INDEX(i)]
            if needs[INDEX(index)] + needs[INDEX(other)] > best and _are_disjoint(
                members, sizes, index, other
            ):
                best = needs[INDEX(index)] + needs[INDEX(other)]
        subgroups[INDEX(subgroup_count)] = index
        subgroup_count += 1
    return best


@subroutine
def _are_disjoint(members, sizes, first, second):
    for i in range(sizes[INDEX(first)]):
        for j in range(sizes[INDEX(second)]):
            if members[INDEX(first), INDEX(i)] == members[INDEX(second), INDEX(j)]:
                return False
    return True


@subroutine
def _is_connected(group, count, may_meet):
    """Whether the tiles of a group are connected by pairs that may meet."""
    reached = 1
    head = 0
    order = np.empty(MAX_TILES, dtype=np.int64)
    is_reached = np.zeros(MAX_TILES, dtype=np.bool_)
    order[0] = 0
    is_reached[0] = True
    while head < reached:
        tile = order[INDEX(head)]
        head += 1
        for other in range(count):
            if not is_reached[INDEX(other)] and may_meet[group[INDEX(tile)], group[INDEX(other)]]:
                is_reached[INDEX(other)] = True
                order[INDEX(reached)] = other
                reached += 1
    return reached == count


@subroutine
def _next_group(group, count, slack, target):
    """Advance to the next group with the given sum of slacks; return False at the end.

    Groups are in lexicographic order, and tiles in order of increasing slack. A first member of -1
    precedes the first group.
    """
    tiles = slack.size
    last = 0 if group[0] < 0 else count - 1
    total = 0
    for i in range(last):
        total += slack[group[INDEX(i)]]
    tile = group[INDEX(last)] + 1
    while True:
        # The later members have at least this slack, too.
        if tile + count - last > tiles or (total + (count - last) * slack[INDEX(tile)] > target):
            if last == 0:
                return False
            last -= 1
            total -= slack[group[INDEX(last)]]
            tile = group[INDEX(last)] + 1
            continue
        group[INDEX(last)] = tile
        total += slack[INDEX(tile)]
        tile += 1
        if last < count - 1:
            last += 1
        elif total == target:
            return True
        else:
            total -= slack[group[INDEX(last)]]


@kernel(
    int64(
        WORDS, WORDS, WORDS, _TOUCHES, int64, int64, int64, int64, int64, int64, int64,
        WRITABLE_TABLE, WRITABLE_WORDS, WRITABLE_WORDS, WRITABLE_WORDS,
    )
)  # fmt: skip
def find_groups(
    starts, goals, slack, may_meet, blank, goal_blank, width, height, bits, levels, budget,
    members, sizes, needs, state,
):  # fmt: skip
    """Try groups level by level until the budget is spent; the next call resumes there.

    A level is the sum of slacks plus the number of tiles above two.

    Parameters
    ----------
    starts, goals, slack : int64[tiles]; the tiles' cells and slacks, by increasing slack
    may_meet : bool[tiles, tiles]; whether two tiles may meet
    blank, goal_blank, width, height, bits; see `can_solve_with`
    levels : int; number of levels to try
    budget : int; approximate number of states and groups to search in this call
    members : int64[MAX_GROUPS, MAX_TILES], filled; each group's tiles, as indices in ``starts``
    sizes, needs : int64[MAX_GROUPS], filled; number of tiles, and moves needed beyond the distances
    state : int64[4 + MAX_TILES], changed in place
        Number of groups found, level, size, largest size, and the members of the last group tried.

    Returns
    -------
    int; states and groups searched; less than the budget only if all levels are completed
    """
    cell_count = width * height
    rows = np.empty(cell_count, dtype=np.int64)
    columns = np.empty(cell_count, dtype=np.int64)
    for cell in range(cell_count):
        rows[cell] = cell // width
        columns[cell] = cell % width
    scratch = (
        np.empty((2, SLOTS), dtype=np.uint64),
        np.empty((2, SLOTS), dtype=np.uint64),
        np.zeros((2, SLOTS), dtype=np.int64),
        np.zeros(4, dtype=np.int64),
        np.empty(cell_count, dtype=np.int64),
        np.zeros(cell_count, dtype=np.int64),
        np.empty(MAX_TILES, dtype=np.int64),
    )
    step_count = np.zeros(1, dtype=np.int64)
    group_count, level, count = state[0], state[1], state[2]
    stamp = 0
    group = state[4:]
    from_cells = np.empty(MAX_TILES, dtype=np.int64)
    to_cells = np.empty(MAX_TILES, dtype=np.int64)
    while level < levels and step_count[0] < budget and group_count < MAX_GROUPS:
        if count > min(level + 2, state[3], slack.size) or not _next_group(
            group, count, slack, level + 2 - count
        ):
            group[:] = -1
            count += 1
            if count > min(level + 2, state[3]):
                level += 1
                count = 2
            continue
        step_count[0] += 1
        if count > 2 and not _is_connected(group, count, may_meet):
            continue
        for i in range(count):
            from_cells[i] = starts[group[INDEX(i)]]
            to_cells[i] = goals[group[INDEX(i)]]
        known_need = _find_known_need(group, count, members, sizes, needs, group_count)
        detours = known_need // 2
        while detours <= _MAX_DETOURS:
            stamp += 1
            if can_solve_with(
                detours, from_cells, to_cells, count, blank, goal_blank, rows, columns, bits,
                step_count, stamp, scratch,
            ):  # fmt: skip
                break
            detours += 1
        if 2 * detours > known_need:
            for i in range(group.size):
                members[INDEX(group_count), INDEX(i)] = group[i]
            sizes[INDEX(group_count)] = count
            needs[INDEX(group_count)] = 2 * detours
            group_count += 1
    state[0], state[1], state[2] = group_count, level, count
    return step_count[0]
