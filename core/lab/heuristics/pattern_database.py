"""Additive pattern database: exact distances of parts of the board, looked up and added.

A pattern is a set of tiles; all other tiles are indistinguishable. The minimum number of moves *of
its own tiles* that solve a pattern depends on the cells of these tiles and on the region of the
blank. A table stores it for every placement. Disjoint patterns share no moves, so their values can
be added.

The patterns are consecutive tiles of the goal: four tiles each up to 4×4, three at 5×5, two up to
8×8. On larger boards each tile would be a pattern by itself, which is Manhattan distance, so boards
of more than 100 cells are rejected.
"""

from __future__ import annotations

from collections import deque
from functools import lru_cache
from math import perm
from operator import getitem
from typing import NamedTuple

from tilework.core.errors import OptionError
from tilework.core.lab.problem import Problem
from tilework.core.lab.result import State
from tilework.core.puzzle import phrases
from tilework.core.puzzle.board import Size

UNREACHED = 255
MAX_MOVES = UNREACHED - 1  # the limit of a byte, far more than so few tiles need
Pattern = tuple[int, ...]  # the goal cells of its tiles


class Tables(NamedTuple):
    # Bits per cell number. The lowest bits of a placement's key are the blank's cell, followed by
    # the cells of the pattern's tiles in order.
    bits: int
    tables: tuple[tuple[Pattern, bytes], ...]  # for each pattern, the moves by key


class _Region(NamedTuple):
    """The cells that the blank can reach without moving a pattern tile."""

    cells: tuple[int, ...]
    # Moves of pattern tiles into the region: the tile's cell and the cell it moves to
    entries: tuple[tuple[int, int], ...]


@lru_cache(maxsize=4)
def make_tables(width: int, height: int, blank: int, patterns: tuple[Pattern, ...]) -> Tables:
    """Build the tables of patterns; those of the last few goals are cached."""
    bits = (width * height - 1).bit_length()
    regions = _Regions(width, height)
    return Tables(
        bits, tuple((pattern, _table(regions, bits, blank, pattern)) for pattern in patterns)
    )


def _table(regions: _Regions, bits: int, blank: int, pattern: Pattern) -> bytes:
    table = bytearray([UNREACHED]) * (1 << bits * (len(pattern) + 1))
    goal_key = sum(cell << bits * position for position, cell in enumerate(pattern, start=1))
    occupied = sum(1 << cell for cell in pattern)
    region = regions.find(occupied, blank)
    _set_moves(table, goal_key, region, 0)
    frontier = deque([(pattern, goal_key, occupied, region, 0)])
    while frontier:
        placement, key, occupied, region, moves = frontier.popleft()
        for origin, target in region.entries:
            index = placement.index(origin)
            new_key = key + (target - origin << bits * (index + 1))
            # The blank moves to the cell that the tile leaves.
            if table[new_key | origin] == UNREACHED:
                new_placement = (*placement[:index], target, *placement[index + 1 :])
                new_occupied = occupied ^ 1 << origin ^ 1 << target
                new_region = regions.find(new_occupied, origin)
                _set_moves(table, new_key, new_region, moves + 1)
                frontier.append((new_placement, new_key, new_occupied, new_region, moves + 1))
    return bytes(table)


def _set_moves(table: bytearray, key: int, region: _Region, moves: int) -> None:
    if moves > MAX_MOVES:
        raise OptionError(
            "table-range",
            "a placement of a pattern is {moves} from its goal; tables go up to {max}",
            moves=phrases.moves(moves),
            max=MAX_MOVES,
        )
    for cell in region.cells:
        table[key | cell] = moves


class _Regions:
    def __init__(self, width: int, height: int) -> None:
        self._neighbours = [
            tuple(_neighbours(cell, width, height)) for cell in range(width * height)
        ]
        self._cache: dict[tuple[int, int], _Region] = {}

    def find(self, occupied: int, blank: int) -> _Region:
        """Return the region of the blank; the bits of `occupied` are the cells of the pattern."""
        region = self._cache.get((occupied, blank))
        if region is None:
            region = self._search(occupied, blank)
            for cell in region.cells:
                self._cache[occupied, cell] = region
        return region

    def _search(self, occupied: int, blank: int) -> _Region:
        cells, entries = [blank], []
        for cell in cells:
            for other in self._neighbours[cell]:
                if occupied >> other & 1:
                    entries.append((other, cell))
                elif other not in cells:
                    cells.append(other)
        return _Region(tuple(cells), tuple(entries))


def _neighbours(cell: int, width: int, height: int) -> list[int]:
    row, column = divmod(cell, width)
    candidates = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
    return [
        other_row * width + other_column
        for other_row, other_column in candidates
        if 0 <= other_row < height and 0 <= other_column < width
    ]


_MAX_TILES = 4

# For all patterns together; building the tables takes about a second.
_MAX_PLACEMENTS = 150_000

# At 20×20 tables of single tiles would take 100 MB and several seconds.
_MAX_CELLS = 100


class PatternDatabase:
    """The additive pattern database heuristic for one goal.

    Korf, Felner, "Disjoint pattern database heuristics", 2002. To save memory they store the
    minimum over all cells of the blank. With the blank's cell in the key, as here, the heuristic is
    also consistent.
    """

    def __init__(self, problem: Problem) -> None:
        goal = problem.goal
        if len(goal) > _MAX_CELLS:
            raise OptionError(
                "single-tile-patterns",
                "on {size} boards, every pattern would be a single tile, no better than "
                "manhattan; use manhattan above {cells}",
                size=Size(problem.width, problem.height),
                cells=phrases.cells(_MAX_CELLS),
            )
        blank = goal.index(0)
        patterns = _patterns(len(goal), blank)
        bits, tables = make_tables(problem.width, problem.height, blank, patterns)
        # The keys of all patterns are packed into one integer, a sum over the cells of the board.
        self._shares = [[0] * len(goal) for _ in goal]
        self._tables = []
        shift = 0
        for pattern, table in tables:
            start = shift
            for tile in (0, *(goal[cell] for cell in pattern)):
                for cell, shares in enumerate(self._shares):
                    shares[tile] |= cell << shift
                shift += bits
            self._tables.append((start, (1 << shift - start) - 1, table))

    def __call__(self, state: State) -> int:
        keys = sum(map(getitem, self._shares, state))
        return sum([table[keys >> start & mask] for start, mask, table in self._tables])


def _patterns(cells: int, blank: int) -> tuple[Pattern, ...]:
    """Divide the goal cells of the tiles into runs as long as the limits allow."""
    goal_cells = [cell for cell in range(cells) if cell != blank]
    length = 1
    while length < _MAX_TILES and _count_placements(cells, length + 1) <= _MAX_PLACEMENTS:
        length += 1
    return tuple(
        tuple(goal_cells[first : first + length]) for first in range(0, len(goal_cells), length)
    )


def _count_placements(cells: int, length: int) -> int:
    full, remainder = divmod(cells - 1, length)
    return full * perm(cells, length) + perm(cells, remainder)
