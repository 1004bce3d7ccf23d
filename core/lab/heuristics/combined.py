"""Combinations of Hamming and Manhattan distance: maximum, means and sum."""

from __future__ import annotations

from tilework.core.lab.heuristics.hamming import Hamming, HammingBlank
from tilework.core.lab.heuristics.manhattan import Manhattan
from tilework.core.lab.problem import Problem
from tilework.core.lab.result import State


class _Combination:
    def __init__(self, problem: Problem) -> None:
        self._hamming = Hamming(problem)
        self._manhattan = Manhattan(problem)


class Maximum(_Combination):
    """The maximum of Hamming and Manhattan distance.

    The maximum of two admissible heuristics is admissible and at least as strong as either. It
    helps if neither dominates the other. Here Manhattan distance always dominates, because a
    misplaced tile is at least one cell away: the maximum has the same values and is slower.
    """

    def __call__(self, state: State) -> int:
        return max(self._hamming(state), self._manhattan(state))


class Mean(_Combination):
    """The mean of Hamming and Manhattan distance.

    The mean of two admissible heuristics is admissible. It is weaker than Manhattan distance alone,
    which is never less than Hamming distance.
    """

    def __call__(self, state: State) -> float:
        return (self._hamming(state) + self._manhattan(state)) / 2


class MeanBlank:
    """The mean of Manhattan distance and Hamming distance with the blank.

    Used by a published program. One move before the goal it is 1.5, which is half a move too high;
    it is never off by more. `HammingBlank` explains the consequences.
    """

    def __init__(self, problem: Problem) -> None:
        self._hamming = HammingBlank(problem)
        self._manhattan = Manhattan(problem)

    def __call__(self, state: State) -> float:
        return (self._hamming(state) + self._manhattan(state)) / 2


class Sum(_Combination):
    """The sum of Hamming and Manhattan distance, which is not admissible.

    Both measure the whole path of every tile, so the sum counts most moves twice: a tile next to
    its goal cell is one move away and is estimated at two. A* with it is fast, but its path may be
    too long.
    """

    def __call__(self, state: State) -> int:
        return self._hamming(state) + self._manhattan(state)
