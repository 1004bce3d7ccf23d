"""Linear conflict: Manhattan distance plus two moves for each tile that must leave its line.

Two tiles that are both in their goal row but in the wrong order cannot pass each other: one must
leave the row and return, which takes two moves that Manhattan distance does not count. Of several
conflicting tiles, all but a longest increasing subsequence must leave. The same holds for columns.
A tile may have to leave both its row and its column, by different moves.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache, partial

from tilework.core.lab.heuristics.manhattan import Manhattan
from tilework.core.lab.problem import Problem
from tilework.core.lab.result import State

# For all lines of a board together, about 30 MB: all that exist at 3×3, the most recent otherwise.
_CACHED_LINES = 100_000


class LinearConflict:
    """The linear conflict heuristic for one goal.

    Hansson, Mayer, Yung, "Criticizing solutions to relaxed models yields powerful admissible
    heuristics", 1992. The number of tiles that must leave is exact, not greedy.
    """

    def __init__(self, problem: Problem) -> None:
        self._manhattan = Manhattan(problem)
        cache_size = _CACHED_LINES // (problem.width + problem.height)
        self._lines = [
            (
                line,
                lru_cache(cache_size)(
                    partial(_count_conflict_moves, _goal_positions(problem.goal[line]))
                ),
            )
            for line in _lines(problem.width, problem.height)
        ]

    def __call__(self, state: State) -> int:
        h = self._manhattan(state)
        for line, conflict_moves in self._lines:
            h += conflict_moves(state[line])
        return h


def _lines(width: int, height: int) -> Iterator[slice]:
    for row in range(height):
        yield slice(row * width, (row + 1) * width)
    for column in range(width):
        yield slice(column, None, width)


def _goal_positions(tiles: State) -> dict[int, int]:
    return {tile: position for position, tile in enumerate(tiles) if tile}


def _count_conflict_moves(goal_positions: dict[int, int], tiles: State) -> int:
    """Return twice the number of tiles that must leave a line to put the others in order."""
    positions = [goal_positions[tile] for tile in tiles if tile in goal_positions]
    # The smallest last position of an increasing subsequence of each length (patience sorting).
    ends: list[int] = []
    for position in positions:
        length = bisect_left(ends, position)
        ends[length : length + 1] = [position]
    return 2 * (len(positions) - len(ends))
