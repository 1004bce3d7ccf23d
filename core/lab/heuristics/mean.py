"""The mean of Hamming and Manhattan distance.

Between two estimates that never overestimate lies another that does not. It is weaker than
Manhattan distance alone, which is never less than Hamming distance.
"""

from __future__ import annotations

from tilework.core.lab.heuristics.hamming import Hamming
from tilework.core.lab.heuristics.manhattan import Manhattan
from tilework.core.lab.problem import Problem
from tilework.core.lab.trace import State


class Mean:
    """The estimate towards one goal, in halves; the blank does not count.

    Parameters
    ----------
    problem : Problem
        Whose goal is meant.
    """

    def __init__(self, problem: Problem) -> None:
        self._hamming = Hamming(problem)
        self._manhattan = Manhattan(problem)

    def __call__(self, state: State) -> float:
        """Return half the sum of Hamming and Manhattan distance of a state."""
        return (self._hamming(state) + self._manhattan(state)) / 2
