"""Building a pattern database: breadth first over placements, with the blank's whereabouts.

A state is where the pattern's tiles lie together with the set of cells that the blank can reach
without moving any of them. Only moves of the pattern's tiles count, so all blank cells of one
set are at the same distance, and one bit-mask flood replaces a search over single blank moves.
Sets of cells are 64-bit words.
"""

from __future__ import annotations

import numpy as np

from core.kernels.compiling import kernel
from core.kernels.constants import CELL_BITS, INDEX

_ONE = np.uint64(1)
_CELL_SHIFT = np.uint64(CELL_BITS)
_BLOCK = 64
_LOW = np.uint64((1 << CELL_BITS) - 1)


@kernel
def _spread(reached, free, width, not_left, not_right):
    """All of the free cells connected to ``reached``."""
    while True:
        grown = reached | (reached << width) | (reached >> width)
        grown |= ((reached & not_right) << _ONE) | ((reached & not_left) >> _ONE)
        grown &= free
        if grown == reached:
            return reached
        reached = grown


@kernel
def _doubled(words):
    """The same words with as much room again behind them."""
    bigger = np.empty(words.size * 2, dtype=np.uint64)
    # Assigning a slice would compile seconds of error messages.
    for place in range(words.size):
        bigger[place] = words[place]
    return bigger


@kernel
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
    cells = width * height
    tiles = goal_cells.size
    board = (_ONE << np.uint64(cells)) - _ONE
    left_column = np.uint64(0)
    for row in range(height):
        left_column |= _ONE << np.uint64(row * width)
    not_left = board & ~left_column
    not_right = board & ~(left_column << np.uint64(width - 1))
    row_shift = np.uint64(width)
    ways = np.empty(4, dtype=np.int64)
    ways[0] = width
    ways[1] = -width
    ways[2] = 1
    ways[3] = -1
    movers = np.empty(4, dtype=np.uint64)
    # Of each gathered move: index of the placement it leads to, blank cells known there, and the
    # move itself: item of the frontier, tile, way, and the cell that the tile leaves.
    indices = np.empty(_BLOCK * tiles * 4 + 1, dtype=np.int64)
    known = np.empty(indices.size, dtype=np.int64)
    tried = np.empty(indices.size, dtype=np.int64)

    # Two frontiers, this level's and the next: tiles' cells, CELL_BITS each, and the blank's set.
    places = np.empty(1 << 12, dtype=np.uint64)
    regions = np.empty(1 << 12, dtype=np.uint64)
    next_places = np.empty(1 << 12, dtype=np.uint64)
    next_regions = np.empty(1 << 12, dtype=np.uint64)

    packed = np.uint64(0)
    occupied = np.uint64(0)
    index = 0
    for tile in range(tiles):
        packed |= np.uint64(goal_cells[tile]) << np.uint64(CELL_BITS * tile)
        occupied |= _ONE << np.uint64(goal_cells[tile])
        index += weights[tile] * goal_cells[tile]
    region = _spread(
        _ONE << np.uint64(goal_blank), board & ~occupied, row_shift, not_left, not_right
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
        for first in range(0, count, _BLOCK):
            # Moves are gathered first and looked up together, so that the memory's waits overlap.
            gathered = 0
            for item in range(first, min(first + _BLOCK, count)):
                region = regions[INDEX(item)]
                # By way, the cells from which a tile would slide into the blank's set.
                movers[0] = region >> row_shift
                movers[1] = region << row_shift
                movers[2] = (region & not_left) >> _ONE
                movers[3] = (region & not_right) << _ONE
                index = 0
                rest = places[INDEX(item)]
                for tile in range(tiles):
                    index += weights[INDEX(tile)] * np.int64(rest & _LOW)
                    rest >>= _CELL_SHIFT
                rest = places[INDEX(item)]
                for tile in range(tiles):
                    cell = rest & _LOW
                    rest >>= _CELL_SHIFT
                    for way in range(4):
                        # Written in any case, kept if it is a move: no branch to mispredict.
                        indices[INDEX(gathered)] = index + weights[INDEX(tile)] * ways[INDEX(way)]
                        tried[INDEX(gathered)] = item << 16 | tile << 8 | way << 6 | np.int64(cell)
                        gathered += np.int64((movers[INDEX(way)] >> cell) & _ONE)
            for move in range(gathered):
                known[INDEX(move)] = seen[INDEX(indices[INDEX(move)])]
            for move in range(gathered):
                at = INDEX(move)
                cell = np.uint64(tried[at] & 63)
                if (np.uint64(known[at]) >> cell) & _ONE:
                    continue
                next_index = INDEX(indices[at])
                # Another move of this block may have come here first.
                already = np.uint64(seen[next_index])
                if (already >> cell) & _ONE:
                    continue
                shift = np.uint64(CELL_BITS * (tried[at] >> 8 & 255))
                target = np.uint64(np.int64(cell) + ways[INDEX(tried[at] >> 6 & 3)])
                packed = places[INDEX(tried[at] >> 16)] & ~(_LOW << shift) | (target << shift)
                free = board
                rest = packed
                for _ in range(tiles):
                    free &= ~(_ONE << (rest & _LOW))
                    rest >>= _CELL_SHIFT
                reached = _spread(_ONE << cell, free, row_shift, not_left, not_right)
                if already == 0:
                    entries[next_index] = moved
                seen[next_index] = already | reached
                if next_count == next_places.size:
                    next_places = _doubled(next_places)
                    next_regions = _doubled(next_regions)
                next_places[INDEX(next_count)] = packed
                next_regions[INDEX(next_count)] = reached
                next_count += 1
        states += next_count
        places, next_places = next_places, places
        regions, next_regions = next_regions, regions
        count = next_count
    return states
