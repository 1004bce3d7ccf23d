"""Hamming distance: how many tiles are not in their places.

A move brings at most one tile to its place, so that no solution has fewer moves.
"""

from __future__ import annotations

from operator import ne

from tilework.core.lab.problem import Problem
from tilework.core.lab.trace import State


class Hamming:
    """The estimate towards one goal; the blank does not count.

    Parameters
    ----------
    problem : Problem
        Whose goal is meant.
    """

    def __init__(self, problem: Problem) -> None:
        self._goal = problem.goal
        self._blank = problem.goal.index(0)

    def __call__(self, state: State) -> int:
        """Return the number of misplaced tiles of a state."""
        wrong_cells: int = sum(map(ne, state, self._goal))
        # One of them is the blank's, unless the blank is in its place.
        return wrong_cells - (state[self._blank] != 0)
