"""The standard goals, as boards."""

from __future__ import annotations

from enum import StrEnum
from typing import NoReturn

import numpy as np

from tilework.core.errors import BoardError
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.phrases import unknown_goal


class GoalName(StrEnum):
    """The named goals; any other board can be a goal, too."""

    BLANK_LAST = "blank-last"
    BLANK_FIRST = "blank-first"
    SPIRAL = "spiral"
    COLUMNS = "columns"
    DESCENDING = "descending"

    @classmethod
    def _missing_(cls, value: object) -> NoReturn:
        raise BoardError(unknown_goal(str(value)[:40], ", ".join(cls)))


def blank_last(size: Size) -> Board:
    """Return ``1 2 3 … 0``, the standard goal."""
    return blank_at(size, size.cells - 1)


def blank_first(size: Size) -> Board:
    """Return ``0 1 2 …``, the goal of Korf's benchmarks."""
    return blank_at(size, 0)


def blank_at(size: Size, blank: int) -> Board:
    """Return tiles ``1 2 3 …`` in reading order around a blank on the given cell, from 0."""
    cells = np.arange(1, size.cells + 1, dtype=np.int32)
    cells[blank] = 0
    cells[blank + 1 :] -= 1
    return Board.trusted(cells, Size(*size), blank)


def has_blank_in_corner(goal: Board) -> bool:
    """Whether mirroring alone moves the goal's blank to the last cell."""
    row, column = divmod(goal.blank, goal.width)
    return row in (0, goal.height - 1) and column in (0, goal.width - 1)


def spiral(size: Size) -> Board:
    """Return 1 2 3 … in a clockwise spiral from the first cell inwards, the blank at the end."""
    width, height = size
    cells = np.zeros((height, width), dtype=np.int32)
    top, left, bottom, right = 0, 0, height, width
    tile = 1
    while top < bottom and left < right:
        tile = _fill(cells[top, left:right], tile)
        tile = _fill(cells[top + 1 : bottom, right - 1], tile)
        if bottom - top > 1:
            tile = _fill(cells[bottom - 1, left : right - 1][::-1], tile)
        if right - left > 1:
            tile = _fill(cells[top + 1 : bottom - 1, left][::-1], tile)
        top, left, bottom, right = top + 1, left + 1, bottom - 1, right - 1
    cells[cells == size.cells] = 0
    return Board.trusted(cells.reshape(-1), Size(*size))


def columns(size: Size) -> Board:
    """Return 1 2 3 … column by column, the blank last."""
    width, height = size
    cells = np.arange(1, size.cells + 1, dtype=np.int32).reshape(width, height).T
    return Board.trusted(cells.reshape(-1) % size.cells, Size(*size))


def descending(size: Size) -> Board:
    """Return … 3 2 1 and the blank."""
    return Board.trusted(np.arange(size.cells - 1, -1, -1, dtype=np.int32), Size(*size))


def _fill(line: np.ndarray[tuple[int, ...], np.dtype[np.int32]], tile: int) -> int:
    line[:] = np.arange(tile, tile + line.size)
    return tile + line.size


_FACTORIES = {
    GoalName.BLANK_LAST: blank_last,
    GoalName.BLANK_FIRST: blank_first,
    GoalName.SPIRAL: spiral,
    GoalName.COLUMNS: columns,
    GoalName.DESCENDING: descending,
    "snail": spiral,
}


def is_goal_name(text: str) -> bool:
    """Whether a string is the name of a goal (``snail`` is an alias of spiral)."""
    return _normalize(text) in _FACTORIES


def named_goal(name: str, size: Size) -> Board:
    """Return a goal by name, ignoring case; ``_`` is read as ``-``."""
    key = _normalize(name)
    return _FACTORIES[key if key in _FACTORIES else GoalName(name)](size)


def reachable_goals(board: Board) -> list[GoalName]:
    """Return the named goals that a board can reach."""
    return [name for name in GoalName if board.is_solvable(named_goal(name, board.size))]


def _normalize(name: str) -> str:
    return name.strip().lower().replace("_", "-")
