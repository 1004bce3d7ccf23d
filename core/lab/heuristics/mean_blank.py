"""The mean of Manhattan distance and Hamming distance with the blank.

As in a published program. Before the last move it says 1.5: half a move too high, and never more.
See `hamming_blank` for what follows from that.
"""

from __future__ import annotations

from tilework.core.lab.heuristics.hamming_blank import HammingBlank
from tilework.core.lab.heuristics.manhattan import Manhattan
from tilework.core.lab.problem import Problem
from tilework.core.lab.trace import State


class MeanBlank:
    """The estimate towards one goal, in halves; not admissible.

    Parameters
    ----------
    problem : Problem
        Whose goal is meant.
    """

    def __init__(self, problem: Problem) -> None:
        self._hamming = HammingBlank(problem)
        self._manhattan = Manhattan(problem)

    def __call__(self, state: State) -> float:
        """Return half the sum of both distances of a state."""
        return (self._hamming(state) + self._manhattan(state)) / 2
