"""Naive pattern distances, by single blank moves; moves of other tiles cost nothing."""

from tests.support.naive import adjacent_cells, pattern_states


def pattern_distances(goal_cells, goal_blank, width, height):
    """Return the fewest moves of the pattern's tiles to the goal, keyed by their cells."""
    smallest = {}
    for (placement, _), moves in pattern_states((goal_cells, goal_blank), width, width * height):
        smallest.setdefault(placement, moves)
    return smallest


def zero_aware_distances(goal_cells, goal_blank, width, height, small_cells):
    """Return the smallest distance of each placement, with flags for regions that need more.

    64 is for regions of at most ``small_cells`` cells, 128 for larger ones.
    """
    states = dict(pattern_states((goal_cells, goal_blank), width, width * height))
    entries = {}
    for placement in {placement for placement, _ in states}:
        regions, free = [], set(range(width * height)) - {*placement}
        while free:
            region, stack = set(), [min(free)]
            while stack:
                cell = stack.pop()
                region.add(cell)
                stack += set(adjacent_cells(cell, width, width * height)) & free - region
            regions.append(region)
            free -= region
        moves = {False: [], True: []}
        for region in regions:
            moves[len(region) > small_cells] += [states[placement, cell] for cell in region]
        entries[placement] = smallest = min(moves[False] + moves[True])
        for is_large, flag in ((False, 64), (True, 128)):
            if moves[is_large] and min(moves[is_large]) > smallest:
                entries[placement] += flag
    return entries
