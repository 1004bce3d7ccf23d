"""Naive pattern distances: single blank moves, of which those of other tiles cost nothing."""

from collections import deque

from tests.support import naive


def neighbors(cell, width, height):
    return naive.adjacent_cells(cell, width, width * height)


def pattern_distances(goal_cells, goal_blank, width, height):
    """Return the fewest moves of the pattern's tiles to the goal, by the tuple of their cells."""
    start = (tuple(goal_cells), goal_blank)
    cost = {start: 0}
    queue = deque([start])
    while queue:
        state = queue.popleft()
        placement, blank = state
        for cell in neighbors(blank, width, height):
            if cell in placement:
                after = (tuple(blank if c == cell else c for c in placement), cell)
                price = 1
            else:
                after = (placement, cell)
                price = 0
            if cost[state] + price < cost.get(after, 10**9):
                cost[after] = cost[state] + price
                (queue.append if price else queue.appendleft)(after)
    smallest = {}
    for (placement, _), moves in cost.items():
        smallest[placement] = min(moves, smallest.get(placement, 10**9))
    return smallest
