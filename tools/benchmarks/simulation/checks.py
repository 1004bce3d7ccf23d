"""What the check of a searched threshold's record takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tilework.core.services.farm.trust.checking import MOST_SLICES
from tilework.core.solver.optimal.proof.recheck import drawn

# A check reads the row of each slice and compares cursors, where there are not too many.
READ_SLICE_S = 0.02e-3
ALGEBRA_SLICE_S = 0.15e-3


@dataclass(frozen=True)
class Check:
    """A threshold's record, to be checked."""

    seconds: float


def check_seconds(slices: Sequence[tuple[int, float]], seed: int) -> float:
    """Return how long a check of slices takes, by their nodes and seconds."""
    nodes = [one for one, _ in slices]
    again = sum(slices[place][1] for place in drawn(nodes, str(seed)))
    if len(slices) > MOST_SLICES:
        return READ_SLICE_S * len(slices)
    return (READ_SLICE_S + ALGEBRA_SLICE_S) * len(slices) + again
