"""Which boards can be reached from which: the parity argument, on flat arrays.

A move swaps the blank with a tile beside it. It changes the parity of the permutation and the
parity of the blank's row plus column, both, so the two together never change; where the board
is at least two cells wide and high nothing else is invariant (Johnson and Story 1879). On a
board one cell wide or high tiles cannot pass each other: their order never changes.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tilework.core.puzzle.distance import difference, rearrangement
from tilework.core.puzzle.permutation import CHUNK, counts_up, is_odd

Cells = NDArray[np.int32]

_FEW = 1024


def reachable(cells: Cells, goal: Cells | None, width: int, height: int) -> bool:
    """Whether moves lead from one permutation to the other; linear in the cells."""
    if width == 1 or height == 1:
        return _same_order(cells, goal)
    count = cells.size
    row, column = divmod(_blank_of(cells), width)
    goal_blank = count - 1 if goal is None else _blank_of(goal)
    goal_row, goal_column = divmod(goal_blank, width)
    blank_odd = (row - goal_row + column - goal_column) % 2 == 1
    return _rearrangement_is_odd(cells, goal, goal_blank) == blank_odd


def _rearrangement_is_odd(cells: Cells, goal: Cells | None, goal_blank: int) -> bool:
    """Parity of what leads from one permutation to the other, from the cells that differ."""
    if goal is not None and cells.size > _FEW:
        off = difference(cells, goal, _FEW)
        if off is not None:
            return is_odd(rearrangement(cells, goal, off).astype(np.int32))
    return is_odd(cells) ^ _goal_is_odd(goal, goal_blank)


def _goal_is_odd(goal: Cells | None, blank: int) -> bool:
    """Parity of the goal, at once where it is ``1 2 3 …`` around its blank."""
    if goal is None or (counts_up(goal[:blank], 1) and counts_up(goal[blank + 1 :], blank + 1)):
        return blank % 2 == 1
    return is_odd(goal)


def _same_order(cells: Cells, goal: Cells | None) -> bool:
    tiles = cells[cells != 0]
    order = np.arange(1, cells.size) if goal is None else goal[goal != 0]
    return bool(np.array_equal(tiles, order))


def _blank_of(cells: Cells) -> int:
    for start in range(0, cells.size, CHUNK):
        chunk = cells[start : start + CHUNK]
        place = int(chunk.argmin())
        if chunk[place] == 0:
            return start + place
    raise ValueError("no blank")
