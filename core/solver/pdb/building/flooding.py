"""Building the pattern databases of a partition from scratch."""

from __future__ import annotations

import logging
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
"""Threads that build, on one pattern after the other."""


def build(partition: Partition, tell: ShareListener = float) -> Entries:
    """Compute every entry of a partition's databases.

    Parameters
    ----------
    partition : Partition
    tell : callable
        Called after each level of a pattern's search, which takes a second or two at most.

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
    whole = sum(perm(size.cells, len(pattern)) for pattern in searched)
    done = 0

    def placed(more: int) -> None:
        nonlocal done
        done += more
        tell(done / whole)

    def search(pattern: Pattern) -> None:
        began = time.perf_counter()
        goal_cells = np.array(pattern, dtype=np.int64) - 1
        fill_distances(
            parts[pattern],
            size,
            goal_cells,
            size.cells - 1,
            placed,
            ranked=partition.ranked,
            threads=BUILDERS,
        )
        logger.info("built %s of %s in %.1f s", pattern, size, time.perf_counter() - began)

    def copy(pattern: Pattern) -> None:
        mapped[pattern].copy(parts[mapped[pattern].source], parts[pattern])

    for pattern in searched:
        search(pattern)
    # The kernels release the GIL.
    with ThreadPoolExecutor(BUILDERS) as builders:
        list(builders.map(copy, mapped))
    return entries
