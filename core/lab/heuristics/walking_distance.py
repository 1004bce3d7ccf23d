"""Walking distance: how far the rows are from holding the right tiles, and the columns.

Forget of every tile all but the row it belongs to. What is left of a board is a count: how many
tiles of each goal row stand in each row, and in which row the blank is. A move up or down carries
one tile from one row to the next. Few such counts exist, so that breadth-first search from the
goal's finds the exact number of moves for each. Columns likewise; as no move is both, add them.
"""

from __future__ import annotations

from functools import lru_cache
from operator import getitem

from tilework.core.errors import OptionError
from tilework.core.lab.problem import Problem
from tilework.core.lab.trace import State
from tilework.core.puzzle.board import Size

# 24,964 counts a direction at 4×4 and 11,010 at 5×2, a tenth of a second; at 5×3 and 6×2 it is
# over 350,000, and millions beyond.
_MOST_LINES = 4
_FEW_CELLS = 10

# By row, and by the row that a tile belongs to, what one such tile adds to the number
Weights = list[list[int]]


class WalkingDistance:
    """The estimate towards one goal.

    Takahashi, "Walking distance", 2002, http://www.ic-net.or.jp/home/takaken/e/15pz/
    """

    def __init__(self, problem: Problem) -> None:
        width, height, goal = problem.width, problem.height, problem.goal
        if max(width, height) > _MOST_LINES and len(goal) > _FEW_CELLS:
            raise OptionError(
                "walking-distance-size",
                "the tables of walking-distance are too large for a board of {size}; they are "
                "available up to 4×4 and 5×2; choose linear-conflict for larger boards",
                size=Size(width, height),
            )
        rows = [cell // width for cell in range(len(goal))]
        columns = [cell % width for cell in range(len(goal))]
        blank = goal.index(0)
        self._rows = _shares(goal, rows, _weights(height, width))
        self._columns = _shares(goal, columns, _weights(width, height))
        self._up_and_down = _table(height, width, rows[blank])
        self._sideways = _table(width, height, columns[blank])

    def __call__(self, state: State) -> int:
        """Return the moves up and down, and those sideways, that a state needs at least."""
        return (
            self._up_and_down[sum(map(getitem, self._rows, state))]
            + self._sideways[sum(map(getitem, self._columns, state))]
        )


def _weights(count: int, length: int) -> Weights:
    """Return the values of the digits of a number that holds all counts of tiles."""
    return [[(length + 1) ** (row * count + home) for home in range(count)] for row in range(count)]


def _shares(goal: State, lines: list[int], weights: Weights) -> list[list[int]]:
    """Return by cell and tile what the tile adds there to the number; the blank adds nothing."""
    homes = dict(zip(goal, lines, strict=True))
    return [
        [weights[line][homes[tile]] if tile else 0 for tile in range(len(goal))] for line in lines
    ]


@lru_cache(maxsize=32)
def _table(count: int, length: int, goal_blank: int) -> dict[int, int]:
    """Return by the counts, as a number, how many moves they are from the goal's."""
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
                for there, here in zip(weights[other], weights[blank], strict=True):
                    after = counts - there + here
                    if counts // there % base and after not in moves:
                        moves[after] = depth
                        reached.append((after, other))
        frontier = reached
    return moves
