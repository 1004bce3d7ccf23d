"""To be written."""

from __future__ import annotations

from core.lab.meter import Meter
from core.lab.problem import Estimate, Node, Problem


def beam(problem: Problem, meter: Meter, estimate: Estimate, width: int) -> Node | None:
    """Return the goal's node."""
    raise NotImplementedError
