"""Misplaced cells plus |Δcolumn + Δrow| of each of them, the blank counted in both.

As in a published greedy search. Two known mistakes are added up here: the blank counted as a tile
(`hamming_blank`) and the sum taken before the absolute value (`faulty`). Before the last move two
cells are wrong and each is one step away from its place, which makes 4 for one move.
"""

from __future__ import annotations

from operator import getitem

from tilework.core.lab.problem import Problem
from tilework.core.lab.trace import State


class HammingDiagonal:
    """The estimate towards one goal; not admissible.

    Parameters
    ----------
    problem : Problem
        Whose goal is meant.
    """

    def __init__(self, problem: Problem) -> None:
        cells = range(len(problem.goal))
        # Row plus column; the difference of two such sums is Δrow + Δcolumn.
        diagonals = [sum(divmod(cell, problem.width)) for cell in cells]
        homes = {tile: cell for cell, tile in enumerate(problem.goal)}
        self._table = [
            [
                (cell != homes[tile]) + abs(diagonals[cell] - diagonals[homes[tile]])
                for tile in cells
            ]
            for cell in cells
        ]

    def __call__(self, state: State) -> int:
        """Return the sum over the cells of a state."""
        return sum(map(getitem, self._table, state))
