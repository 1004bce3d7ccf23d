"""When pattern databases are worth the time that it takes to build them.

How long a search will take is not known in advance. This is the ski-rental problem: without knowing
how many days there will be snow, rent until the rent that could have been saved reaches a share of
the price.

The share would be the whole if a build stopped the search. It runs beside it and so costs less
than it takes: what a search may lose is a part of its processor, for as long as the build lasts.
"""

from __future__ import annotations

from math import perm
from typing import Final

from tilework.core.search.processors import usable_processors
from tilework.core.solver.pdb.building.flooding import BUILDERS
from tilework.core.solver.pdb.patterns import Partition

SHARE: Final = 0.25
"""Share of the price that must have been lost before a build starts."""

_DIGITS_S: Final = 65e-9
_RANKED_S: Final = 38e-9
"""Processor time of a placement, see `benchmarks.pattern_databases`."""

_TIME_LEFT: Final = {"4x4 7-8": 0.45}
_OTHER_TIME_LEFT: Final = 0.1
"""By title, what a search takes with a partition, as a share of what it takes with what is there
without it. See `benchmarks.techniques`: Korf's 100, and Korf24 #25, #38 and #40."""


def seconds_to_build(partition: Partition, processors: int | None = None) -> float:
    """Estimate how long a partition's build takes on a host that does nothing else.

    Parameters
    ----------
    partition : Partition
    processors : int, optional
        `usable_processors` by default.
    """
    processors = processors or usable_processors()
    cells = partition.size.cells
    placements = sum(perm(cells, len(part.pattern)) for part in partition.parts)
    each_s = _RANKED_S if partition.ranked else _DIGITS_S
    return placements * each_s / min(processors, BUILDERS)


def pays(partition: Partition, searched_s: float, left_s: float | None) -> bool:
    """Whether to start a build now, beside a search.

    Parameters
    ----------
    partition : Partition
        Which would serve the search better than what is there.
    searched_s : float
        Seconds that were spent on searches which it would have served.
    left_s : float or None
        Seconds after which the searches end in any case; None if unknown.
    """
    price_s = seconds_to_build(partition)
    saved = 1.0 - _TIME_LEFT.get(partition.title, _OTHER_TIME_LEFT)
    if left_s is not None and left_s < price_s * (1.0 + SHARE):
        return False
    return searched_s * saved >= price_s * SHARE
