"""To be written."""

from __future__ import annotations

from core.lab.meter import Meter
from core.lab.problem import Estimate, Node, Problem


def weighted_a_star(
    problem: Problem, meter: Meter, estimate: Estimate, weight: float
) -> Node | None:
    """Return the goal's node."""
    raise NotImplementedError
