"""The paths of a beam as a tree.

A beam of single moves need not store a board for each path: one board is enough, on which the moves
of the tree are made and undone. So the time of a level is proportional to the size of the tree,
which is a few times the beam's width, regardless of the size of the board.

The tree is stored as an Euler tour: entries 0 to 3 descend an edge by a move, 4 to 7 ascend it. The
tour turns around at each leaf; an empty tour is a single node. All leaves are at the same depth.

The board has a closed border. Cells are numbered by their *positions* in this padded grid, and
tiles by the positions of their goal cells.
"""

import numpy as np

from tilework.core.compiling import int8, int64, kernel, subroutine, uint8

ASCEND = 4  # added to a move to ascend its edge


@subroutine
def make_tour_steps(pitch):
    """Return the change of the blank's position for each tour entry."""
    steps = np.empty(8, dtype=np.int64)
    steps[0] = steps[5] = pitch
    steps[1] = steps[4] = -pitch
    steps[2] = steps[7] = 1
    steps[3] = steps[6] = -1
    return steps


@subroutine
def grow_tree(tour, length, new_tour, parents, moves, keep, count):
    """Write the tree with selected children to ``new_tour``, without leaves that have no children.

    ``parents``, ``moves`` and ``keep`` describe ``count`` children, in the order of their leaves.
    Return the length of the new tour.
    """
    end = 0
    leaf = 0
    child = 0
    for i in range(-1 if length == 0 else 0, length):
        if i >= 0:
            entry = tour[i]
            if entry >= ASCEND:
                if new_tour[end - 1] < ASCEND:
                    end -= 1
                else:
                    new_tour[end] = entry
                    end += 1
                continue
            new_tour[end] = entry
            end += 1
            if tour[i + 1] < ASCEND:
                continue
        while child < count and parents[child] == leaf:
            if keep[child]:
                new_tour[end] = moves[child]
                new_tour[end + 1] = moves[child] + ASCEND
                end += 2
            child += 1
        leaf += 1
    return end


@subroutine
def has_single_branch(tour, first, end):
    """Whether all paths of the tour from ``first`` to ``end - 1`` begin with the same move."""
    if first == end:
        return False
    depth = 0
    for i in range(first, end):
        depth += 1 if tour[i] < ASCEND else -1
        if depth == 0:
            return i == end - 1
    return True


@kernel(int64(int8[::1], int64, int64, uint8[::1]))
def path_to_leaf(tour, length, leaf, out):
    """Write the moves from the root to a leaf; return their number."""
    depth = 0
    for i in range(length):
        entry = tour[i]
        if entry >= ASCEND:
            depth -= 1
            continue
        out[depth] = entry
        depth += 1
        if tour[i + 1] >= ASCEND:
            if leaf == 0:
                return depth
            leaf -= 1
    return depth
