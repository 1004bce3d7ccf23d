"""Hamming distance with the blank counted as if it were a tile: a widespread mistake.

The last move brings a tile *and* the blank to their places. Before it two cells are wrong and one
move is left: the estimate is one too high, though never more. A* may then miss the optimum by one.
In this puzzle all paths between two boards are even or all are odd, so that it misses it by two or
not at all: a mistake that, by luck, has no consequences.
"""

from __future__ import annotations

from operator import ne

from tilework.core.lab.problem import Problem
from tilework.core.lab.trace import State


class HammingBlank:
    """The estimate towards one goal; not admissible, by one.

    Parameters
    ----------
    problem : Problem
        Whose goal is meant.
    """

    def __init__(self, problem: Problem) -> None:
        self._goal = problem.goal

    def __call__(self, state: State) -> int:
        """Return the number of cells that do not hold what the goal has there."""
        return sum(map(ne, state, self._goal))
