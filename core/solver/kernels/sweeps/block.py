"""The block of tiles that a staged beam places together.

Arrays are those of `tilework.core.solver.kernels.sweeps.staged_beam`.
"""

from __future__ import annotations

import numpy as np

from tilework.core.compiling import part


@part
def mix(tile, place):
    """A hash of a tile on a place."""
    z = np.uint64((tile << 32) + place) * np.uint64(0x9E3779B97F4A7C15)
    z ^= z >> np.uint64(31)
    z *= np.uint64(0xBF58476D1CE4E5B9)
    return z ^ (z >> np.uint64(29))


@part
def apart(rows, columns, one, other):
    """Steps from a place to another."""
    return abs(rows[one] - rows[other]) + abs(columns[one] - columns[other])


@part
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


@part
def block_hash(blocks, stage, places):
    """A hash of the places of the block's tiles."""
    h = np.uint64(0)
    for j in range(blocks.shape[1]):
        tile = blocks[stage, j]
        if tile < 0:
            break
        h ^= mix(tile, places[tile])
    return h


@part
def block_distance(blocks, stage, places, rows, columns):
    """Steps that the block's tiles are away."""
    distance = 0
    for j in range(blocks.shape[1]):
        tile = blocks[stage, j]
        if tile < 0:
            break
        distance += apart(rows, columns, tile, places[tile])
    return distance


@part
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
            distance = apart(rows, columns, tile, place)
            if distance > most:
                most = distance
                farthest = place
    return count, farthest
