"""Additive pattern databases of a small board, for any goal, made when they are first needed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tilework.core.puzzle.arrangement import inverse
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import blank_steps
from tilework.core.solver.kernels.constants import UNREACHED, VALUE
from tilework.core.solver.pdb.distances import fill_distances

_MOST_TILES = {12: 6, 16: 5}  # by cells up to, the tiles of the largest pattern
Words = NDArray[np.int64]


class SmallBoardPatterns:
    """Tables that estimate boards towards one goal, in two views; see `AdditivePatterns`.

    Attributes
    ----------
    entries : uint8 array; the pattern databases, one after the other
    slots : int64[2, cells]
        By view and tile: the number of the tile's pattern, those of the second view counted on.
    steps : int64[2, cells, 4]; by view, tile and move: how the index of the tile's pattern changes
    """

    def __init__(self, goal: Board) -> None:
        cells = goal.size.cells
        patterns = _patterns(goal)
        databases = [_database(goal, pattern) for pattern in patterns]
        self.entries = np.concatenate(databases)
        self._bases = np.cumsum([0, *(len(database) for database in databases[:-1])])
        self._weights = np.zeros((2, cells), dtype=np.int64)
        self.slots = np.zeros((2, cells), dtype=np.int64)
        for number, pattern in enumerate(patterns):
            view = number // (len(patterns) // 2)
            self.slots[view, pattern] = number
            self._weights[view, pattern] = _weights(pattern, cells)
        ways = np.array(blank_steps(goal.width), dtype=np.int64)
        self.steps = self._weights[:, :, np.newaxis] * -ways

    def indices(self, cells: NDArray[np.integer]) -> Words:
        indices = self._bases.copy()
        places = inverse(np.asarray(cells))
        for view in range(2):
            np.add.at(indices, self.slots[view, 1:], (self._weights[view] * places)[1:])
        return indices

    def estimate(self, cells: NDArray[np.integer]) -> int:
        return self.estimate_at(self.indices(cells))

    def estimate_at(self, indices: Words) -> int:
        return int(self.entries[indices].reshape(2, -1).sum(axis=1, dtype=np.int64).max())


def _patterns(goal: Board) -> list[NDArray[np.int32]]:
    """Cut the tiles into groups of neighbors along the longer side, then along the other."""
    cells = goal.size.cells
    largest = next(tiles for most, tiles in _MOST_TILES.items() if cells <= most)
    grid = goal.cells.reshape(goal.height, goal.width)
    along = (grid if goal.height > goal.width else grid.T).reshape(-1)
    across = (grid.T if goal.height > goal.width else grid).reshape(-1)
    groups = -(-(cells - 1) // largest)
    first = np.array_split(along[along != 0], groups)
    second = np.array_split(across[across != 0], groups)
    return first + second


def _database(goal: Board, pattern: NDArray[np.int32]) -> NDArray[np.uint8]:
    cells = goal.size.cells
    entries = np.full(cells ** len(pattern), UNREACHED, dtype=VALUE)
    goal_cells = inverse(goal.cells)[pattern].astype(np.int64)
    fill_distances(entries, goal.size, goal_cells, goal.blank)
    return entries


def _weights(pattern: NDArray[np.int32], cells: int) -> Words:
    """By place in the pattern, what one cell further adds to the index."""
    return cells ** np.arange(len(pattern), dtype=np.int64)
