"""Search for groups of tiles that need more moves than their distances, the most likely ones first.

A tile with a straight path often blocks others; one with many shortest paths seldom does. So each
tile has a *slack*, and groups are tried by the sum of slacks and by size. A group counts only if it
needs more than the groups that it contains.
"""

import numpy as np

from tilework.core.compiling import boolean, int64, kernel, subroutine, types
from tilework.core.solver.kernels.constants import INDEX, WORDS, WRITABLE_TABLE, WRITABLE_WORDS
from tilework.core.solver.kernels.groups.excess import MAX_TILES, SLOTS, can_solve_with

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
