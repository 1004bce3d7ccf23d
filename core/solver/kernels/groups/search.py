"""Search for groups of tiles that need more moves than their distances, likely ones first.

A tile with a straight path often blocks others; one with many shortest paths seldom does. So each
tile has a *slack*, and groups are tried by the sum of slacks and by size. A group counts only if it
needs more than the groups that it contains.
"""

import numpy as np

from tilework.core.compiling import boolean, int64, kernel, subroutine, types
from tilework.core.solver.kernels.constants import INDEX, OPEN_TABLE, OPEN_WORDS, WORDS
from tilework.core.solver.kernels.groups.excess import MAX_TILES, SLOTS, can_solve_with

MAX_GROUPS = 256  # that are found
_MAX_DETOURS = 3  # with which a group is tried
_TOUCHES = types.Array(boolean, 2, "C", readonly=True)


@subroutine
def _within(group, count, members, sizes, needs, found):
    """Return the greatest need of a group, or of two disjoint groups, within a group."""
    inside = np.empty(MAX_GROUPS, dtype=np.int64)
    inside_count = 0
    best = 0
    for one in range(found):
        if sizes[INDEX(one)] >= count:
            continue
        hits = 0
        for place in range(sizes[INDEX(one)]):
            for tile in range(count):
                if members[INDEX(one), INDEX(place)] == group[INDEX(tile)]:
                    hits += 1
        if hits < sizes[INDEX(one)]:
            continue
        best = max(best, needs[INDEX(one)])
        for before in range(inside_count):
            other = inside[INDEX(before)]
            if needs[INDEX(one)] + needs[INDEX(other)] > best and _are_disjoint(
                members, sizes, one, other
            ):
                best = needs[INDEX(one)] + needs[INDEX(other)]
        inside[INDEX(inside_count)] = one
        inside_count += 1
    return best


@subroutine
def _are_disjoint(members, sizes, one, other):
    for place in range(sizes[INDEX(one)]):
        for its_place in range(sizes[INDEX(other)]):
            if members[INDEX(one), INDEX(place)] == members[INDEX(other), INDEX(its_place)]:
                return False
    return True


@subroutine
def _is_connected(group, count, may_meet):
    """Whether the tiles of a group are connected by pairs that may meet."""
    reached = 1
    done = 0
    order = np.empty(MAX_TILES, dtype=np.int64)
    seen = np.zeros(MAX_TILES, dtype=np.bool_)
    order[0] = 0
    seen[0] = True
    while done < reached:
        one = order[INDEX(done)]
        done += 1
        for other in range(count):
            if not seen[INDEX(other)] and may_meet[group[INDEX(one)], group[INDEX(other)]]:
                seen[INDEX(other)] = True
                order[INDEX(reached)] = other
                reached += 1
    return reached == count


@subroutine
def _next_group(group, count, slack, wanted):
    """Advance to the next group with a sum of slacks, in lexicographic order; False at the end.

    Tiles are in order of increasing slack. A first member of -1 precedes the first group.
    """
    tiles = slack.size
    place = 0 if group[0] < 0 else count - 1
    total = 0
    for one in range(place):
        total += slack[group[INDEX(one)]]
    following = group[INDEX(place)] + 1
    while True:
        # The other members have at least this one's slack.
        if following + count - place > tiles or (
            total + (count - place) * slack[INDEX(following)] > wanted
        ):
            if place == 0:
                return False
            place -= 1
            total -= slack[group[INDEX(place)]]
            following = group[INDEX(place)] + 1
            continue
        group[INDEX(place)] = following
        total += slack[INDEX(following)]
        following += 1
        if place < count - 1:
            place += 1
        elif total == wanted:
            return True
        else:
            total -= slack[group[INDEX(place)]]


@kernel(
    int64(
        WORDS, WORDS, WORDS, _TOUCHES, int64, int64, int64, int64, int64, int64, int64,
        OPEN_TABLE, OPEN_WORDS, OPEN_WORDS, OPEN_WORDS,
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
    budget : int; states and groups to search in this call, approximately
    members : int64[MAX_GROUPS, MAX_TILES], filled; the tiles of each group, as places in
        ``starts``
    sizes, needs : int64[MAX_GROUPS], filled; number of tiles, and least moves beyond the distances
    state : int64[4 + MAX_TILES], changed in place; groups found, level, size, largest size, and
        the members of the last group tried

    Returns
    -------
    int; states and groups searched; fewer than the budget only if all levels are done
    """
    every = width * height
    rows = np.empty(every, dtype=np.int64)
    columns = np.empty(every, dtype=np.int64)
    for cell in range(every):
        rows[cell] = cell // width
        columns[cell] = cell % width
    scratch = (
        np.empty((2, SLOTS), dtype=np.uint64),
        np.empty((2, SLOTS), dtype=np.uint64),
        np.zeros((2, SLOTS), dtype=np.int64),
        np.zeros(4, dtype=np.int64),
        np.empty(every, dtype=np.int64),
        np.zeros(every, dtype=np.int64),
        np.empty(MAX_TILES, dtype=np.int64),
    )
    spent = np.zeros(1, dtype=np.int64)
    found, level, count = state[0], state[1], state[2]
    stamp = 0
    group = state[4:]
    from_cells = np.empty(MAX_TILES, dtype=np.int64)
    to_cells = np.empty(MAX_TILES, dtype=np.int64)
    while level < levels and spent[0] < budget and found < MAX_GROUPS:
        if count > min(level + 2, state[3], slack.size) or not _next_group(
            group, count, slack, level + 2 - count
        ):
            group[:] = -1
            count += 1
            if count > min(level + 2, state[3]):
                level += 1
                count = 2
            continue
        spent[0] += 1
        if count > 2 and not _is_connected(group, count, may_meet):
            continue
        for one in range(count):
            from_cells[one] = starts[group[INDEX(one)]]
            to_cells[one] = goals[group[INDEX(one)]]
        found_count = _within(group, count, members, sizes, needs, found)
        left = found_count // 2
        while left <= _MAX_DETOURS:
            stamp += 1
            if can_solve_with(
                left, from_cells, to_cells, count, blank, goal_blank, rows, columns, bits, spent,
                stamp, scratch,
            ):  # fmt: skip
                break
            left += 1
        if 2 * left > found_count:
            for place in range(group.size):
                members[INDEX(found), INDEX(place)] = group[place]
            sizes[INDEX(found)] = count
            needs[INDEX(found)] = 2 * left
            found += 1
    state[0], state[1], state[2] = found, level, count
    return spent[0]
