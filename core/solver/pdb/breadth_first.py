"""Builds pattern databases by breadth-first search from the goal."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache, partial
from itertools import pairwise, permutations
from math import comb, perm
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tilework.core.errors import OptionError
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.phrases import moves as move_phrase
from tilework.core.puzzle.phrases import tiles as tile_phrase
from tilework.core.solver.kernels.constants import (
    DISTANCE,
    LARGE_FLAG,
    SMALL_FLAG,
    UNREACHED,
    VALUE,
)
from tilework.core.solver.kernels.pattern_databases import (
    find_regions,
    find_sets,
    flood_level,
    join_regions,
    write_by_digits,
    write_by_rank,
)
from tilework.core.solver.pdb.partitions import Entries, Part, Partition


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


logger = logging.getLogger(__name__)
ProgressListener = Callable[[float], object]  # called with the completed fraction, from 0 to 1
BUILDERS = 2  # threads for each pattern
MAX_MOVES = UNREACHED - 1  # the greatest distance that fits into an entry without flags
_WORD_BITS = 64
_PARTS_PER_THREAD = 16  # of a level, because parts differ in their number of states


def build(partition: Partition, report: ProgressListener = float) -> Entries:
    """Compute all entries of a partition's databases.

    Returns
    -------
    uint8[partition.length]; fewest moves of the pattern's tiles from each placement to the goal, or
        255 for unused indices

    Notes
    -----
    R. Korf and A. Felner, "Disjoint pattern database heuristics", Artificial Intelligence 134
    (2002). Moves of other tiles are not counted, which makes the sum over the patterns admissible.
    """
    entries = np.full(partition.length, UNREACHED, dtype=VALUE)
    on_placements = make_progress_reporter(partition, report)
    for part, part_entries in partition.split(entries):
        started = time.perf_counter()
        fill_part(partition, part, part_entries, on_placements)
        seconds = time.perf_counter() - started
        logger.debug("built %s of %s in %.1f s", part.pattern, partition.size, seconds)
    return entries


def make_progress_reporter(partition: Partition, report: ProgressListener) -> Callable[[int], None]:
    """Return a function that counts new placements and reports the completed fraction."""
    total = sum(perm(partition.size.cells, len(part.pattern)) for part in partition.parts)
    completed = 0

    def on_placements(count: int) -> None:
        nonlocal completed
        completed += count
        report(completed / total)

    return on_placements


def fill_part(
    partition: Partition, part: Part, entries: Entries, on_placements: Callable[[int], object]
) -> None:
    goal_cells = np.array(part.pattern, dtype=np.int64) - 1
    fill_distances(
        entries, partition.size, goal_cells, part.blank, on_placements,
        ranked=partition.ranked, small_cells=partition.small_cells, threads=BUILDERS,
    )  # fmt: skip


def fill_distances(
    entries: Entries,
    size: Size,
    goal_cells: NDArray[np.int64],
    goal_blank: int,
    on_placements: Callable[[int], object] = int,
    *,
    ranked: bool = False,
    small_cells: int = 0,
    threads: int = 1,
) -> None:
    """Compute the fewest moves of a pattern's tiles from each placement to the goal.

    Parameters
    ----------
    entries : uint8[cells ** tiles], changed in place; initially all `UNREACHED`, because unused
        indices keep this value. The cell of tile i is digit i of the index in base ``cells``. If
        ranked, the shape is (cells! / (cells - tiles)!,), and the index is that of
        `tilework.core.solver.pdb.ranks`.
    size : Size; at most 36 cells
    goal_cells : int64[tiles]; at most 8 tiles
    on_placements : callable; called after each level with the number of new placements, if any
    ranked : bool; which kind of index the entries have; if ranked, at most 16 cells
    small_cells : int; if not 0, entries are flagged, and regions of at most this size are small

    Notes
    -----
    In addition to the entries, this takes a byte per placement and two bits per region and order.
    """
    # A small pattern takes less time than starting a thread.
    if threads == 1:
        levels = _Levels(size, goal_cells, goal_blank, 1, map, small_cells=small_cells)
        return _fill_levels(levels, entries, on_placements, ranked=ranked)
    with ThreadPoolExecutor(threads) as pool:
        levels = _Levels(
            size,
            goal_cells,
            goal_blank,
            threads * _PARTS_PER_THREAD,
            pool.map,
            small_cells=small_cells,
        )
        return _fill_levels(levels, entries, on_placements, ranked=ranked)


def _fill_levels(
    levels: _Levels, entries: Entries, on_placements: Callable[[int], object], *, ranked: bool
) -> None:
    on_placements(1)
    distance = 0
    while levels.has_states:
        distance += 1
        placements = levels.find_next(distance)
        if placements == 0:
            continue
        if distance > levels.max_distance:
            raise OptionError(
                "pattern-range",
                "a placement of a pattern of {tiles} on {size} boards is {moves} from its "
                "goal; entries of pattern databases go up to {max}",
                tiles=tile_phrase(levels.tiles),
                size=levels.size,
                moves=move_phrase(distance),
                max=levels.max_distance,
            )
        on_placements(placements)
    levels.write(entries, ranked=ranked)


class _Levels:
    """The states of a pattern by distance; see `tilework.core.solver.kernels.pattern_databases`."""

    def __init__(
        self,
        size: Size,
        goal_cells: NDArray[np.int64],
        goal_blank: int,
        part_count: int,
        run: Callable[..., Iterable[Any]],
        *,
        small_cells: int,
    ) -> None:
        self.size = size
        self.tiles = goal_cells.size
        self.has_states = True
        self.max_distance = DISTANCE if small_cells else MAX_MOVES
        self._orders = make_orders(self.tiles, size.width)
        self._regions = make_regions(size, self.tiles, self._orders.kinds)
        sets, regions = self._regions.sets, self._regions.cells.size
        large = np.bitwise_count(self._regions.cells) > small_cells
        self._is_large = large[: regions * bool(small_cells)].astype(np.uint8)
        orders = len(self._orders.orders)
        self._distances = np.full((sets.size, orders), UNREACHED, dtype=VALUE)
        reached, level = np.zeros((2, regions, -(-orders // _WORD_BITS)), dtype=np.uint64)
        self._states = reached, level, np.zeros(regions, dtype=np.int64)
        goal_set = int(np.searchsorted(sets, np.bitwise_or.reduce(1 << goal_cells)))
        self._add_goal(goal_set, goal_cells, goal_blank)
        self._part_count = part_count
        self._run = run
        colors = _color_sets(size, sets)
        self._sets = [
            np.array_split(np.flatnonzero(colors ^ colors[goal_set] == odd), part_count)
            for odd in range(2)
        ]

    def find_next(self, distance: int) -> int:
        """Find the states of the next level; return the number of new placements."""
        regions = self._regions
        joins = (
            regions.starts,
            regions.moves,
            regions.sources,
            regions.kinds,
            self._orders.next_orders,
        )
        search = partial(
            flood_level, self._distances, self._states, joins, self._is_large, distance
        )
        counts = list(self._run(search, self._sets[distance & 1]))
        self.has_states = any(states for states, _ in counts)
        return sum(placements for _, placements in counts)

    def write(self, entries: NDArray[np.uint8], *, ranked: bool) -> None:
        """Write all distances to the entries; see `fill_distances`."""
        if ranked:
            count = len(self._orders.orders)
            write_range = partial(write_by_rank, entries, self._distances)
        else:
            count = self._regions.sets.size
            weights = np.int64(self.size.cells) ** self._orders.orders.astype(np.int64)
            write_range = partial(
                write_by_digits, entries, self._distances, self._regions.sets, weights
            )
        edges = np.linspace(0, count, self._part_count + 1).astype(np.int64).tolist()
        list(self._run(lambda edge: write_range(*edge), pairwise(edges)))

    def _add_goal(self, goal_set: int, goal_cells: NDArray[np.int64], goal_blank: int) -> None:
        region = int(self._regions.starts[goal_set])
        while not int(self._regions.cells[region]) >> goal_blank & 1:
            region += 1
        is_goal_order = self._orders.orders == np.argsort(goal_cells)
        order = int(is_goal_order.all(axis=1).argmax())
        self._distances[goal_set, order] = 0
        kinds = self._is_large[slice(*self._regions.starts[goal_set : goal_set + 2])]
        if kinds.any() and not kinds.all():
            flag = SMALL_FLAG if self._is_large[region] else LARGE_FLAG
            self._distances[goal_set, order] = flag
        reached, level, counts = self._states
        for states in (reached, level):
            states[region, order // _WORD_BITS] = 1 << order % _WORD_BITS
        counts[region] = 1


def _color_sets(size: Size, sets: NDArray[np.uint64]) -> NDArray[np.uint8]:
    """Return the parity of the dark chessboard cells of each set, which every move changes."""
    rows, columns = np.divmod(np.arange(size.cells), size.width)
    dark = sum(1 << int(cell) for cell in np.flatnonzero(rows + columns & 1))
    colors: NDArray[np.uint8] = np.bitwise_count(sets & np.uint64(dark)) & 1
    return colors
