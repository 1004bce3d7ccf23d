"""Building the databases of a partition, from nothing."""

from __future__ import annotations

import logging
import time

import numpy as np
from numpy.typing import NDArray

from core.kernels.constants import UNREACHED, VALUE
from core.kernels.flood import flood
from core.pdb.patterns import Partition, weights

logger = logging.getLogger(__name__)

Entries = NDArray[np.uint8]


def build(partition: Partition) -> Entries:
    """Compute every entry of a partition's databases.

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
    width, height = partition.size
    cells = partition.size.cells
    entries = np.full(partition.length, UNREACHED, dtype=VALUE)
    for pattern, offset, length in zip(
        partition.patterns, partition.offsets, partition.lengths, strict=True
    ):
        began = time.perf_counter()
        states = flood(
            entries[offset : offset + length],
            np.zeros(length, dtype=_set_of(cells)),
            np.array(pattern, dtype=np.int64) - 1,
            cells - 1,
            weights(pattern, partition.size),
            width,
            height,
        )
        logger.info(
            "built pattern %s of %s: %d states in %.1f s",
            pattern,
            partition.size,
            states,
            time.perf_counter() - began,
        )
    return entries


def _set_of(cells: int) -> type[np.unsignedinteger]:
    """Return the smallest dtype with a bit for each cell: the builder's memory is mostly this."""
    return np.uint16 if cells <= 16 else np.uint64
