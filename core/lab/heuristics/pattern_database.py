"""Additive pattern database: the exact distances of parts of the board, looked up and added.

A pattern is some of the tiles; the others are all alike and may be anywhere. How many moves *of its
own tiles* bring a pattern home depends on its tiles' cells and on where the blank is among them; a
table holds it for every placement. Patterns that share no tile share no move, so that their numbers
may be added.

The patterns are runs of the goal's tiles in reading order: four tiles each up to 4×4, three at 5×5,
two up to 8×8. Above it is one, and the estimate is Manhattan distance. That needs no tables: over
100 cells none are made.
"""

from __future__ import annotations

from math import perm
from operator import getitem

from tilework.core.errors import OptionError
from tilework.core.lab.heuristics.pattern_tables import Pattern, make_tables
from tilework.core.lab.problem import Problem
from tilework.core.lab.trace import State
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.phrases import cells as cells_of

_MOST_TILES = 4

# Of all patterns together: tables of about a second.
_MOST_PLACEMENTS = 150_000

# At 20×20 the tables of single tiles would take 100 MB and several seconds.
_MOST_CELLS = 100


class PatternDatabase:
    """The estimate towards one goal.

    Parameters
    ----------
    problem : Problem
        Whose goal is meant.

    Raises
    ------
    OptionError
        For a board of over 100 cells.

    Notes
    -----
    Korf, Felner, "Disjoint pattern database heuristics", 2002. They keep of each placement the
    least number over all cells of the blank, to save memory. With the blank's cell in the key the
    estimate is consistent as well.
    """

    def __init__(self, problem: Problem) -> None:
        goal = problem.goal
        if len(goal) > _MOST_CELLS:
            raise OptionError(
                "single-tile-patterns",
                "on a board of {size} each tile would be a pattern of its own, which is no "
                "better than manhattan; choose that for more than {cells}",
                size=Size(problem.width, problem.height),
                cells=cells_of(_MOST_CELLS),
            )
        blank = goal.index(0)
        patterns = _patterns(len(goal), blank)
        bits, tables = make_tables(problem.width, problem.height, blank, patterns)
        # The keys of all patterns lie side by side in one number, to which each cell adds what its
        # tile says there: one sum over the board for all of them.
        self._shares = [[0] * len(goal) for _ in goal]
        self._tables = []
        shift = 0
        for pattern, table in tables:
            start = shift
            for tile in (0, *(goal[cell] for cell in pattern)):
                for cell, shares in enumerate(self._shares):
                    shares[tile] |= cell << shift
                shift += bits
            self._tables.append((start, (1 << shift - start) - 1, table))

    def __call__(self, state: State) -> int:
        """Return the sum over the patterns of a state."""
        keys = sum(map(getitem, self._shares, state))
        return sum([table[keys >> start & mask] for start, mask, table in self._tables])


def _patterns(cells: int, blank: int) -> tuple[Pattern, ...]:
    """Part the goal's cells, without the blank's, into runs as long as may be."""
    homes = [cell for cell in range(cells) if cell != blank]
    length = 1
    while length < _MOST_TILES and _placements(cells, length + 1) <= _MOST_PLACEMENTS:
        length += 1
    return tuple(tuple(homes[first : first + length]) for first in range(0, len(homes), length))


def _placements(cells: int, length: int) -> int:
    whole, rest = divmod(cells - 1, length)
    return whole * perm(cells, length) + perm(cells, rest)
