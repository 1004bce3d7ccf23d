"""The goals people play to, each as the board it is."""

from __future__ import annotations

from enum import StrEnum

import numpy as np

from core.puzzle.board import Board, Size


class GoalName(StrEnum):
    """The goals that have a name; any other board can be a goal too."""

    BLANK_LAST = "blank-last"
    BLANK_FIRST = "blank-first"
    SPIRAL = "spiral"


def blank_last(size: Size) -> Board:
    """``1 2 3 … 0``, the standard goal."""
    cells = np.arange(1, size.cells + 1, dtype=np.int32)
    cells[-1] = 0
    return Board(cells, *size)


def blank_first(size: Size) -> Board:
    """``0 1 2 …``, the goal of Korf's benchmarks."""
    return Board(np.arange(size.cells, dtype=np.int32), *size)
