"""Building a pattern database: breadth first over placements, with the blank's whereabouts.

A state is where the pattern's tiles lie together with the set of cells that the blank can reach
without moving any of them. Only moves of the pattern's tiles count, so all blank cells of one
set are at the same distance, and one bit-mask flood replaces a search over single blank moves.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from core.kernels.constants import CELL_BITS


@njit(cache=True, nogil=True, inline="always")
def _spread(reached, free, width, inner_left, inner_right):
    """All of the free cells connected to ``reached``; sets of cells are 64-bit words."""
    while True:
        grown = reached | (reached << width) | (reached >> width)
        grown |= ((reached & inner_right) << np.uint64(1)) | (
            (reached & inner_left) >> np.uint64(1)
        )
        grown &= free
        if grown == reached:
            return reached
        reached = grown


@njit(cache=True, nogil=True)
def flood(entries, seen, goal_cells, goal_blank, weights, width, height):
    """Fill ``entries`` with the fewest moves of the pattern's tiles from the goal.

    Parameters
    ----------
    entries : uint8 array, shape (cells ** tiles,), changed in place
        All `UNREACHED` at first; by placement index the distance.
    seen : unsigned integer array of the same shape with a bit for each cell, changed in place
        All zero at first; by placement index the blank cells already reached.
    goal_cells : int64 array, shape (tiles,)
        Where each tile of the pattern lies in the goal.
    goal_blank : int
        The blank's cell in the goal.
    weights : int64 array, shape (tiles,)
        A placement's index is the sum of weight times cell over its tiles.
    width, height : int
        Size of the board, at most 36 cells.

    Returns
    -------
    int
        Number of states: placements with each set of cells that the blank can reach.
    """
    one = np.uint64(1)
    cells = width * height
    tiles = goal_cells.size
    board = (one << np.uint64(cells)) - one
    left_column = np.uint64(0)
    for row in range(height):
        left_column |= one << np.uint64(row * width)
    inner_left = board & ~left_column
    inner_right = board & ~(left_column << np.uint64(width - 1))
    row_shift = np.uint64(width)
    low = np.uint64((1 << CELL_BITS) - 1)

    ways = np.array([width, -width, 1, -1])
    edges = np.empty(4, dtype=np.uint64)
    edges[0] = board >> row_shift
    edges[1] = board & ~(board >> np.uint64(cells - width))
    edges[2] = inner_right
    edges[3] = inner_left

    places = np.empty(1 << 12, dtype=np.uint64)
    regions = np.empty(1 << 12, dtype=np.uint64)
    next_places = np.empty(1 << 12, dtype=np.uint64)
    next_regions = np.empty(1 << 12, dtype=np.uint64)

    packed = np.uint64(0)
    occupied = np.uint64(0)
    index = 0
    for tile in range(tiles):
        packed |= np.uint64(goal_cells[tile]) << np.uint64(CELL_BITS * tile)
        occupied |= one << np.uint64(goal_cells[tile])
        index += weights[tile] * goal_cells[tile]
    region = _spread(
        one << np.uint64(goal_blank), board & ~occupied, row_shift, inner_left, inner_right
    )
    entries[index] = 0
    seen[index] = region
    places[0] = packed
    regions[0] = region
    count = 1
    states = 1
    moved = 0
    while count > 0:
        moved += 1
        next_count = 0
        for item in range(count):
            packed = places[item]
            region = regions[item]
            occupied = np.uint64(0)
            index = 0
            for tile in range(tiles):
                cell = np.int64((packed >> np.uint64(CELL_BITS * tile)) & low)
                occupied |= one << np.uint64(cell)
                index += weights[tile] * cell
            for tile in range(tiles):
                shift = np.uint64(CELL_BITS * tile)
                cell = np.int64((packed >> shift) & low)
                cell_bit = one << np.uint64(cell)
                for way in range(4):
                    if not cell_bit & edges[way]:
                        continue
                    target = cell + ways[way]
                    target_bit = one << np.uint64(target)
                    if not region & target_bit:
                        continue
                    next_index = index + weights[tile] * ways[way]
                    already = np.uint64(seen[next_index])
                    if already & cell_bit:
                        continue
                    reached = _spread(
                        cell_bit,
                        board & ~(occupied ^ cell_bit ^ target_bit),
                        row_shift,
                        inner_left,
                        inner_right,
                    )
                    if already == 0:
                        entries[next_index] = moved
                    seen[next_index] = already | reached
                    if next_count == next_places.size:
                        bigger = np.empty(next_count * 2, dtype=np.uint64)
                        bigger[:next_count] = next_places
                        next_places = bigger
                        bigger = np.empty(next_count * 2, dtype=np.uint64)
                        bigger[:next_count] = next_regions
                        next_regions = bigger
                    next_places[next_count] = (packed & ~(low << shift)) | (
                        np.uint64(target) << shift
                    )
                    next_regions[next_count] = reached
                    next_count += 1
        states += next_count
        places, next_places = next_places, places
        regions, next_regions = next_regions, regions
        count = next_count
    return states
