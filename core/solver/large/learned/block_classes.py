"""Classes of 2 × 2 blocks that are the same but for a symmetry of the square."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from tilework.core.solver.kernels.learned.potential import CODES
from tilework.core.solver.kernels.learned.symmetry import canonical_blocks


@dataclass(frozen=True, slots=True)
class BlockClasses:
    """All blocks by class.

    Attributes
    ----------
    of_block : int32 array, shape (CODES ** 4,)
        Each block's class.
    examples : int64 array, shape (classes,)
        A block of each class, in increasing order.
    """

    of_block: NDArray[np.int32]
    examples: NDArray[np.int64]


@lru_cache(maxsize=1)
def block_classes() -> BlockClasses:
    """Return the classes, made in some 20 ms at the first call."""
    least = np.empty(CODES**4, dtype=np.int32)
    canonical_blocks(least)
    is_least = least == np.arange(least.size)
    numbers = np.cumsum(is_least, dtype=np.int32) - 1
    return BlockClasses(numbers[least], np.flatnonzero(is_least))
