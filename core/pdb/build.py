"""Building the databases of a partition, from nothing."""

from __future__ import annotations

import logging
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
from numpy.typing import NDArray

from core.kernels.constants import UNREACHED, VALUE
from core.kernels.flood import flood
from core.pdb.patterns import Partition, Pattern, weights
from core.puzzle.board import Size

logger = logging.getLogger(__name__)

Entries = NDArray[np.uint8]

BUILDERS = 2
"""Patterns built at a time: each needs memory for its sets of blank cells."""


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
    entries = np.full(partition.length, UNREACHED, dtype=VALUE)
    parts = np.split(entries, partition.offsets[1:])
    # The kernel lets go of Python's lock: patterns are built side by side.
    with ThreadPoolExecutor(BUILDERS) as builders:
        list(builders.map(partial(_fill, partition.size), partition.patterns, parts))
    return entries


def _fill(size: Size, pattern: Pattern, entries: Entries) -> None:
    began = time.perf_counter()
    states = flood(
        entries,
        np.zeros(entries.size, dtype=_set_of(size.cells)),
        np.array(pattern, dtype=np.int64) - 1,
        size.cells - 1,
        weights(pattern, size),
        size.width,
        size.height,
    )
    seconds = time.perf_counter() - began
    logger.info("built pattern %s of %s: %d states in %.1f s", pattern, size, states, seconds)


def _set_of(cells: int) -> type[np.unsignedinteger]:
    """Return the smallest dtype with a bit for each cell: the builder's memory is mostly this."""
    return np.uint16 if cells <= 16 else np.uint64
