"""Manhattan distance: the rows and columns that each tile is away from its place, added up."""

from __future__ import annotations

from operator import getitem

from tilework.core.lab.problem import Problem
from tilework.core.lab.trace import State


class Manhattan:
    """Manhattan distance: the rows and columns that each tile is away from its place, added up.

    Each move brings one tile one cell on, so that no solution has fewer moves.
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


def _distance(place: tuple[int, int], home: tuple[int, int]) -> int:
    return abs(place[0] - home[0]) + abs(place[1] - home[1])


class Faulty:
    """The faulty Manhattan distance: |Δrow + Δcolumn| of each tile instead of |Δrow| + |Δcolumn|.

    A mistake that is often said to make the estimate inadmissible. It does not: |a + b| is at most
    |a| + |b|, and a move changes it by one. What it loses is strength: a tile one row down and one
    column to the left of its place counts nothing, and boards that are not the goal are estimated
    at 0. A* with it still finds a shortest path, after more work.
    """

    def __init__(self, problem: Problem) -> None:
        cells = range(len(problem.goal))
        # Row plus column; the difference of two such sums is Δrow + Δcolumn.
        diagonals = [sum(divmod(cell, problem.width)) for cell in cells]
        homes = {tile: diagonals[cell] for cell, tile in enumerate(problem.goal)}
        self._table = [
            [abs(diagonals[cell] - homes[tile]) if tile else 0 for tile in cells] for cell in cells
        ]

    def __call__(self, state: State) -> int:
        return sum(map(getitem, self._table, state))
