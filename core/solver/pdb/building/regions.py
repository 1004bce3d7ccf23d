"""The orders of a pattern's tiles, the regions of the blank, and the effects of moves."""

from __future__ import annotations

from functools import lru_cache
from itertools import permutations
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tilework.core.puzzle.board import Size
from tilework.core.solver.kernels.pdb_regions import find_regions, find_sets, join_regions


class Orders(NamedTuple):
    """All orders of some tiles, and the effects of moves on boards of one width."""

    orders: NDArray[np.uint8]  # index in the pattern, by order and rank of the tile's cell
    # Kind of a move by rank of the first tile involved, number of tiles passed, and 1 if the tile
    # moves to a higher cell. Moves that pass no tile are of kind 0.
    kinds: NDArray[np.uint8]
    next_orders: NDArray[np.uint16]  # the order after a move, by kind of move and order before it


@lru_cache(maxsize=4)
def make_orders(tiles: int, width: int) -> Orders:
    """Return all orders of at most 8 tiles, and the effects of moves; read-only."""
    orders = np.array([*permutations(range(tiles))], dtype=np.uint8)
    digits = np.int64(tiles) ** np.arange(tiles)[::-1]
    keys = orders @ digits
    kinds = np.zeros((tiles, width, 2), dtype=np.uint8)
    next_orders = [np.arange(len(orders))]
    for passed_tiles in range(1, min(width, tiles)):
        for first in range(tiles - passed_tiles):
            affected = slice(first, first + passed_tiles + 1)
            for upwards, shift in enumerate((1, -1)):
                moved_orders = orders.copy()
                moved_orders[:, affected] = np.roll(orders[:, affected], shift, axis=1)
                kinds[first, passed_tiles, upwards] = len(next_orders)
                next_orders.append(np.searchsorted(keys, moved_orders @ digits))
    tables = Orders(orders, kinds, np.array(next_orders, dtype=np.uint16))
    for table in tables:
        table.flags.writeable = False
    return tables


Words = NDArray[np.uint64]
Numbers = NDArray[np.int64]


class Regions(NamedTuple):
    """The sets of cells that some tiles can occupy, and the regions outside each set."""

    sets: Words  # increasing words, in the order of `tilework.core.solver.pdb.ranks`
    starts: Numbers  # first region of each set; the last one precedes the first one of the next set
    cells: Words  # the cells of each region, as a word
    moves: Numbers  # first move into each region
    sources: NDArray[np.int32]  # the blank's region before each move
    kinds: NDArray[np.uint8]  # the kind of each move; see `Orders`


def find_large_cells(size: Size, tiles: int, small_cells: int) -> tuple[Words, Words]:
    """Return the sets of cells that some tiles can occupy, and the cells of large regions."""
    sets, starts, cells = _find_regions(size, tiles)
    large = np.where(np.bitwise_count(cells) > small_cells, cells, np.uint64(0))
    return sets, np.bitwise_or.reduceat(large, starts[:-1])


def make_regions(size: Size, tiles: int, order_kinds: NDArray[np.uint8]) -> Regions:
    """Return all regions of a board, and the moves between them."""
    sets, starts, cells = _find_regions(size, tiles)
    choices = [[comb(cell, number) for number in range(tiles + 1)] for cell in range(size.cells)]
    # A move needs a tile on one of two neighbouring cells; the other cell must be free.
    neighbors = 2 * size.cells - size.width - size.height
    move_count = 2 * neighbors * comb(size.cells - 2, tiles - 1)
    moves = np.empty(cells.size + 1, dtype=np.int64)
    sources = np.empty(move_count, dtype=np.int32)
    kinds = np.empty(move_count, dtype=np.uint8)
    board = sets, starts, cells, np.array(choices), order_kinds
    join_regions(*board, moves, sources, kinds, *size)
    return Regions(sets, starts, cells, moves, sources, kinds)


def _find_regions(size: Size, tiles: int) -> tuple[Words, Numbers, Words]:
    sets = np.empty(comb(size.cells, tiles), dtype=np.uint64)
    find_sets(sets, tiles)
    starts = np.empty(sets.size + 1, dtype=np.int64)
    count = find_regions(sets, starts, np.empty(0, dtype=np.uint64), *size)
    cells = np.empty(count, dtype=np.uint64)
    find_regions(sets, starts, cells, *size)
    return sets, starts, cells
