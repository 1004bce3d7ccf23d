"""No estimate at all: with it A* becomes uniform-cost search."""

from __future__ import annotations

from tilework.core.lab.problem import Problem
from tilework.core.lab.trace import State


class Zero:
    """The estimate of 0 for every state."""

    def __init__(self, problem: Problem) -> None:
        del problem

    def __call__(self, state: State) -> int:
        """Return 0."""
        return 0
