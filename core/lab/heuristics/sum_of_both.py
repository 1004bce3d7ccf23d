"""Hamming and Manhattan distance added up: not admissible.

Each of the two looks at the whole way of every tile, so that their sum counts most moves twice:
a tile beside its place is one move away and is estimated at two. A* with it is quick, and may
return a path that is too long.
"""

from __future__ import annotations

from tilework.core.lab.heuristics.hamming import Hamming
from tilework.core.lab.heuristics.manhattan import Manhattan
from tilework.core.lab.problem import Problem
from tilework.core.lab.trace import State


class SumOfBoth:
    """The estimate towards one goal; the blank does not count.

    Parameters
    ----------
    problem : Problem
        Whose goal is meant.
    """

    def __init__(self, problem: Problem) -> None:
        self._hamming = Hamming(problem)
        self._manhattan = Manhattan(problem)

    def __call__(self, state: State) -> int:
        """Return Hamming plus Manhattan distance of a state."""
        return self._hamming(state) + self._manhattan(state)
