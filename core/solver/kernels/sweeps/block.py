"""The block of tiles that a staged beam solves together."""

import numpy as np

from tilework.core.compiling import subroutine
from tilework.core.solver.kernels.learned.potential import BORDER_CODE, sum_block_row


@subroutine
def hash_tile(tile, position):
    """Return a hash of a tile at a position."""
    word = np.uint64((tile << 32) + position) * np.uint64(0x9E3779B97F4A7C15)
    word ^= word >> np.uint64(31)
    word *= np.uint64(0xBF58476D1CE4E5B9)
    return word ^ (word >> np.uint64(29))


@subroutine
def count_steps(rows, columns, first, second):
    return abs(rows[first] - rows[second]) + abs(columns[first] - columns[second])


@subroutine
def start_stage(blocks, stage, member, closed):
    """Close the previous block's cells, and mark this block's tiles; return the number closed."""
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
def hash_block(blocks, stage, positions):
    """Return a hash of the positions of the block's tiles."""
    block_hash = np.uint64(0)
    for j in range(blocks.shape[1]):
        tile = blocks[stage, j]
        if tile < 0:
            break
        block_hash ^= hash_tile(tile, positions[tile])
    return block_hash


@subroutine
def sum_block_distances(blocks, stage, positions, rows, columns):
    """Return the sum of the distances of the block's tiles."""
    distance = 0
    for j in range(blocks.shape[1]):
        tile = blocks[stage, j]
        if tile < 0:
            break
        distance += count_steps(rows, columns, tile, positions[tile])
    return distance


@subroutine
def count_misplaced(blocks, stage, positions, rows, columns, moved_tile, target):
    """Return the number of misplaced tiles of the block, and the position of the farthest one.

    The tile ``moved_tile`` counts as being at ``target``.
    """
    count = 0
    max_distance = 0
    farthest = 0
    for j in range(blocks.shape[1]):
        tile = blocks[stage, j]
        if tile < 0:
            break
        position = np.int64(target if tile == moved_tile else positions[tile])
        if position != tile:
            count += 1
            distance = count_steps(rows, columns, tile, position)
            if distance > max_distance:
                max_distance = distance
                farthest = position
    return count, farthest


_HOME_CODE = 12  # of a tile that is on its goal cell


@subroutine
def _level(steps):
    return np.sign(steps) * (np.int64(steps != 0) + np.int64(abs(steps) > 2))


@subroutine
def displacement_code(rows, columns, closed, tile, position):
    """Return the class of a tile's displacement, as in the learned potential."""
    if closed[position]:
        return np.int64(BORDER_CODE)
    down = np.int64(rows[tile]) - rows[position]
    right = np.int64(columns[tile]) - columns[position]
    return (_level(down) + 2) * 5 + _level(right) + 2


@subroutine
def closing_change(block_values, codes, blocks, stage, pitch):
    """Return the change of the potential when the cells of a solved block become border."""
    low = np.int64(blocks[stage, 0])
    high = low
    left = right = low % pitch
    for tile in blocks[stage]:
        if tile < 0:
            break
        low = min(low, np.int64(tile))
        high = max(high, np.int64(tile))
        left = min(left, np.int64(tile) % pitch)
        right = max(right, np.int64(tile) % pitch)
    change = np.int64(0)
    for sign in (-1, 1):
        for tile in blocks[stage]:
            if tile < 0:
                break
            codes[tile] = _HOME_CODE if sign < 0 else BORDER_CODE
        for row in range(low // pitch - 1, high // pitch + 1):
            start = row * pitch + left - 1
            change += sign * sum_block_row(block_values, codes, start, 1, pitch, right - left + 2)
    return change
