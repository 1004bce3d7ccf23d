"""The search behind a pattern database: its arrays, and the threads that share each level."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import pairwise
from types import TracebackType
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from tilework.core.puzzle.board import Size
from tilework.core.solver.kernels.constants import UNREACHED, VALUE
from tilework.core.solver.kernels.pdb_flood import flood_level, place_by_digits, place_by_rank
from tilework.core.solver.pdb.building.regions import orders_of, regions_of

_WORD_BITS = 64
_PARTS = 16  # of a level, for each thread: some parts of it have more states than others


class Levels:
    """The states of one pattern by their distance; see `tilework.core.solver.kernels.pdb_flood`.

    Attributes
    ----------
    any_state : bool; whether the last level had a state
    """

    def __init__(
        self, size: Size, goal_cells: NDArray[np.int64], goal_blank: int, threads: int
    ) -> None:
        tiles = goal_cells.size
        self._cells = size.cells
        self._orders = orders_of(tiles, size.width)
        self._regions = regions_of(size, tiles, self._orders.kinds)
        sets, regions = self._regions.sets, self._regions.cells.size
        orders = len(self._orders.places)
        words = -(-orders // _WORD_BITS)
        self._distances = np.full((sets.size, orders), UNREACHED, dtype=VALUE)
        reached = np.zeros((regions, words), dtype=np.uint64)
        level = np.zeros((regions, words), dtype=np.uint64)
        self._states = reached, level, np.zeros(regions, dtype=np.int64)
        self.any_state = True
        goal_set = int(np.searchsorted(sets, np.bitwise_or.reduce(1 << goal_cells)))
        self._start(goal_set, goal_cells, goal_blank)
        self._parts = threads * _PARTS if threads > 1 else 1
        colors = _colors(size, sets)
        self._sets = [
            np.array_split(np.flatnonzero(colors ^ colors[goal_set] == odd), self._parts)
            for odd in range(2)
        ]
        # Starting a thread takes longer than all levels of a small pattern.
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        if self._pool is not None:
            self._pool.shutdown()

    def find_next(self, moved: int) -> int:
        """Find the states so many moves from the goal, one more than before."""
        regions = self._regions
        joins = regions.begins, regions.moves, regions.sources, regions.kinds, self._orders.afters
        search = partial(flood_level, self._distances, self._states, joins, moved)
        found = self._each(search, [(sets,) for sets in self._sets[moved & 1]])
        self.any_state = any(states for states, _ in found)
        return sum(placements for _, placements in found)

    def place(self, entries: NDArray[np.uint8], *, ranked: bool) -> None:
        """Bring all distances to the index of a pattern database; see `fill_distances`."""
        if ranked:
            count = len(self._orders.places)
            place = partial(place_by_rank, entries, self._distances)
        else:
            count = self._regions.sets.size
            weights = np.int64(self._cells) ** self._orders.places.astype(np.int64)
            place = partial(place_by_digits, entries, self._distances, self._regions.sets, weights)
        edges = np.linspace(0, count, self._parts + 1).astype(np.int64).tolist()
        self._each(place, pairwise(edges))

    def _start(self, goal_set: int, goal_cells: NDArray[np.int64], goal_blank: int) -> None:
        region = int(self._regions.begins[goal_set])
        while not int(self._regions.cells[region]) >> goal_blank & 1:
            region += 1
        same = self._orders.places == np.argsort(goal_cells)
        order = int(same.all(axis=1).argmax())
        self._distances[goal_set, order] = 0
        reached, level, counts = self._states
        for states in (reached, level):
            states[region, order // _WORD_BITS] = 1 << order % _WORD_BITS
        counts[region] = 1

    def _each(self, call: Callable[..., Any], parts: Iterable[tuple[Any, ...]]) -> list[Any]:
        if self._pool is None:
            return [call(*part) for part in parts]
        return list(self._pool.map(lambda part: call(*part), parts))


def _colors(size: Size, sets: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """By set of cells, whether an odd number of them is dark on a chessboard: a move changes it."""
    rows, columns = np.divmod(np.arange(size.cells), size.width)
    dark = sum(1 << int(cell) for cell in np.flatnonzero(rows + columns & 1))
    colors: NDArray[np.uint8] = np.bitwise_count(sets & np.uint64(dark)) & 1
    return colors
