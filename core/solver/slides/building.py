"""Builds and checks pattern databases of slides."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from math import perm

import numpy as np
from numpy.typing import NDArray

from tilework.core.errors import DamagedFileError
from tilework.core.puzzle.moves import neighbor_table
from tilework.core.solver.kernels.constants import UNREACHED, VALUE
from tilework.core.solver.kernels.slides import flood_slides
from tilework.core.solver.slides.patterns import SlidePatterns, index_weights

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
