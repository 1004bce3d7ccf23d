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
    counts: Boards


def layers(width: int, height: int, *, whole_lines: bool = False) -> Iterator[Layer]:
    """Yield the layers around the blank-last goal.

    With ``whole_lines`` the blank can move any number of cells along its row or column in one move.
    """
    cells = width * height
    goal = sum(tile << 4 * cell for cell, tile in enumerate([*range(1, cells), 0]))
    current = Layer(np.array([goal]), np.array([1]))
    previous: Boards = np.zeros(0, dtype=np.int64)
    while current.boards.size:
        yield current
        found, counts = [], []
        for step, line in ((1, width), (-1, width), (width, height), (-width, height)):
            boards, reached = current
            for _ in range(line - 1 if whole_lines else 1):
                boards, possible = _stepped(boards, step, width, cells)
                reached = reached[possible]
                found.append(boards)
                counts.append(reached)
        boards, indices = np.unique(np.concatenate(found), return_inverse=True)
        sums = np.zeros(boards.size, dtype=np.int64)
        np.add.at(sums, indices, np.concatenate(counts))
        new = ~np.isin(boards, np.concatenate([previous, current.boards]))
        previous, current = current.boards, Layer(boards[new], sums[new])


def unpack_tiles(board: int, cells: int) -> list[int]:
    return [board >> 4 * cell & 15 for cell in range(cells)]


def slide_blank(boards: Boards, step: int, width: int, cells: int) -> Boards:
    """Return the boards after a step of the blank, of those where it is possible."""
    return _stepped(boards, step, width, cells)[0]


def _stepped(boards: Boards, step: int, width: int, cells: int) -> tuple[Boards, NDArray[np.bool_]]:
    """Return the same, and a mask of the boards where it is possible."""
    digits = boards[:, np.newaxis] >> 4 * np.arange(cells) & 15
    blank = (digits == 0).argmax(axis=1)
    target = blank + step
    possible = (target >= 0) & (target < cells)
    if abs(step) == 1:
        possible &= blank // width == target // width
    blank, target = blank[possible], target[possible]
    tile = digits[possible, target]
    return boards[possible] ^ (tile << 4 * target) ^ (tile << 4 * blank), possible
