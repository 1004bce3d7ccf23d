"""The least sum of even numbers of which some groups need so much: a small covering problem."""

import numpy as np

from tilework.core.compiling import int64, kernel, subroutine
from tilework.core.solver.kernels.constants import INDEX, OPEN_WORDS, TABLE, WORDS


@subroutine
def _missing(one, items, lengths, needs, given):
    missing = needs[INDEX(one)]
    for place in range(lengths[INDEX(one)]):
        missing -= given[items[INDEX(one), INDEX(place)]]
    return missing


@subroutine
def _packed(items, lengths, needs, given, barred, used):
    """What groups without a common item still need in all; -1 if one can get nothing more."""
    used[:] = 0
    total = 0
    for one in range(lengths.size):
        missing = _missing(one, items, lengths, needs, given)
        if missing <= 0:
            continue
        can_get = False
        disjoint = True
        for place in range(lengths[INDEX(one)]):
            item = items[INDEX(one), INDEX(place)]
            if barred[INDEX(item)] == 0:
                can_get = True
                if used[INDEX(item)] != 0:
                    disjoint = False
        if not can_get:
            return -1
        if disjoint:
            total += missing
            for place in range(lengths[INDEX(one)]):
                used[items[INDEX(one), INDEX(place)]] = 1
    return total


@subroutine
def _tightest(items, lengths, needs, given, barred):
    """The group in need with the fewest items that may be raised; -1 if none is in need."""
    best = -1
    fewest = np.int64(1) << 30
    for one in range(lengths.size):
        if _missing(one, items, lengths, needs, given) <= 0:
            continue
        free = 0
        for place in range(lengths[INDEX(one)]):
            if barred[items[INDEX(one), INDEX(place)]] == 0:
                free += 1
        if free < fewest:
            fewest = free
            best = one
    return best


@kernel(int64(TABLE, WORDS, WORDS, int64, int64, int64, OPEN_WORDS))
def least_cover(items, lengths, needs, count, least, budget, spent):
    """Return the least sum that gives each group what it needs, or a lower bound on it.

    Depth first, for one sum after the other: each time with the tightest group, of whose items one
    after the other is raised, those before it left as they are.

    Parameters
    ----------
    items : int64[groups, most items]; the items of each group
    lengths, needs : int64[groups]
        How many items each group has, and how much it needs, an even number.
    count : int; items in all
    least : int; an even number that the sum is known to reach
    budget : int; nodes of the search; after that the sum is returned that was tried last, as all
        lower ones are disproved
    spent : int64[1]; the nodes looked at are added to it
    """
    given = np.zeros(count, dtype=np.int64)
    barred = np.zeros(count, dtype=np.int64)
    used = np.zeros(count, dtype=np.int64)
    most = 0
    for one in range(lengths.size):
        most += needs[INDEX(one)] // 2
    chosen = np.zeros(most + 2, dtype=np.int64)
    places = np.zeros(most + 2, dtype=np.int64)
    total = least
    while True:
        # One level of the search is one group that is in need; -1: it is still to be chosen.
        depth = 0
        places[0] = -1
        while depth >= 0:
            if places[INDEX(depth)] < 0:
                spent[0] += 1
                if spent[0] > budget:
                    return total
                packed = _packed(items, lengths, needs, given, barred, used)
                if packed < 0 or 2 * depth + packed > total:
                    depth -= 1
                    continue
                if packed == 0:
                    return total
                chosen[INDEX(depth)] = _tightest(items, lengths, needs, given, barred)
            else:
                item = items[chosen[INDEX(depth)], places[INDEX(depth)]]
                given[INDEX(item)] -= 2
                barred[INDEX(item)] += 1
            places[INDEX(depth)] += 1
            group = chosen[INDEX(depth)]
            while (
                places[INDEX(depth)] < lengths[INDEX(group)]
                and barred[items[INDEX(group), places[INDEX(depth)]]] != 0
            ):
                # Barred by a group further up: it counts as barred twice here.
                barred[items[INDEX(group), places[INDEX(depth)]]] += 1
                places[INDEX(depth)] += 1
            if places[INDEX(depth)] == lengths[INDEX(group)]:
                for place in range(lengths[INDEX(group)]):
                    barred[items[INDEX(group), INDEX(place)]] -= 1
                depth -= 1
                continue
            given[items[INDEX(group), places[INDEX(depth)]]] += 2
            depth += 1
            places[INDEX(depth)] = -1
        total += 2
