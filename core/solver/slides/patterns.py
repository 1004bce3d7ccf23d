"""Pattern databases of slides: their patterns, and how they are built, checked and read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property, partial
from math import perm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tilework.core.errors import DamagedFileError
from tilework.core.puzzle.arrangement import inverse
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_at
from tilework.core.puzzle.moves import neighbor_table
from tilework.core.solver.kernels.constants import UNREACHED, VALUE
from tilework.core.solver.kernels.slides import flood_slides

_MAX_ENTRIES = 1 << 24  # of one pattern

_MIN_STORED_CELLS = 13  # databases for boards of this size take seconds to build and are stored


@dataclass(frozen=True)
class SlidePatterns:
    """Patterns of tiles, each with the blank, for the goal ``1 2 3 …`` with the blank on some cell.

    A slide can move tiles of several patterns, so the greatest of their distances is a lower bound,
    but their sum is not. Therefore patterns may share tiles.
    """

    size: Size  # from 2×2 to 16 cells
    blank: int  # the cell of the goal's blank

    @property
    def title(self) -> str:
        """A unique name, as in ``4x4 slides-15``."""
        return f"{self.size.width}x{self.size.height} slides-{self.blank}"

    @property
    def is_stored(self) -> bool:
        return self.size.cells >= _MIN_STORED_CELLS

    @cached_property
    def digits(self) -> int:
        """The number of digits of an index: the tiles of each pattern, plus the blank."""
        cells = self.size.cells
        # The cells of all other tiles determine the cell of the last tile.
        return next(digits for digits in range(cells - 1, 0, -1) if cells**digits <= _MAX_ENTRIES)

    @cached_property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """The goal cells of each pattern's tiles: blocks along the rows, then along the columns."""
        cells = np.arange(self.size.cells).reshape(self.size.height, self.size.width)
        orders = [cells.reshape(-1)]
        if not self.is_mirrored:
            orders.append(cells.T.reshape(-1))
        return tuple(
            group for order in orders for group in self._divide(order[order != self.blank])
        )

    @property
    def is_mirrored(self) -> bool:
        """Whether the goal is symmetric about its diagonal, so that each pattern is used twice."""
        row, column = divmod(self.blank, self.size.width)
        return self.size.width == self.size.height and row == column

    @property
    def length(self) -> int:
        return len(self.groups) * self.entries

    @property
    def entries(self) -> int:
        return int(self.size.cells**self.digits)

    def header(self) -> dict[str, Any]:
        return {
            "width": self.size.width,
            "height": self.size.height,
            "metric": "slides",
            "blank": self.blank,
            "patterns": self.groups,
        }

    def build(self, report: Callable[[float], object] = float) -> NDArray[np.uint8]:
        # Imported here, because it loads kernels.
        from tilework.core.solver.slides.patterns import build

        return build(self, report)

    def check_sample(self, entries: NDArray[np.uint8], count: int) -> None:
        from tilework.core.solver.slides.patterns import verify_sample

        verify_sample(self, entries, count)

    def _divide(self, order: NDArray[np.int64]) -> list[tuple[int, ...]]:
        """Divide cells into groups of equal length, which may overlap."""
        length = self.digits - 1
        count = -(-len(order) // length)
        starts = np.linspace(0, len(order) - length, count).round().astype(int)
        return [tuple(order[start : start + length].tolist()) for start in starts]


class SlideTables:
    """Lookup of estimates in pattern databases for slides."""

    def __init__(self, patterns: SlidePatterns, entries: NDArray[np.uint8]) -> None:
        size = patterns.size
        self.entries = entries
        self.neighbors = neighbor_table(size)
        self.goal = blank_at(size, patterns.blank)
        identity = np.arange(size.cells)
        views = [identity]
        if patterns.is_mirrored:
            views.append(identity.reshape(size.height, size.width).T.reshape(-1))
        weights = index_weights(patterns)
        tables = [(view, number) for view in views for number in range(len(patterns.groups))]
        # Each tile's term of the index, by table, tile and cell; tile 0 is the blank.
        self._terms = np.zeros((len(tables), size.cells, size.cells), dtype=np.int64)
        self._bases = np.array([number * patterns.entries for _, number in tables])
        for index, (view, number) in enumerate(tables):
            # A reflection is its own inverse.
            tiles = self.goal.cells[view[list(patterns.groups[number])]]
            self._terms[index, [0, *tiles]] = np.outer(weights, view)
        # The change of each table's index, by move and tile.
        self.shifts = np.zeros((4, size.cells, len(tables)), dtype=np.int64)
        for move in range(4):
            blank = int(np.flatnonzero(self.neighbors[:, move] >= 0)[0])
            cell = int(self.neighbors[blank, move])
            change = self._terms[:, :, cell] - self._terms[:, :, blank]
            self.shifts[move] = (change[:, :1] - change).T

    def indices(self, cells: NDArray[np.integer]) -> NDArray[np.int64]:
        tiles = np.arange(cells.size)
        terms: NDArray[np.int64] = self._terms[:, tiles, inverse(np.asarray(cells))]
        indices: NDArray[np.int64] = self._bases + terms.sum(axis=1)
        return indices

    def estimate(self, board: Board) -> int:
        return int(self.entries[self.indices(board.cells)].max())


def index_weights(patterns: SlidePatterns) -> NDArray[np.int64]:
    """Return the weight of each digit in an index."""
    return patterns.size.cells ** np.arange(patterns.digits, dtype=np.int64)


_BUILDERS = 2  # patterns to build in parallel; each needs memory for its levels


def build(patterns: SlidePatterns, report: Callable[[float], object] = float) -> NDArray[np.uint8]:
    """Compute all entries; report progress, from 0 to 1, after each pattern.

    Returns
    -------
    uint8[patterns.length]; fewest slides from each placement of the blank and a pattern's tiles to
        the goal, or 255 for unused indices. The blank's cell is the least significant digit of an
        index, whose base is the number of cells.
    """
    entries = np.full(patterns.length, UNREACHED, dtype=VALUE)
    parts = np.split(entries, len(patterns.groups))
    with ThreadPoolExecutor(_BUILDERS) as builders:
        fill = partial(_fill, patterns)
        for count, _ in enumerate(builders.map(fill, parts, patterns.groups), 1):
            report(count / len(parts))
    return entries


def _fill(patterns: SlidePatterns, part: NDArray[np.uint8], group: tuple[int, ...]) -> None:
    weights = index_weights(patterns)
    neighbors = neighbor_table(patterns.size)
    goal = int(weights @ np.array([patterns.blank, *group]))
    part[goal] = 0
    placements = perm(patterns.size.cells, patterns.digits)
    level, next_level = np.empty(placements, dtype=np.uint32), np.empty(placements, dtype=np.uint32)
    level[0], count, distance = goal, 1, 0
    while count:
        distance += 1
        count = flood_slides(part, level, count, next_level, distance, weights, neighbors)
        level, next_level = next_level, level


def verify_sample(patterns: SlidePatterns, entries: NDArray[np.uint8], count: int) -> None:
    """Check random placements of each pattern, and the goal.

    A placement has a neighbour that is one slide nearer to the goal, and none whose distance
    differs by more than one; only the goal has distance 0.
    """
    random = np.random.default_rng()
    parts = np.split(entries, len(patterns.groups))
    for part, group in zip(parts, patterns.groups, strict=True):
        goal = [patterns.blank, *group]
        samples = [random.permutation(patterns.size.cells)[: patterns.digits] for _ in range(count)]
        for placement in [goal, *(sample.tolist() for sample in samples)]:
            entry = _read_entry(patterns, part, placement)
            neighbors = [
                _read_entry(patterns, part, neighbor)
                for neighbor in _list_neighbors(patterns, placement)
            ]
            if entry == 0:
                is_valid = placement == goal and set(neighbors) == {1}
            elif entry == UNREACHED:
                is_valid = set(neighbors) == {UNREACHED}
            else:
                is_valid = min(neighbors) == entry - 1 and max(neighbors) <= entry + 1
            if not is_valid:
                raise DamagedFileError(
                    "slides-entry",
                    "the entry for {cells} is {entry}, which contradicts those one slide away",
                    cells=placement,
                    entry=entry,
                )


def _read_entry(patterns: SlidePatterns, part: NDArray[np.uint8], placement: list[int]) -> int:
    cells = patterns.size.cells
    return int(part[sum(cell * cells**digit for digit, cell in enumerate(placement))])


def _list_neighbors(patterns: SlidePatterns, placement: list[int]) -> Iterator[list[int]]:
    """Yield the placements one slide away: the blank's cell, then those of the tiles."""
    neighbors = neighbor_table(patterns.size)
    for move in range(4):
        blank, *tiles = placement
        while (cell := int(neighbors[blank, move])) >= 0:
            tiles = [blank if tile == cell else tile for tile in tiles]
            blank = cell
            yield [blank, *tiles]
