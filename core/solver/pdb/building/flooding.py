"""Building the pattern databases of a partition from scratch."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from math import perm

import numpy as np

from tilework.core.solver.kernels.constants import UNREACHED, VALUE
from tilework.core.solver.pdb.distances import Entries, fill_distances
from tilework.core.solver.pdb.patterns import Partition

logger = logging.getLogger(__name__)
ShareListener = Callable[[float], object]  # called with the share that is done, from 0 to 1
BUILDERS = 2  # threads that build, on one pattern after the other


def build(partition: Partition, tell: ShareListener = float) -> Entries:
    """Compute every entry of a partition's databases.

    Parameters
    ----------
    tell : callable
        Called after each level of a pattern's search, which takes a second or two at most.

    Returns
    -------
    uint8[partition.length]; fewest moves of the pattern's tiles from each placement to the goal, or
        255 where no placement has that index

    Notes
    -----
    R. Korf and A. Felner, "Disjoint pattern database heuristics", Artificial Intelligence 134
    (2002). Moves of the other tiles are free, which makes the sum over the patterns admissible.
    """
    size = partition.size
    entries = np.full(partition.length, UNREACHED, dtype=VALUE)
    whole = sum(perm(size.cells, len(part.pattern)) for part in partition.parts)
    done = 0

    def placed(more: int) -> None:
        nonlocal done
        done += more
        tell(done / whole)

    for part, of_part in zip(
        partition.parts, np.split(entries, partition.offsets[1:]), strict=True
    ):
        began = time.perf_counter()
        fill_distances(
            of_part,
            size,
            np.array(part.pattern, dtype=np.int64) - 1,
            part.blank,
            placed,
            ranked=partition.ranked,
            threads=BUILDERS,
        )
        logger.info("built %s of %s in %.1f s", part.pattern, size, time.perf_counter() - began)
    return entries
