"""Naive pattern distances, by single blank moves; moves of other tiles cost nothing."""

from collections import deque

from tests.support import naive


def adjacent_cells(cell, width, height):
    return naive.adjacent_cells(cell, width, width * height)


def pattern_distances(goal_cells, goal_blank, width, height):
    """Return the fewest moves of the pattern's tiles to the goal, keyed by their cells."""
    start = (tuple(goal_cells), goal_blank)
    cost = {start: 0}
    queue = deque([start])
    while queue:
        state = queue.popleft()
        placement, blank = state
        for cell in adjacent_cells(blank, width, height):
            moved = (tuple(blank if c == cell else c for c in placement), cell)
            price = int(cell in placement)
            if cost[state] + price < cost.get(moved, 10**9):
                cost[moved] = cost[state] + price
                (queue.append if price else queue.appendleft)(moved)
    smallest = {}
    for (placement, _), moves in cost.items():
        smallest[placement] = min(moves, smallest.get(placement, 10**9))
    return smallest
