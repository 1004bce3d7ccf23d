"""Selection of the best children of a level, by counting."""

import numpy as np

from tilework.core.compiling import subroutine

_LEVEL_BITS = np.uint64((1 << 24) - 1)
_HASH_BITS = ~_LEVEL_BITS


@subroutine
def find_slot(slots, key, level):
    """Return the slot of a key, and the entry to write to it if the key is new."""
    mixed = key * np.uint64(0x9E3779B97F4A7C15)
    mixed ^= mixed >> np.uint64(32)
    mask = np.uint64(slots.size - 1)
    slot = mixed & mask
    entry = (mixed & _HASH_BITS) | np.uint64(level)
    # Slots with entries of other levels are free.
    while slots[slot] != entry and (slots[slot] & _LEVEL_BITS) == np.uint64(level):
        slot = (slot + np.uint64(1)) & mask
    return slot, entry


REPLACED = 1 << 30  # key of a child that was replaced by a better duplicate
BUCKETS = 4096
_SHIFT = 4
_FINE_BUCKETS = 1 << _SHIFT


@subroutine
def select_best(keys, count, width, counts, keep):
    """Mark the ``width`` children with the smallest keys; of equal keys, the first ones."""
    minimum = REPLACED
    for i in range(count):
        minimum = min(minimum, keys[i])
    counts[:] = 0
    for i in range(count):
        counts[min(BUCKETS - 1, (keys[i] - minimum) >> _SHIFT)] += 1
    selected = 0
    bucket = 0
    while bucket < BUCKETS - 1 and selected + counts[bucket] <= width:
        selected += counts[bucket]
        bucket += 1
    # Keys below the limit are selected, and as many keys equal to it as there is room for.
    limit = minimum + (bucket << _SHIFT)
    if bucket < BUCKETS - 1:
        counts[:_FINE_BUCKETS] = 0
        for i in range(count):
            if 0 <= keys[i] - limit < _FINE_BUCKETS:
                counts[keys[i] - limit] += 1
        offset = 0
        while selected + counts[offset] <= width:
            selected += counts[offset]
            offset += 1
        limit += offset
    room = width - selected
    for i in range(count):
        keep[i] = keys[i] < limit
        if keys[i] == limit and room > 0 and limit < REPLACED:
            keep[i] = 1
            room -= 1


@subroutine
def keep_best(keys, distances, count, keep):
    """Mark the child with the smallest key, preferably one that has solved the block."""
    best = -1
    for i in range(count):
        keep[i] = 0
        if keys[i] == REPLACED:
            continue
        is_solved = distances[i] == 0
        if best < 0 or (is_solved and distances[best] > 0):
            best = i
        elif is_solved == (distances[best] == 0) and keys[i] < keys[best]:
            best = i
    keep[best] = 1
