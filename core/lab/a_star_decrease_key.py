"""To be written."""

from __future__ import annotations

from core.lab.meter import Meter
from core.lab.problem import Estimate, Node, Problem


def a_star_decrease_key(problem: Problem, meter: Meter, estimate: Estimate) -> Node | None:
    """Return the goal's node."""
    raise NotImplementedError
