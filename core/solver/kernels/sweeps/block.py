"""The block of tiles that a staged beam places together, and the tree of its paths.

The tree is an Euler tour: 0 to 3 go down an edge by a move, 4 to 7 up again. A leaf is where the
tour turns from down to up; an empty tour is a root that is a leaf. All leaves are at one depth.
"""

import numpy as np

from tilework.core.compiling import subroutine

UP_AGAIN = 4  # what is added to a move to go back up its edge


@subroutine
def steps_of(pitch):
    """By entry of a tour how the blank's place changes."""
    steps = np.empty(8, dtype=np.int64)
    steps[0] = steps[5] = pitch
    steps[1] = steps[4] = -pitch
    steps[2] = steps[7] = 1
    steps[3] = steps[6] = -1
    return steps


@subroutine
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


@subroutine
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


@subroutine
def mix(tile, place):
    """A hash of a tile on a place."""
    z = np.uint64((tile << 32) + place) * np.uint64(0x9E3779B97F4A7C15)
    z ^= z >> np.uint64(31)
    z *= np.uint64(0xBF58476D1CE4E5B9)
    return z ^ (z >> np.uint64(29))


@subroutine
def steps_between(rows, columns, one, other):
    """Steps from a place to another."""
    return abs(rows[one] - rows[other]) + abs(columns[one] - columns[other])


@subroutine
def begin_stage(blocks, stage, member, closed):
    """Close the block before this stage's, and note this stage's tiles; return how many closed."""
    count = 0
    if stage > 0:
        for j in range(blocks.shape[1]):
            tile = blocks[stage - 1, j]
            if tile >= 0:
                closed[tile] = 1
                member[tile] = 0
                count += 1
    for j in range(blocks.shape[1]):
        if blocks[stage, j] >= 0:
            member[blocks[stage, j]] = 1
    return count


@subroutine
def block_hash(blocks, stage, places):
    """A hash of the places of the block's tiles."""
    h = np.uint64(0)
    for j in range(blocks.shape[1]):
        tile = blocks[stage, j]
        if tile < 0:
            break
        h ^= mix(tile, places[tile])
    return h


@subroutine
def block_distance(blocks, stage, places, rows, columns):
    """Steps that the block's tiles are away."""
    distance = 0
    for j in range(blocks.shape[1]):
        tile = blocks[stage, j]
        if tile < 0:
            break
        distance += steps_between(rows, columns, tile, places[tile])
    return distance


@subroutine
def misplaced(blocks, stage, places, rows, columns, moved, to):
    """How many tiles of the block are not in place, and the place of the one farthest away.

    The tile ``moved`` is taken to be at ``to``.
    """
    count = 0
    most = 0
    farthest = 0
    for j in range(blocks.shape[1]):
        tile = blocks[stage, j]
        if tile < 0:
            break
        place = np.int64(to if tile == moved else places[tile])
        if place != tile:
            count += 1
            distance = steps_between(rows, columns, tile, place)
            if distance > most:
                most = distance
                farthest = place
    return count, farthest
