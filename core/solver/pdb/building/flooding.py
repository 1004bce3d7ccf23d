"""Building the pattern databases of a partition from scratch."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from math import perm

import numpy as np

from tilework.core.solver.kernels.constants import UNREACHED, VALUE
from tilework.core.solver.pdb.distances import Entries, fill_distances
from tilework.core.solver.pdb.patterns import Partition, Pattern
from tilework.core.solver.pdb.symmetry import symmetries

logger = logging.getLogger(__name__)

ShareListener = Callable[[float], object]
"""Called with the share that is done, from 0 to 1."""

BUILDERS = 2
"""Patterns built at a time, each of which needs memory for its sets of blank cells; or threads on
one, where placements are ranked."""


def build(partition: Partition, tell: ShareListener = float) -> Entries:
    """Compute every entry of a partition's databases.

    Parameters
    ----------
    partition : Partition
    tell : callable
        Called after each level of a pattern's search, which may take half a minute; from several
        threads but by one at a time.

    Returns
    -------
    uint8 array, shape (partition.length,)
        Fewest moves of the pattern's tiles from each placement to the goal, or 255 where no
        placement has that index.

    Notes
    -----
    R. Korf and A. Felner, "Disjoint pattern database heuristics", Artificial Intelligence 134
    (2002). Moves of the other tiles are free, which makes the sum over the patterns admissible.
    """
    size = partition.size
    entries = np.full(partition.length, UNREACHED, dtype=VALUE)
    views = np.split(entries, partition.offsets[1:])
    parts = dict(zip(partition.patterns, views, strict=True))
    mapped = symmetries(partition)
    searched = [pattern for pattern in parts if pattern not in mapped]
    count = _Count(sum(perm(size.cells, len(pattern)) for pattern in searched), tell)

    def search(pattern: Pattern) -> None:
        began = time.perf_counter()
        goal_cells = np.array(pattern, dtype=np.int64) - 1
        fill_distances(
            parts[pattern],
            size,
            goal_cells,
            size.cells - 1,
            count,
            ranked=partition.ranked,
            threads=BUILDERS,
        )
        logger.info("built %s of %s in %.1f s", pattern, size, time.perf_counter() - began)

    def copy(pattern: Pattern) -> None:
        mapped[pattern].copy(parts[mapped[pattern].source], parts[pattern])

    # The kernels release the GIL: patterns are built in parallel, or parts of one.
    with ThreadPoolExecutor(1 if partition.ranked else BUILDERS) as builders:
        list(builders.map(search, searched))
        list(builders.map(copy, mapped))
    return entries


class _Count:
    """Adds up what the builders report, and passes the total share on."""

    def __init__(self, whole: int, tell: ShareListener) -> None:
        self._whole = whole
        self._tell = tell
        self._done = 0
        self._lock = threading.Lock()

    def __call__(self, more: int) -> None:
        with self._lock:
            self._done += more
            self._tell(self._done / self._whole)
