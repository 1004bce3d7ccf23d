"""What a few tiles need by themselves, by breadth-first search over tiles and blank."""

from __future__ import annotations

from collections import deque

from tests.support import naive


def moves_of(tiles, start, goal, width):
    """The fewest moves of some tiles from one board to another, all others thought away."""
    cells = len(start)
    wanted = (goal.index(0), *(goal.index(tile) for tile in tiles))
    first = (start.index(0), *(start.index(tile) for tile in tiles))
    beside = [naive._beside(cell, width, cells) for cell in range(cells)]
    best = {first: 0}
    queue = deque([first])
    while queue:
        state = queue.popleft()
        cost = best[state]
        if state == wanted:
            return cost
        blank, *places = state
        for cell in beside[blank]:
            if cell in places:
                after = (cell, *(blank if place == cell else place for place in places))
                if cost + 1 < best.get(after, 1 << 30):
                    best[after] = cost + 1
                    queue.append(after)
            elif cost < best.get(after := (cell, *places), 1 << 30):
                best[after] = cost
                queue.appendleft(after)
    return None
