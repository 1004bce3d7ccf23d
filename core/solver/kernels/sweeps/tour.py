"""A tree of paths as an Euler tour: 0 to 3 go down an edge by a move, 4 to 7 up again.

A leaf is where the tour turns from down to up; an empty tour is a root that is a leaf. All leaves
are at one depth.
"""

from __future__ import annotations

import numpy as np

from tilework.core.compiling import part

UP_AGAIN = 4
"""What is added to a move to go back up its edge."""


@part
def steps_of(pitch):
    """By entry of a tour how the blank's place changes."""
    steps = np.empty(8, dtype=np.int64)
    steps[0] = steps[5] = pitch
    steps[1] = steps[4] = -pitch
    steps[2] = steps[7] = 1
    steps[3] = steps[6] = -1
    return steps


@part
def grow(tour, length, grown, parents, moves, keep, count):
    """Write to ``grown`` the tree with the children that are kept, without leaves that have none.

    ``parents``, ``moves`` and ``keep`` are of ``count`` children, in the order of their leaves.
    Returns the length of the new tour.
    """
    end = 0
    leaf = 0
    child = 0
    for at in range(-1 if length == 0 else 0, length):
        if at >= 0:
            entry = tour[at]
            if entry >= UP_AGAIN:
                if grown[end - 1] < UP_AGAIN:
                    end -= 1
                else:
                    grown[end] = entry
                    end += 1
                continue
            grown[end] = entry
            end += 1
            if tour[at + 1] < UP_AGAIN:
                continue
        while child < count and parents[child] == leaf:
            if keep[child]:
                grown[end] = moves[child]
                grown[end + 1] = moves[child] + UP_AGAIN
                end += 2
            child += 1
        leaf += 1
    return end


@part
def one_branch(tour, first, end):
    """Whether all paths of the tour from ``first`` to ``end - 1`` begin with one move."""
    if first == end:
        return False
    depth = 0
    for at in range(first, end):
        depth += 1 if tour[at] < UP_AGAIN else -1
        if depth == 0:
            return at == end - 1
    return True
