"""Selection of a learned beam's next level, with quotas for the regions of the blank."""

import numpy as np

from tilework.core.compiling import subroutine
from tilework.core.solver.kernels.constants import INDEX

# Potentials above a level's minimum by this or more are considered equal
BINS = 1 << 12

_COARSE_BITS = 6
COARSE_BINS = BINS >> _COARSE_BITS


@subroutine
def _limit_regions(candidates, count, minimum, regions, reserved, counts, limits):
    """Find the limits below which each region's boards are kept; return the number kept."""
    for region in range(limits.size):
        limits[INDEX(region)] = 0
        for bin_ in range(COARSE_BINS):
            counts[INDEX(region), INDEX(bin_)] = 0
    occupied = np.int64(0)
    for candidate in range(count):
        excess = min((candidates[INDEX(candidate), 0] - minimum) >> _COARSE_BITS, COARSE_BINS - 1)
        region = INDEX(regions[INDEX(candidates[INDEX(candidate), 3])])
        occupied += limits[region] == 0
        limits[region] = 1
        counts[region, INDEX(excess)] += 1
    quota = reserved // occupied
    selected = np.int64(0)
    for region in range(limits.size):
        remaining = quota
        limit_bin = np.int64(0)
        while limit_bin < COARSE_BINS - 1 and counts[INDEX(region), INDEX(limit_bin)] <= remaining:
            remaining -= counts[INDEX(region), INDEX(limit_bin)]
            limit_bin += 1
        limits[INDEX(region)] = limit_bin << _COARSE_BITS
        selected += quota - remaining
    return selected


@subroutine
def select_with_quotas(
    candidates, count, width, minimum, regions, reserved, region_counts, limits, counts, selection
):
    """Write the selected candidates to ``selection`` in order; return their number."""
    for region in range(limits.size):
        limits[INDEX(region)] = 0
    last_bin = np.int64(BINS)
    remaining = np.int64(0)
    if count > width:
        remaining = np.int64(width)
        if reserved:
            remaining -= _limit_regions(
                candidates, count, minimum, regions, reserved, region_counts, limits
            )
        for bin_ in range(BINS):
            counts[INDEX(bin_)] = 0
        for candidate in range(count):
            excess = min(candidates[INDEX(candidate), 0] - minimum, BINS - 1)
            if excess >= limits[INDEX(regions[INDEX(candidates[INDEX(candidate), 3])])]:
                counts[INDEX(excess)] += 1
        last_bin = np.int64(0)
        while last_bin < BINS and counts[INDEX(last_bin)] <= remaining:
            remaining -= counts[INDEX(last_bin)]
            last_bin += 1
    selected = np.int64(0)
    for candidate in range(count):
        excess = min(candidates[INDEX(candidate), 0] - minimum, BINS - 1)
        if (
            excess >= last_bin
            and excess >= limits[INDEX(regions[INDEX(candidates[INDEX(candidate), 3])])]
        ):
            if excess > last_bin or remaining == 0:
                continue
            remaining -= 1
        selection[INDEX(selected)] = candidate
        selected += 1
    return selected
