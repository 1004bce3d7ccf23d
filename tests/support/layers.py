"""Breadth-first search by whole layers in NumPy: boards are integers, four bits per cell.

It shares nothing with the code under test.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Boards = NDArray[np.int64]


class Layer(NamedTuple):
    """All boards at one distance, sorted, with their numbers of shortest paths to the goal."""

    boards: Boards
    ways: Boards


def layers(width: int, height: int, *, whole_lines: bool = False) -> Iterator[Layer]:
    """Yield the layers around the blank-last goal.

    With ``whole_lines`` the blank can move any number of cells along its row or column in one move.
    """
    cells = width * height
    goal = sum(tile << 4 * cell for cell, tile in enumerate([*range(1, cells), 0]))
    here = Layer(np.array([goal]), np.array([1]))
    before: Boards = np.zeros(0, dtype=np.int64)
    while here.boards.size:
        yield here
        found, ways = [], []
        for step, line in ((1, width), (-1, width), (width, height), (-width, height)):
            boards, counts = here
            for _ in range(line - 1 if whole_lines else 1):
                boards, there = _stepped(boards, step, width, cells)
                counts = counts[there]
                found.append(boards)
                ways.append(counts)
        boards, places = np.unique(np.concatenate(found), return_inverse=True)
        sums = np.zeros(boards.size, dtype=np.int64)
        np.add.at(sums, places, np.concatenate(ways))
        new = ~np.isin(boards, np.concatenate([before, here.boards]))
        before, here = here.boards, Layer(boards[new], sums[new])


def tiles_of(board: int, cells: int) -> list[int]:
    return [board >> 4 * cell & 15 for cell in range(cells)]


def slide_blank(boards: Boards, step: int, width: int, cells: int) -> Boards:
    """Return the boards after a step of the blank, of those where it is possible."""
    return _stepped(boards, step, width, cells)[0]


def _stepped(boards: Boards, step: int, width: int, cells: int) -> tuple[Boards, NDArray[np.bool_]]:
    """Return the same, and a mask of the boards where it is possible."""
    digits = boards[:, np.newaxis] >> 4 * np.arange(cells) & 15
    blank = (digits == 0).argmax(axis=1)
    target = blank + step
    there = (target >= 0) & (target < cells)
    if abs(step) == 1:
        there &= blank // width == target // width
    blank, target = blank[there], target[there]
    tile = digits[there, target]
    return boards[there] ^ (tile << 4 * target) ^ (tile << 4 * blank), there
