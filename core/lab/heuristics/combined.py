"""Hamming and Manhattan distance combined: the greater, the means, the sum."""

from __future__ import annotations

from tilework.core.lab.heuristics.hamming import Hamming, HammingBlank
from tilework.core.lab.heuristics.manhattan import Manhattan
from tilework.core.lab.problem import Problem
from tilework.core.lab.trace import State


class Maximum:
    """The greater of Hamming and Manhattan distance.

    The greater of two estimates that never overestimate is the better of both. It pays where
    neither is always ahead. Here Manhattan distance always is, as a misplaced tile has at least one
    cell to go: the maximum finds what Manhattan distance finds, and takes longer.
    """

    def __init__(self, problem: Problem) -> None:
        self._hamming = Hamming(problem)
        self._manhattan = Manhattan(problem)

    def __call__(self, state: State) -> int:
        return max(self._hamming(state), self._manhattan(state))


class Mean:
    """The mean of Hamming and Manhattan distance.

    Between two estimates that never overestimate lies another that does not. It is weaker than
    Manhattan distance alone, which is never less than Hamming distance.
    """

    def __init__(self, problem: Problem) -> None:
        self._hamming = Hamming(problem)
        self._manhattan = Manhattan(problem)

    def __call__(self, state: State) -> float:
        return (self._hamming(state) + self._manhattan(state)) / 2


class MeanBlank:
    """The mean of Manhattan distance and Hamming distance with the blank.

    As in a published program. Before the last move it says 1.5: half a move too high, and never
    more. See `HammingBlank` for what follows from that.
    """

    def __init__(self, problem: Problem) -> None:
        self._hamming = HammingBlank(problem)
        self._manhattan = Manhattan(problem)

    def __call__(self, state: State) -> float:
        return (self._hamming(state) + self._manhattan(state)) / 2


class SumOfBoth:
    """Hamming and Manhattan distance added up: not admissible.

    Each of the two looks at the whole way of every tile, so that their sum counts most moves twice:
    a tile beside its place is one move away and is estimated at two. A* with it is quick, and may
    return a path that is too long.
    """

    def __init__(self, problem: Problem) -> None:
        self._hamming = Hamming(problem)
        self._manhattan = Manhattan(problem)

    def __call__(self, state: State) -> int:
        return self._hamming(state) + self._manhattan(state)
