"""Where the blank can be beside a pattern's tiles, and which moves lead there."""

from __future__ import annotations

from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tilework.core.puzzle.board import Size
from tilework.core.solver.kernels.pdb.regions import find_regions, find_sets, join_regions

Words = NDArray[np.uint64]
Numbers = NDArray[np.int64]


class Regions(NamedTuple):
    """The sets of cells that some tiles may lie on, and the regions that each leaves free.

    A region is a largest connected part of the free cells.

    Attributes
    ----------
    sets : uint64 array
        Each set as a word, by rising word: in the order of `tilework.core.solver.pdb.ranks`.
    begins : int64 array, shape (sets + 1,)
        By set, where its regions begin; they end where the next begin.
    cells : uint64 array
        Those of each region, as a word.
    moves : int64 array, shape (regions + 1,)
        By region, where the moves into it begin; they end where the next begin.
    sources : int32 array
        By move the region that the blank is in before it.
    kinds : uint8 array
        By move how the order of the tiles changes; see `tilework.core.solver.pdb.building.orders`.
    """

    sets: Words
    begins: Numbers
    cells: Words
    moves: Numbers
    sources: NDArray[np.int32]
    kinds: NDArray[np.uint8]


def regions_of(size: Size, tiles: int, order_kinds: NDArray[np.uint8]) -> Regions:
    """Return all regions of a board, and how moves join them.

    Parameters
    ----------
    size : Size
        At most 36 cells.
    tiles : int
        Fewer than cells.
    order_kinds : uint8 array
        The kinds of moves: `tilework.core.solver.pdb.building.orders.Orders.kinds`.
    """
    sets = np.empty(comb(size.cells, tiles), dtype=np.uint64)
    find_sets(sets, tiles)
    begins = np.empty(sets.size + 1, dtype=np.int64)
    count = find_regions(sets, begins, np.empty(0, dtype=np.uint64), *size)
    cells = np.empty(count, dtype=np.uint64)
    find_regions(sets, begins, cells, *size)
    choices = [[comb(cell, number) for number in range(tiles + 1)] for cell in range(size.cells)]
    # A tile on one of two neighboring cells, the other one free, the other tiles anywhere else.
    neighbors = 2 * size.cells - size.width - size.height
    joined = 2 * neighbors * comb(size.cells - 2, tiles - 1)
    moves = np.empty(cells.size + 1, dtype=np.int64)
    sources = np.empty(joined, dtype=np.int32)
    kinds = np.empty(joined, dtype=np.uint8)
    board = sets, begins, cells, np.array(choices), order_kinds
    join_regions(*board, moves, sources, kinds, *size)
    return Regions(sets, begins, cells, moves, sources, kinds)
