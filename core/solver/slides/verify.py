"""Checking pattern databases of slides by what entries one slide apart say of each other."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from tilework.core.errors import DamagedFileError
from tilework.core.solver.grid import neighbors_of
from tilework.core.solver.kernels.constants import UNREACHED
from tilework.core.solver.slides.patterns import SlidePatterns


def verify_some(patterns: SlidePatterns, entries: NDArray[np.uint8], count: int) -> None:
    """Check random placements of each pattern, and the goal.

    One slide away from a placement at some distance is one at a distance less by one, and none
    whose distance differs by more; the goal alone has distance 0.

    Parameters
    ----------
    patterns : SlidePatterns
    entries : uint8 array, shape (patterns.length,)
    count : int
        Placements of each pattern.

    Raises
    ------
    DamagedFileError
        At the first wrong entry.
    """
    dice = np.random.default_rng()
    parts = np.split(entries, len(patterns.groups))
    for part, group in zip(parts, patterns.groups, strict=True):
        goal = [patterns.blank, *group]
        drawn = [dice.permutation(patterns.size.cells)[: patterns.pieces] for _ in range(count)]
        for placement in [goal, *(one.tolist() for one in drawn)]:
            here = _entry(patterns, part, placement)
            around = [_entry(patterns, part, one) for one in _slid(patterns, placement)]
            if here == 0:
                right = placement == goal and set(around) == {1}
            elif here == UNREACHED:
                right = set(around) == {UNREACHED}
            else:
                right = min(around) == here - 1 and max(around) <= here + 1
            if not right:
                raise DamagedFileError(
                    "slides-entry",
                    "the entry of {cells} is {entry}, which those one slide away contradict",
                    cells=placement,
                    entry=here,
                )


def _entry(patterns: SlidePatterns, part: NDArray[np.uint8], placement: list[int]) -> int:
    cells = patterns.size.cells
    return int(part[sum(cell * cells**piece for piece, cell in enumerate(placement))])


def _slid(patterns: SlidePatterns, placement: list[int]) -> Iterator[list[int]]:
    """Yield the placements one slide away: the blank's cell first, then the tiles'."""
    neighbors = neighbors_of(patterns.size)
    for move in range(4):
        blank, *tiles = placement
        while (cell := int(neighbors[blank, move])) >= 0:
            tiles = [blank if tile == cell else tile for tile in tiles]
            blank = cell
            yield [blank, *tiles]
