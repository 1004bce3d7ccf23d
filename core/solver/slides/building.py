"""Building the pattern databases of slides from scratch."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from math import perm

import numpy as np
from numpy.typing import NDArray

from tilework.core.solver.grid import neighbors_of
from tilework.core.solver.kernels.constants import UNREACHED, VALUE
from tilework.core.solver.kernels.slides.flood import flood_slides
from tilework.core.solver.slides.patterns import SlidePatterns

_BUILDERS = 2
"""Patterns built at a time: each needs memory for its levels."""


def build(patterns: SlidePatterns, tell: Callable[[float], object] = float) -> NDArray[np.uint8]:
    """Compute every entry.

    Parameters
    ----------
    patterns : SlidePatterns
    tell : callable
        Called with the share that is built, from 0 to 1, after each pattern.

    Returns
    -------
    uint8 array, shape (patterns.length,)
        Fewest slides that bring the blank and a pattern's tiles home from each placement, or 255
        where no placement has that index. The first cell of an index, its last digit in the base
        of the cells, is the blank's.
    """
    entries = np.full(patterns.length, UNREACHED, dtype=VALUE)
    parts = np.split(entries, len(patterns.groups))
    with ThreadPoolExecutor(_BUILDERS) as builders:
        fill = partial(_fill, patterns)
        for done, _ in enumerate(builders.map(fill, parts, patterns.groups), 1):
            tell(done / len(parts))
    return entries


def weights_of(patterns: SlidePatterns) -> NDArray[np.int64]:
    """By piece, what one cell further adds to an index."""
    return patterns.size.cells ** np.arange(patterns.pieces, dtype=np.int64)


def _fill(patterns: SlidePatterns, part: NDArray[np.uint8], group: tuple[int, ...]) -> None:
    weights = weights_of(patterns)
    neighbors = neighbors_of(patterns.size)
    goal = int(weights @ np.array([patterns.blank, *group]))
    part[goal] = 0
    room = perm(patterns.size.cells, patterns.pieces)
    level, following = np.empty(room, dtype=np.uint32), np.empty(room, dtype=np.uint32)
    level[0], count, moved = goal, 1, 0
    while count:
        moved += 1
        count = flood_slides(part, level, count, following, moved, weights, neighbors)
        level, following = following, level
