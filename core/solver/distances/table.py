"""Tables of the distances of all boards of a size, and the numbering of boards."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import factorial
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tilework.core.errors import OptionError
from tilework.core.puzzle.arrangement import inverse
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.canonical import canonicalize
from tilework.core.puzzle.goals import blank_at
from tilework.core.puzzle.moves import neighbor_table

# Cells of the largest boards with a table, which takes 60 MB; a table for 7×2 would take 11 GB
MAX_CELLS: Final = 12

_MIN_SIDE: Final = 2
_NAME: Final = "distances"
_NAME_PATTERN = re.compile(rf"{_NAME}(?:-([0-9]+))?")


@dataclass(frozen=True)
class DistanceTable:
    """The distances, modulo 3, of all boards to the goal ``1 2 3 …`` with the blank on some cell.

    The neighbours of a board at distance d are at d - 1 or d + 1. So two bits per board show which
    moves lead towards the goal, and following them gives the distance.
    """

    size: Size  # from 2×2 to 12 cells
    blank: int  # the cell of the goal's blank

    @property
    def name(self) -> str:
        """``distances``, or as in ``distances-6`` if the blank's goal cell is not the last one."""
        return _NAME if self.blank == self.size.cells - 1 else f"{_NAME}-{self.blank}"

    @property
    def title(self) -> str:
        """A unique name, as in ``4x3 distances``."""
        return f"{self.size.width}x{self.size.height} {self.name}"

    @property
    def boards(self) -> int:
        return factorial(self.size.cells) // 2

    @property
    def length(self) -> int:
        """The number of bytes of the entries; each byte has four boards."""
        return -(-self.boards // 4)

    def header(self) -> dict[str, Any]:
        return {
            "width": self.size.width,
            "height": self.size.height,
            "distances": "modulo 3",
            "blank": self.blank,
        }

    def build(self, report: Callable[[float], object] = float) -> NDArray[np.uint8]:
        # Imported here, because it loads kernels.
        from tilework.core.solver.distances.building import build

        return build(self, report)

    def check_sample(self, entries: NDArray[np.uint8], count: int) -> None:
        from tilework.core.solver.distances.building import verify_sample

        verify_sample(self, entries, count)

    @cached_property
    def goal(self) -> Board:
        return blank_at(self.size, self.blank)

    @cached_property
    def weights(self) -> NDArray[np.int64]:
        """The weight of each digit of a Lehmer code in its rank."""
        tiles = self.size.cells - 1
        return np.array([factorial(tiles - 1 - index) // 2 for index in range(tiles)])

    @cached_property
    def neighbors(self) -> NDArray[np.int8]:
        """The blank's next cell by cell and move; cells are numbered in the table's order."""
        table = neighbor_table(self.size)[self._order]
        return np.where(table < 0, table, inverse(self._order)[table]).astype(np.int8)

    @cached_property
    def parities(self) -> NDArray[np.uint8]:
        """Whether the tiles are an odd permutation, by the blank's cell."""
        parities = np.full(self.size.cells, 2, dtype=np.uint8)
        # At the goal the tiles are in order.
        parities[self._goal_blank] = 0
        stack = [self._goal_blank]
        while stack:
            blank = stack.pop()
            for cell in self.neighbors[blank].tolist():
                if cell >= 0 and parities[cell] == 2:
                    # The moved tile passes all tiles in between.
                    parities[cell] = (parities[blank] + abs(cell - blank) - 1) % 2
                    stack.append(cell)
        return parities

    def number(self, board: Board) -> int:
        """Return the number of a board that can reach the goal, from 0 to `boards` - 1."""
        cells = np.asarray(board.cells)[self._order]
        blank = int(np.flatnonzero(cells == 0)[0])
        tiles = self._ranks[np.delete(cells, blank)]
        # The number of smaller tiles after each tile.
        code = np.triu(tiles[:, None] > tiles, 1).sum(axis=1)
        return int(code @ self.weights) + blank * self.boards // self.size.cells

    @cached_property
    def _order(self) -> NDArray[np.int32]:
        cells = np.arange(self.size.cells, dtype=np.int32)
        return cells.reshape(self.size.height, self.size.width).T.reshape(-1)

    @cached_property
    def _goal_blank(self) -> int:
        return int(inverse(self._order)[self.blank])

    @cached_property
    def _ranks(self) -> NDArray[np.int32]:
        """Each tile's position in the goal, in the table's order of cells."""
        return inverse(np.asarray(self.goal.cells)[self._order])


def has_table(size: Size) -> bool:
    return size.cells <= MAX_CELLS and min(size) >= _MIN_SIDE


def find_table(size: Size, name: str) -> DistanceTable | None:
    """Return the table for a size by its name; None if this is not the name of a table.

    Goals that are mirrored or transposed share a table.
    """
    match = _NAME_PATTERN.fullmatch(name)
    if match is None:
        return None
    if not has_table(size):
        raise OptionError(
            "distances-size",
            "distance tables exist for boards from 2×2 to {max} cells; {size} has {cells}",
            max=MAX_CELLS,
            size=size,
            cells=size.cells,
        )
    blank = size.cells - 1 if match[1] is None else int(match[1])
    if blank >= size.cells:
        raise OptionError(
            "distances-blank",
            "{size} boards have the cells 0 to {last}; the blank cannot be at {blank}",
            size=size,
            last=size.cells - 1,
            blank=blank,
        )
    goal = blank_at(size, blank)
    canonical_goal = canonicalize(goal, goal).goal
    return DistanceTable(canonical_goal.size, canonical_goal.blank)
