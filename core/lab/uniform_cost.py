"""To be written."""

from __future__ import annotations

from core.lab.meter import Meter
from core.lab.problem import Node, Problem


def uniform_cost(problem: Problem, meter: Meter) -> Node | None:
    """Return the goal's node."""
    raise NotImplementedError
