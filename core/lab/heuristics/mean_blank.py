"""The mean of Manhattan distance and Hamming distance with the blank.

So a published program has it. Before the last move it says 1.5: half a move too high, and never
more. What follows from that, and what does not, see `hamming_blank`.
"""

from __future__ import annotations

from core.lab.heuristics.hamming_blank import HammingBlank
from core.lab.heuristics.manhattan import Manhattan
from core.lab.problem import Problem
from core.lab.trace import State


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
