"""How long all fifty 24-puzzles would take, judged by those that were solved.

Others have published their node counts for all fifty. The ratio of our nodes to theirs varies
from board to board about a geometric mean; the boards that are left are taken to have ratios of
the same mean and spread. Of the published searches, the one whose ratios spread least is used.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tools.benchmarks.instances import Instance

CORES = 2
DRAWS = 20_000
SEED = 50

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Projection:
    """The estimate and what it rests on.

    Attributes
    ----------
    nodes_per_s : float
        Of two cores together, over the boards solved two at a time, or else over all.
    reference : str
        Name of the published search that ours is compared with.
    ratio, spread : float
        Geometric mean of our nodes by theirs, and the factor of one standard deviation.
    held_out : float or None
        Nodes of the harder half as predicted from the easier half, by their true number.
    nodes, hours : triple of float or None
        10th percentile, median and 90th percentile for all fifty, the solved ones included; None
        below three solved boards.
    """

    nodes_per_s: float
    reference: str
    ratio: float
    spread: float
    held_out: float | None
    nodes: tuple[float, float, float] | None
    hours: tuple[float, float, float] | None


def project(instances: Sequence[Instance], rows: Sequence[dict[str, Any]]) -> Projection:
    """Estimate all fifty from the rows of those that were solved."""
    ours = {row["board"]: float(row["nodes"]) for row in rows}
    # A core that shares the machine with another search is what the projection is about.
    timed = [row for row in rows if row["cores"] == CORES] or rows
    rate = sum(row["nodes"] for row in timed) / sum(row["seconds"] for row in timed)
    nodes_per_s = CORES * rate
    by_number = {one.number: one for one in instances}
    solved = sorted(ours, key=lambda number: ours[number])
    left = [number for number in by_number if number not in ours]

    def logs_of(reference: str) -> Floats:
        return np.log([ours[n] / by_number[n].published[reference] for n in solved])

    references = instances[0].published
    reference = min(references, key=lambda name: float(np.std(logs_of(name))))
    logs = logs_of(reference)
    spread = float(np.std(logs, ddof=1)) if len(logs) > 1 else 0.0
    nodes = hours = None
    if len(solved) > 2:
        theirs = np.array([by_number[n].published[reference] for n in left], dtype=np.float64)
        drawn = sum(ours.values()) + _totals(logs, theirs)
        low, middle, high = (float(np.percentile(drawn, part)) for part in (10, 50, 90))
        nodes = (low, middle, high)
        hours = (low / nodes_per_s / 3600, middle / nodes_per_s / 3600, high / nodes_per_s / 3600)
    known = np.array([by_number[n].published[reference] for n in solved], dtype=np.float64)
    return Projection(
        nodes_per_s=nodes_per_s,
        reference=reference,
        ratio=float(np.exp(logs.mean())),
        spread=float(np.exp(spread)),
        held_out=_held_out(logs, known),
        nodes=nodes,
        hours=hours,
    )


def _totals(logs: Floats, theirs: Floats) -> Floats:
    """Draw sums of nodes over boards whose ratios are not known, nor quite their mean."""
    random = np.random.default_rng(SEED)
    spread = np.std(logs, ddof=1)
    means = random.normal(logs.mean(), spread / np.sqrt(len(logs)), size=(DRAWS, 1))
    ratios = np.exp(random.normal(means, spread, size=(DRAWS, len(theirs))))
    totals: Floats = ratios @ theirs
    return totals


def _held_out(logs: Floats, theirs: Floats) -> float | None:
    half = len(logs) // 2
    if half < 3:
        return None
    predicted = float(np.median(_totals(logs[:half], theirs[half:])))
    return predicted / float(np.exp(logs[half:]) @ theirs[half:])
