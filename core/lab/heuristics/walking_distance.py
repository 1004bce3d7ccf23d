"""Walking distance: the moves needed to put the right tiles in each row and each column.

Reduce every tile to its goal row. A board then becomes a table of counts: how many tiles of each
goal row are in each row, and which row contains the blank. A vertical move transfers one tile to
an adjacent row. There are few such tables, so a breadth-first search from the goal computes the
exact number of vertical moves for each. The same holds for columns. No move is both vertical and
horizontal, so the two numbers can be added.
"""

from __future__ import annotations

from functools import lru_cache
from operator import getitem

from tilework.core.errors import OptionError
from tilework.core.lab.problem import Problem
from tilework.core.lab.result import State
from tilework.core.puzzle.board import Size

# 24,964 tables per direction at 4×4 and 11,010 at 5×2, computed in a tenth of a second; more than
# 350,000 at 5×3 and 6×2, and millions on larger boards.
_MAX_LINES = 4
_MAX_LONG_CELLS = 10

# By row and goal row, what one tile adds to the number that encodes all counts
Weights = list[list[int]]


class WalkingDistance:
    """The walking distance heuristic for one goal.

    Takahashi, "Walking distance", 2002, http://www.ic-net.or.jp/home/takaken/e/15pz/
    """

    def __init__(self, problem: Problem) -> None:
        width, height, goal = problem.width, problem.height, problem.goal
        if max(width, height) > _MAX_LINES and len(goal) > _MAX_LONG_CELLS:
            raise OptionError(
                "walking-distance-size",
                "the tables of walking-distance are too large for {size} boards; they are "
                "available up to 4×4 and 5×2; choose linear-conflict for larger boards",
                size=Size(width, height),
            )
        rows = [cell // width for cell in range(len(goal))]
        columns = [cell % width for cell in range(len(goal))]
        blank = goal.index(0)
        self._rows = _contributions(goal, rows, _weights(height, width))
        self._columns = _contributions(goal, columns, _weights(width, height))
        self._vertical = _table(height, width, rows[blank])
        self._horizontal = _table(width, height, columns[blank])

    def __call__(self, state: State) -> int:
        """Return the sum of the vertical and horizontal moves needed."""
        return (
            self._vertical[sum(map(getitem, self._rows, state))]
            + self._horizontal[sum(map(getitem, self._columns, state))]
        )


def _weights(count: int, length: int) -> Weights:
    """Return the place values of a number whose digits are the counts of tiles."""
    return [
        [(length + 1) ** (row * count + goal_row) for goal_row in range(count)]
        for row in range(count)
    ]


def _contributions(goal: State, lines: list[int], weights: Weights) -> list[list[int]]:
    """Return by cell and tile what the tile adds to the encoded counts; the blank adds 0."""
    goal_lines = dict(zip(goal, lines, strict=True))
    return [
        [weights[line][goal_lines[tile]] if tile else 0 for tile in range(len(goal))]
        for line in lines
    ]


@lru_cache(maxsize=32)
def _table(count: int, length: int, goal_blank: int) -> dict[int, int]:
    """Return the distance from the goal for each table of counts, encoded as a number."""
    weights, base = _weights(count, length), length + 1
    goal = sum(length * weights[row][row] for row in range(count))
    goal -= weights[goal_blank][goal_blank]
    moves = {goal: 0}
    frontier = [(goal, goal_blank)]
    depth = 0
    while frontier:
        depth += 1
        reached = []
        for counts, blank in frontier:
            for other in (blank - 1, blank + 1):
                if not 0 <= other < count:
                    continue
                # A tile of any goal row moves from the blank's new row to its old one.
                for removed, added in zip(weights[other], weights[blank], strict=True):
                    new_counts = counts - removed + added
                    if counts // removed % base and new_counts not in moves:
                        moves[new_counts] = depth
                        reached.append((new_counts, other))
        frontier = reached
    return moves
