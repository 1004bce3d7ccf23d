"""The least sum of even numbers that satisfies the needs of groups: a small covering problem."""

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
    """Return the total need of disjoint groups; -1 if a group in need has no free item."""
    used[:] = 0
    total = 0
    for one in range(lengths.size):
        missing = _missing(one, items, lengths, needs, given)
        if missing <= 0:
            continue
        has_free_item = False
        disjoint = True
        for place in range(lengths[INDEX(one)]):
            item = items[INDEX(one), INDEX(place)]
            if barred[INDEX(item)] == 0:
                has_free_item = True
                if used[INDEX(item)] != 0:
                    disjoint = False
        if not has_free_item:
            return -1
        if disjoint:
            total += missing
            for place in range(lengths[INDEX(one)]):
                used[items[INDEX(one), INDEX(place)]] = 1
    return total


@subroutine
def _tightest(items, lengths, needs, given, barred):
    """Return the group in need with the fewest free items; -1 if none is in need."""
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
    """Return the least sum that satisfies all groups, or a lower bound on it.

    Depth-first search for increasing sums: each level takes the tightest group and raises one of
    its items after another, the earlier ones being barred.

    Parameters
    ----------
    items : int64[groups, most items]; the items of each group
    lengths, needs : int64[groups]; number of items, and need, an even number
    count : int; number of items
    least : int; an even lower bound on the sum
    budget : int; nodes of the search; then the last sum tried is returned, as all lower ones are
        disproved
    spent : int64[1]; increased by the nodes searched
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
        # A level of the search is a group in need; -1 if it is not chosen yet.
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
                # Barred by a group above: it is barred twice.
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
