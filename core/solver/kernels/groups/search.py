"""Looking for groups of tiles that need more moves than their distances, likely ones first.

A tile that must go straight is in other tiles' way; one with many shortest ways seldom is. So each
tile has a *slack*, and groups are tried by the sum of theirs and by their size. What is found
prunes what follows: a group counts only if it needs more than the groups within it.
"""

import numpy as np

from tilework.core.compiling import boolean, int64, kernel, subroutine, types
from tilework.core.solver.kernels.constants import INDEX, OPEN_TABLE, OPEN_WORDS, WORDS
from tilework.core.solver.kernels.groups.excess import MOST_TILES, SLOTS, can_go_with

MOST_GROUPS = 256  # groups that are kept
_MOST_LEFT = 3  # moves away from the goal that a group is tried with before it is left at that
_TOUCHES = types.Array(boolean, 2, "C", readonly=True)


@subroutine
def _within(group, count, members, sizes, needs, found):
    """What the groups within a group need: the most that one of them does, or two apart."""
    inside = np.empty(MOST_GROUPS, dtype=np.int64)
    those = 0
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
        for before in range(those):
            other = inside[INDEX(before)]
            if needs[INDEX(one)] + needs[INDEX(other)] > best and _are_disjoint(
                members, sizes, one, other
            ):
                best = needs[INDEX(one)] + needs[INDEX(other)]
        inside[INDEX(those)] = one
        those += 1
    return best


@subroutine
def _are_disjoint(members, sizes, one, other):
    for place in range(sizes[INDEX(one)]):
        for its_place in range(sizes[INDEX(other)]):
            if members[INDEX(one), INDEX(place)] == members[INDEX(other), INDEX(its_place)]:
                return False
    return True


@subroutine
def _hang_together(group, count, touches):
    """Whether one comes from each tile of a group to each other by tiles that may meet."""
    reached = 1
    done = 0
    order = np.empty(MOST_TILES, dtype=np.int64)
    seen = np.zeros(MOST_TILES, dtype=np.bool_)
    order[0] = 0
    seen[0] = True
    while done < reached:
        one = order[INDEX(done)]
        done += 1
        for other in range(count):
            if not seen[INDEX(other)] and touches[group[INDEX(one)], group[INDEX(other)]]:
                seen[INDEX(other)] = True
                order[INDEX(reached)] = other
                reached += 1
    return reached == count


@subroutine
def _next_group(group, count, slack, wanted):
    """Step to the next group with a sum of slacks, in lexicographic order; False after the last.

    Tiles come with their slacks rising. A first member of -1 stands before the first group.
    """
    tiles = slack.size
    place = 0 if group[0] < 0 else count - 1
    total = 0
    for one in range(place):
        total += slack[group[INDEX(one)]]
    following = group[INDEX(place)] + 1
    while True:
        # The members still to come have at least this one's slack.
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
    starts, goals, slack, touches, blank, goal_blank, width, height, bits, levels, budget,
    members, sizes, needs, state,
):  # fmt: skip
    """Try groups level by level until the budget is spent; go on there at the next call.

    A level is the sum of slacks plus the tiles over two, for groups of all sizes.

    Parameters
    ----------
    starts, goals, slack : int64[tiles]; the tiles' cells, and their slacks, rising
    touches : bool[tiles, tiles]; which of them may meet
    blank, goal_blank, width, height, bits; as in `can_go_with`
    levels : int; how many to try
    budget : int; states and groups to look at in this call, more or less
    sizes, needs : int64[MOST_GROUPS]; the groups found: numbers of their tiles in ``starts``, how
        many, and how many moves they need at least beyond their distances
    state : int64[4 + MOST_TILES]; where it is: groups found, level, size, stamp, and the members of
        the last group tried. 0 at first, but 2 for the size and -1 for the members.

    Returns
    -------
    int; states and groups looked at; fewer than the budget only where all levels are done
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
        np.empty(MOST_TILES, dtype=np.int64),
    )
    spent = np.zeros(1, dtype=np.int64)
    found, level, count = state[0], state[1], state[2]
    stamp = 0
    group = state[4:]
    from_cells = np.empty(MOST_TILES, dtype=np.int64)
    to_cells = np.empty(MOST_TILES, dtype=np.int64)
    while level < levels and spent[0] < budget and found < MOST_GROUPS:
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
        if count > 2 and not _hang_together(group, count, touches):
            continue
        for one in range(count):
            from_cells[one] = starts[group[INDEX(one)]]
            to_cells[one] = goals[group[INDEX(one)]]
        known = _within(group, count, members, sizes, needs, found)
        left = known // 2
        while left <= _MOST_LEFT:
            stamp += 1
            if can_go_with(
                left, from_cells, to_cells, count, blank, goal_blank, rows, columns, bits, spent,
                stamp, scratch,
            ):  # fmt: skip
                break
            left += 1
        if 2 * left > known:
            for place in range(group.size):
                members[INDEX(found), INDEX(place)] = group[place]
            sizes[INDEX(found)] = count
            needs[INDEX(found)] = 2 * left
            found += 1
    state[0], state[1], state[2] = found, level, count
    return spent[0]
