"""Which candidates of a level stay: the best ones, and the best of each region of the blank."""

from __future__ import annotations

import numpy as np

from tilework.core.compiling import part
from tilework.core.solver.kernels.constants import INDEX

BINS = 1 << 12
"""Potentials over a level's least are told apart up to this; the others count as equal."""

_COARSE_BITS = 6
COARSE_BINS = BINS >> _COARSE_BITS


@part
def _cut_regions(found, count, least, regions, quotas, counts, cuts):
    """Find up to which potential each region's best are kept, whatever the others have.

    Returns
    -------
    int
        How many those are.
    """
    for region in range(quotas.size):
        for bin_ in range(COARSE_BINS):
            counts[INDEX(region), INDEX(bin_)] = 0
    for one in range(count):
        over = min((found[INDEX(one), 0] - least) >> _COARSE_BITS, COARSE_BINS - 1)
        counts[INDEX(regions[INDEX(found[INDEX(one), 3])]), INDEX(over)] += 1
    kept = np.int64(0)
    for region in range(quotas.size):
        room = quotas[INDEX(region)]
        cut = np.int64(0)
        while cut < COARSE_BINS - 1 and counts[INDEX(region), INDEX(cut)] <= room:
            room -= counts[INDEX(region), INDEX(cut)]
            cut += 1
        cuts[INDEX(region)] = cut << _COARSE_BITS
        kept += quotas[INDEX(region)] - room
    return kept


@part
def choose_with_quotas(
    found, count, width, least, regions, quotas, region_counts, cuts, counts, chosen
):
    """Choose the candidates that stay; fill ``chosen`` in their order, return their number."""
    for region in range(cuts.size):
        cuts[INDEX(region)] = 0
    last = np.int64(BINS)
    room = np.int64(0)
    if count > width:
        room = np.int64(width)
        if quotas.size > 1:
            room -= _cut_regions(found, count, least, regions, quotas, region_counts, cuts)
        for bin_ in range(BINS):
            counts[INDEX(bin_)] = 0
        for one in range(count):
            over = min(found[INDEX(one), 0] - least, BINS - 1)
            if over >= cuts[INDEX(regions[INDEX(found[INDEX(one), 3])])]:
                counts[INDEX(over)] += 1
        last = np.int64(0)
        while last < BINS and counts[INDEX(last)] <= room:
            room -= counts[INDEX(last)]
            last += 1
    kept = np.int64(0)
    for one in range(count):
        over = min(found[INDEX(one), 0] - least, BINS - 1)
        if over >= last and over >= cuts[INDEX(regions[INDEX(found[INDEX(one), 3])])]:
            if over > last or room == 0:
                continue
            room -= 1
        chosen[INDEX(kept)] = one
        kept += 1
    return kept
