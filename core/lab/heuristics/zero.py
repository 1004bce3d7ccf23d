"""No estimate at all: with it A* becomes uniform-cost search."""

from __future__ import annotations

from core.lab.problem import Problem
from core.lab.trace import State


class Zero:
    """Knows nothing of any goal."""

    def __init__(self, problem: Problem) -> None:
        del problem

    def __call__(self, state: State) -> int:
        """Return 0."""
        return 0
