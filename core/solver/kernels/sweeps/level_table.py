"""A hash table of one level's children, which the next level finds empty without clearing it.

An entry is a hash's upper bits and the level's lower bits.
"""

from __future__ import annotations

import numpy as np

from tilework.core.compiling import part

_LEVEL_BITS = np.uint64((1 << 24) - 1)
_HASH_BITS = ~_LEVEL_BITS


@part
def look_up(slots, key, level):
    """Return the slot of a key, and the entry to be written there where it is not there yet.

    Parameters
    ----------
    slots : uint64[2ⁿ]
        More than the level has children.
    key : uint64
    level : int64
        From 1, under 2²⁴.
    """
    mixed = key * np.uint64(0x9E3779B97F4A7C15)
    mixed ^= mixed >> np.uint64(32)
    mask = np.uint64(slots.size - 1)
    slot = mixed & mask
    mark = (mixed & _HASH_BITS) | np.uint64(level)
    # Slots of other levels are free.
    while slots[slot] != mark and (slots[slot] & _LEVEL_BITS) == np.uint64(level):
        slot = (slot + np.uint64(1)) & mask
    return slot, mark
