"""Tables of a pattern: how many moves of its own tiles bring each placement home.

put the goal's placement, with the region of the blank, into the frontier
while the frontier holds a placement:
    take the one that was put in first
    for each tile of the pattern beside the blank's region:
        move it into the region; the blank takes its cell
        if the placement with the blank's new region is new:
            note the moves for every cell of that region
            put it into the frontier

Among the cells that the pattern leaves free the blank goes about for nothing, as it only moves
other tiles. A region is what it can reach so. The pattern's tiles may part the board into several.
"""

from __future__ import annotations

from collections import deque
from functools import lru_cache
from typing import NamedTuple

from tilework.core.errors import OptionError
from tilework.core.puzzle.phrases import moves as moves_of

UNREACHED = 255
MOST_MOVES = UNREACHED - 1
"""What a byte holds; far more than placements of so few tiles need."""

Pattern = tuple[int, ...]
"""The cells that the tiles of a pattern have in the goal."""


class Tables(NamedTuple):
    """The tables of disjoint patterns.

    Attributes
    ----------
    bits : int
        Of a cell's number. The key of a placement has the blank's cell in its lowest bits, above
        it the cells of the pattern's tiles in order.
    tables : tuple of (Pattern, bytes)
        Each pattern with its moves by key.
    """

    bits: int
    tables: tuple[tuple[Pattern, bytes], ...]


class _Region(NamedTuple):
    """Cells that the blank reaches, and pairs of a tile's cell beside it and a cell within."""

    cells: tuple[int, ...]
    entries: tuple[tuple[int, int], ...]


@lru_cache(maxsize=4)
def make_tables(width: int, height: int, blank: int, patterns: tuple[Pattern, ...]) -> Tables:
    """Make the tables of patterns; those of the last few goals are kept.

    Parameters
    ----------
    blank : int
        The blank's cell in the goal.
    patterns : tuple of Pattern
        Disjoint; the tiles themselves do not matter, only where they belong.

    Raises
    ------
    OptionError
        Where a placement needs more moves than a byte holds.
    """
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
    """The regions of one size of board, each looked for once."""

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
