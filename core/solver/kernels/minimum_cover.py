"""The minimum sum of even numbers that satisfies all groups: a small covering problem."""

import numpy as np

from tilework.core.compiling import int64, kernel, subroutine
from tilework.core.solver.kernels.constants import INDEX, TABLE, WORDS, WRITABLE_WORDS


@subroutine
def _missing_need(group, items, lengths, needs, assigned):
    missing = needs[INDEX(group)]
    for i in range(lengths[INDEX(group)]):
        missing -= assigned[items[INDEX(group), INDEX(i)]]
    return missing


@subroutine
def _packing_bound(items, lengths, needs, assigned, excluded, used):
    """Return the total need of disjoint groups; -1 if a group in need has no free item."""
    used[:] = 0
    total = 0
    for group in range(lengths.size):
        missing = _missing_need(group, items, lengths, needs, assigned)
        if missing <= 0:
            continue
        has_free_item = False
        disjoint = True
        for i in range(lengths[INDEX(group)]):
            item = items[INDEX(group), INDEX(i)]
            if excluded[INDEX(item)] == 0:
                has_free_item = True
                if used[INDEX(item)] != 0:
                    disjoint = False
        if not has_free_item:
            return -1
        if disjoint:
            total += missing
            for i in range(lengths[INDEX(group)]):
                used[items[INDEX(group), INDEX(i)]] = 1
    return total


@subroutine
def _find_tightest(items, lengths, needs, assigned, excluded):
    """Return the group in need with the fewest free items; -1 if none is in need."""
    best = -1
    fewest = np.int64(1) << 30
    for group in range(lengths.size):
        if _missing_need(group, items, lengths, needs, assigned) <= 0:
            continue
        free_items = 0
        for i in range(lengths[INDEX(group)]):
            if excluded[items[INDEX(group), INDEX(i)]] == 0:
                free_items += 1
        if free_items < fewest:
            fewest = free_items
            best = group
    return best


@kernel(int64(TABLE, WORDS, WORDS, int64, int64, int64, WRITABLE_WORDS))
def find_minimum_cover(items, lengths, needs, count, lower_bound, budget, node_count):
    """Return the minimum sum that satisfies all groups, or a lower bound on it.

    This is a depth-first search for increasing sums. Each level selects the tightest group and
    tries to raise each of its items, excluding those already tried.

    Parameters
    ----------
    items : int64[groups, max items]; the items of each group
    lengths, needs : int64[groups]; number of items, and need, an even number
    count : int; number of items
    lower_bound : int; an even lower bound on the sum
    budget : int; maximum number of nodes; when it is spent, the current sum is returned, which is a
        lower bound because all smaller sums have been disproved
    node_count : int64[1]; increased by the number of nodes searched
    """
    assigned = np.zeros(count, dtype=np.int64)
    excluded = np.zeros(count, dtype=np.int64)
    used = np.zeros(count, dtype=np.int64)
    max_depth = 0
    for group in range(lengths.size):
        max_depth += needs[INDEX(group)] // 2
    chosen_groups = np.zeros(max_depth + 2, dtype=np.int64)
    positions = np.zeros(max_depth + 2, dtype=np.int64)
    total = lower_bound
    while True:
        # A position is an index in the chosen group, or -1 if no group has been chosen yet.
        depth = 0
        positions[0] = -1
        while depth >= 0:
            if positions[INDEX(depth)] < 0:
                node_count[0] += 1
                if node_count[0] > budget:
                    return total
                bound = _packing_bound(items, lengths, needs, assigned, excluded, used)
                if bound < 0 or 2 * depth + bound > total:
                    depth -= 1
                    continue
                if bound == 0:
                    return total
                chosen_groups[INDEX(depth)] = _find_tightest(
                    items, lengths, needs, assigned, excluded
                )
            else:
                item = items[chosen_groups[INDEX(depth)], positions[INDEX(depth)]]
                assigned[INDEX(item)] -= 2
                excluded[INDEX(item)] += 1
            positions[INDEX(depth)] += 1
            group = chosen_groups[INDEX(depth)]
            while (
                positions[INDEX(depth)] < lengths[INDEX(group)]
                and excluded[items[INDEX(group), positions[INDEX(depth)]]] != 0
            ):
                # Already excluded by a group above: count it twice.
                excluded[items[INDEX(group), positions[INDEX(depth)]]] += 1
                positions[INDEX(depth)] += 1
            if positions[INDEX(depth)] == lengths[INDEX(group)]:
                for i in range(lengths[INDEX(group)]):
                    excluded[items[INDEX(group), INDEX(i)]] -= 1
                depth -= 1
                continue
            assigned[items[INDEX(group), positions[INDEX(depth)]]] += 2
            depth += 1
            positions[INDEX(depth)] = -1
        total += 2
