"""Linear conflict: Manhattan distance, and two moves for each tile that has to step aside.

Two tiles that are both in the row they belong to, in the wrong order, cannot pass each other: one
has to leave the row and come back, two moves that Manhattan distance does not count. Of any number
of tiles in conflict, the fewest that have to leave are all but the longest run that is in order.
The same holds for columns. A tile may have to step aside in both, with different moves.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache, partial

from tilework.core.lab.heuristics.manhattan import Manhattan
from tilework.core.lab.problem import Problem
from tilework.core.lab.trace import State

# Of a board's lines together, some 30 MB: all there are at 3×3, else those that come up again soon.
_LINES_KEPT = 100_000


class LinearConflict:
    """The estimate towards one goal.

    Hansson, Mayer, Yung, "Criticizing solutions to relaxed models yields powerful admissible
    heuristics", 1992. With more than two tiles in conflict the count is the least there is, as a
    greedy one could go astray.
    """

    def __init__(self, problem: Problem) -> None:
        self._manhattan = Manhattan(problem)
        kept = _LINES_KEPT // (problem.width + problem.height)
        self._lines = [
            (line, lru_cache(kept)(partial(_conflict, _places(problem.goal[line]))))
            for line in _lines(problem.width, problem.height)
        ]

    def __call__(self, state: State) -> int:
        estimate = self._manhattan(state)
        for line, conflict in self._lines:
            estimate += conflict(state[line])
        return estimate


def _lines(width: int, height: int) -> Iterator[slice]:
    for row in range(height):
        yield slice(row * width, (row + 1) * width)
    for column in range(width):
        yield slice(column, None, width)


def _places(tiles: State) -> dict[int, int]:
    return {tile: place for place, tile in enumerate(tiles) if tile}


def _conflict(places: dict[int, int], tiles: State) -> int:
    """Return twice the fewest tiles to take out of a line, so that the rest stands in order."""
    at_home = [places[tile] for tile in tiles if tile in places]
    # By length, the least place in which a run of tiles in order can end (patience sorting).
    ends: list[int] = []
    for place in at_home:
        length = bisect_left(ends, place)
        ends[length : length + 1] = [place]
    return 2 * (len(at_home) - len(ends))
