"""The greater of Hamming and Manhattan distance.

The greater of two estimates that never overestimate is the better of both. It pays where neither
is always ahead. Here Manhattan distance always is, as a misplaced tile has at least one cell to go:
the maximum finds what Manhattan distance finds, and takes longer.
"""

from __future__ import annotations

from tilework.core.lab.heuristics.hamming import Hamming
from tilework.core.lab.heuristics.manhattan import Manhattan
from tilework.core.lab.problem import Problem
from tilework.core.lab.trace import State


class Maximum:
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
        """Return the greater distance of a state."""
        return max(self._hamming(state), self._manhattan(state))
