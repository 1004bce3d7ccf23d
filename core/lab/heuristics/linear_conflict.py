"""To be written."""

from __future__ import annotations

from core.lab.problem import Problem
from core.search.trace import State


class LinearConflict:
    """To be written."""

    def __init__(self, problem: Problem) -> None:
        del problem

    def __call__(self, state: State) -> float:
        """Return the estimate of a state."""
        raise NotImplementedError
