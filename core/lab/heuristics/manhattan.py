"""Manhattan distance, correct and with a common mistake."""

from __future__ import annotations

from operator import getitem

from tilework.core.lab.problem import Problem
from tilework.core.lab.result import State


class Manhattan:
    """Manhattan distance: the sum of the rows and columns between each tile and its goal cell.

    Each move moves one tile by one cell, so it never overestimates.
    """

    def __init__(self, problem: Problem) -> None:
        cells = range(len(problem.goal))
        homes = {tile: divmod(cell, problem.width) for cell, tile in enumerate(problem.goal)}
        self._table = [
            [_distance(divmod(cell, problem.width), homes[tile]) if tile else 0 for tile in cells]
            for cell in cells
        ]

    def __call__(self, state: State) -> int:
        return sum(map(getitem, self._table, state))


def _distance(cell: tuple[int, int], home: tuple[int, int]) -> int:
    return abs(cell[0] - home[0]) + abs(cell[1] - home[1])


class Faulty:
    """Faulty Manhattan distance: |Δrow + Δcolumn| of each tile instead of |Δrow| + |Δcolumn|.

    The mistake is often claimed to make the heuristic inadmissible. It does not: |a + b| is at most
    |a| + |b|, and a move changes it by one. But the heuristic is weaker: a tile one row down and
    one column left of its goal cell counts as 0, and so can whole boards. A* still finds a shortest
    path, with more work.
    """

    def __init__(self, problem: Problem) -> None:
        cells = range(len(problem.goal))
        # The difference of two sums of row and column is Δrow + Δcolumn.
        diagonals = [sum(divmod(cell, problem.width)) for cell in cells]
        homes = {tile: diagonals[cell] for cell, tile in enumerate(problem.goal)}
        self._table = [
            [abs(diagonals[cell] - homes[tile]) if tile else 0 for tile in cells] for cell in cells
        ]

    def __call__(self, state: State) -> int:
        return sum(map(getitem, self._table, state))
