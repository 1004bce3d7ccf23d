"""To be written."""

from __future__ import annotations

from core.lab.meter import Meter
from core.lab.problem import Node, Problem


def iterative_deepening(problem: Problem, meter: Meter) -> Node | None:
    """Return the goal's node."""
    raise NotImplementedError
