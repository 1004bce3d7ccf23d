"""Manhattan distance: the rows and columns that each tile is away from its place, added up.

Each move brings one tile one cell on, so that no solution has fewer moves.
"""

from __future__ import annotations

from operator import getitem

from tilework.core.lab.problem import Problem
from tilework.core.lab.trace import State


class Manhattan:
    """The estimate towards one goal; the blank does not count.

    Parameters
    ----------
    problem : Problem
        Whose goal is meant.
    """

    def __init__(self, problem: Problem) -> None:
        cells = range(len(problem.goal))
        homes = {tile: divmod(cell, problem.width) for cell, tile in enumerate(problem.goal)}
        self._table = [
            [_distance(divmod(cell, problem.width), homes[tile]) if tile else 0 for tile in cells]
            for cell in cells
        ]

    def __call__(self, state: State) -> int:
        """Return the sum over the tiles of a state."""
        return sum(map(getitem, self._table, state))


def _distance(place: tuple[int, int], home: tuple[int, int]) -> int:
    return abs(place[0] - home[0]) + abs(place[1] - home[1])
