"""What a move does to the set of cells that a pattern's tiles lie on."""

from __future__ import annotations

from functools import cache
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tilework.core.puzzle.board import Size
from tilework.core.solver.grid import neighbors_of
from tilework.core.solver.pdb.ranks import set_ranks, sets


class SetMoves(NamedTuple):
    """The moves of tiles from each set of cells, one set after the other.

    Attributes
    ----------
    begins : int64 array, shape (sets + 1,)
        By rank of a set, where its moves begin in the other arrays; they end where the next begin.
    afters : uint16 array
        Rank of the set after the move.
    starts, targets : uint16 arrays
        The tile's cell before and after, as a set.
    reached : uint16 array
        The cells that the blank can reach after the move.
    kinds : uint8 array
        How the move changes the order of the tiles: a row of `passings`.
    passings : uint64 array, shape (kinds, 3)
        The number, by rising cell, of the first tile concerned; how many are passed; and 1 where
        the tile goes to a higher cell. The first row passes none.
    """

    begins: NDArray[np.int64]
    afters: NDArray[np.uint16]
    starts: NDArray[np.uint16]
    targets: NDArray[np.uint16]
    reached: NDArray[np.uint16]
    kinds: NDArray[np.uint8]
    passings: NDArray[np.uint64]


@cache
def set_moves(size: Size, tiles: int) -> SetMoves:
    """Return the moves from all sets of so many cells of a board of at most 16 cells."""
    ranks = set_ranks()
    around = [[int(cell) for cell in row if cell >= 0] for row in neighbors_of(size)]
    kinds = {(0, 0, 0): 0}
    begins, moves = [0], []
    for word in sets(tiles)[: comb(size.cells, tiles)].tolist():
        for start in range(size.cells):
            if not word >> start & 1:
                continue
            for target in around[start]:
                if word >> target & 1:
                    continue
                after = word ^ 1 << start ^ 1 << target
                low, high = sorted((start, target))
                below = (1 << low) - 1
                passed = (word >> low + 1 & (1 << high - low - 1) - 1).bit_count()
                passing = ((word & below).bit_count(), passed, int(start < target))
                kind = kinds.setdefault(passing, len(kinds)) if passed else 0
                reached = _spread(1 << start, ~after, around)
                moves.append((ranks[after], 1 << start, 1 << target, reached, kind))
        begins.append(len(moves))
    afters, starts, targets, reached, kinds_of = np.array(moves, dtype=np.uint16).T
    return SetMoves(
        np.array(begins),
        afters.copy(),
        starts.copy(),
        targets.copy(),
        reached.copy(),
        kinds_of.astype(np.uint8),
        np.array([*kinds], dtype=np.uint64),
    )


def _spread(reached: int, free: int, around: list[list[int]]) -> int:
    """Return all free cells that are connected to some."""
    ahead = [reached.bit_length() - 1]
    while ahead:
        for cell in around[ahead.pop()]:
            if free >> cell & 1 and not reached >> cell & 1:
                reached |= 1 << cell
                ahead.append(cell)
    return reached
