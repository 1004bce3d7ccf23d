"""Additive pattern database: the exact distances of parts of the board, looked up and added.

A pattern is some of the tiles; the others are all alike and may be anywhere. How many moves *of its
own tiles* bring a pattern home depends on its tiles' cells and on where the blank is among them; a
table holds it for every placement. Patterns that share no tile share no move, so that their numbers
may be added.

The patterns are runs of the goal's tiles in reading order: four tiles each up to 4×4, three at 5×5,
two up to 8×8. Above it is one, and the estimate is Manhattan distance. That needs no tables: over
100 cells none are made.
"""

from __future__ import annotations

from collections import deque
from functools import lru_cache
from math import perm
from operator import getitem
from typing import NamedTuple

from tilework.core.errors import OptionError
from tilework.core.lab.problem import Problem
from tilework.core.lab.trace import State
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.phrases import cells as cells_of
from tilework.core.puzzle.phrases import moves as moves_of

UNREACHED = 255
MOST_MOVES = UNREACHED - 1  # what a byte holds; far more than placements of so few tiles need
Pattern = tuple[int, ...]  # the cells that the tiles of a pattern have in the goal


class Tables(NamedTuple):
    # Of a cell's number. The key of a placement has the blank's cell in its lowest bits, above it
    # the cells of the pattern's tiles in order.
    bits: int
    tables: tuple[tuple[Pattern, bytes], ...]  # each pattern with its moves by key


class _Region(NamedTuple):
    """Cells that the blank reaches, and pairs of a tile's cell beside it and a cell within."""

    cells: tuple[int, ...]
    entries: tuple[tuple[int, int], ...]


@lru_cache(maxsize=4)
def make_tables(width: int, height: int, blank: int, patterns: tuple[Pattern, ...]) -> Tables:
    """Make the tables of patterns; those of the last few goals are kept."""
    bits = (width * height - 1).bit_length()
    regions = _Regions(width, height)
    made = tuple((pattern, _table(regions, bits, blank, pattern)) for pattern in patterns)
    return Tables(bits, made)


def _table(regions: _Regions, bits: int, blank: int, pattern: Pattern) -> bytes:
    table = bytearray([UNREACHED]) * (1 << bits * (len(pattern) + 1))
    goal_key = sum(cell << bits * place for place, cell in enumerate(pattern, start=1))
    taken = sum(1 << cell for cell in pattern)
    region = regions.of(taken, blank)
    _note(table, goal_key, region, 0)
    frontier = deque([(pattern, goal_key, taken, region, 0)])
    while frontier:
        placement, key, taken, region, moves = frontier.popleft()
        for origin, target in region.entries:
            place = placement.index(origin)
            new_key = key + (target - origin << bits * (place + 1))
            # The blank is where the tile was.
            if table[new_key | origin] == UNREACHED:
                after = (*placement[:place], target, *placement[place + 1 :])
                new_taken = taken ^ 1 << origin ^ 1 << target
                new_region = regions.of(new_taken, origin)
                _note(table, new_key, new_region, moves + 1)
                frontier.append((after, new_key, new_taken, new_region, moves + 1))
    return bytes(table)


def _note(table: bytearray, key: int, region: _Region, moves: int) -> None:
    if moves > MOST_MOVES:
        raise OptionError(
            "table-range",
            "a placement of a pattern is {moves} from its goal; tables go up to {most}",
            moves=moves_of(moves),
            most=MOST_MOVES,
        )
    for cell in region.cells:
        table[key | cell] = moves


class _Regions:
    def __init__(self, width: int, height: int) -> None:
        self._beside = [tuple(_beside(cell, width, height)) for cell in range(width * height)]
        self._found: dict[tuple[int, int], _Region] = {}

    def of(self, taken: int, blank: int) -> _Region:
        """Return the region of the blank; the bits of ``taken`` are the cells of the pattern."""
        region = self._found.get((taken, blank))
        if region is None:
            region = self._search(taken, blank)
            for cell in region.cells:
                self._found[taken, cell] = region
        return region

    def _search(self, taken: int, blank: int) -> _Region:
        cells, entries = [blank], []
        for cell in cells:
            for other in self._beside[cell]:
                if taken >> other & 1:
                    entries.append((other, cell))
                elif other not in cells:
                    cells.append(other)
        return _Region(tuple(cells), tuple(entries))


def _beside(cell: int, width: int, height: int) -> list[int]:
    row, column = divmod(cell, width)
    ways = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
    return [
        other_row * width + other_column
        for other_row, other_column in ways
        if 0 <= other_row < height and 0 <= other_column < width
    ]


_MOST_TILES = 4

# Of all patterns together: tables of about a second.
_MOST_PLACEMENTS = 150_000

# At 20×20 the tables of single tiles would take 100 MB and several seconds.
_MOST_CELLS = 100


class PatternDatabase:
    """The estimate towards one goal.

    Korf, Felner, "Disjoint pattern database heuristics", 2002. They keep of each placement the
    least number over all cells of the blank, to save memory. With the blank's cell in the key the
    estimate is consistent as well.
    """

    def __init__(self, problem: Problem) -> None:
        goal = problem.goal
        if len(goal) > _MOST_CELLS:
            raise OptionError(
                "single-tile-patterns",
                "on a board of {size} each tile would be a pattern of its own, which is no "
                "better than manhattan; choose that for more than {cells}",
                size=Size(problem.width, problem.height),
                cells=cells_of(_MOST_CELLS),
            )
        blank = goal.index(0)
        patterns = _patterns(len(goal), blank)
        bits, tables = make_tables(problem.width, problem.height, blank, patterns)
        # The keys of all patterns lie side by side in one number, to which each cell adds what its
        # tile says there: one sum over the board for all of them.
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
    """Part the goal's cells, without the blank's, into runs as long as may be."""
    homes = [cell for cell in range(cells) if cell != blank]
    length = 1
    while length < _MOST_TILES and _placements(cells, length + 1) <= _MOST_PLACEMENTS:
        length += 1
    return tuple(tuple(homes[first : first + length]) for first in range(0, len(homes), length))


def _placements(cells: int, length: int) -> int:
    whole, rest = divmod(cells - 1, length)
    return whole * perm(cells, length) + perm(cells, rest)
