"""Breadth-first search by layers in NumPy: boards are integers with four bits per cell.

It shares nothing with the code under test.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Boards = NDArray[np.int64]


class Layer(NamedTuple):
    """All boards at one distance, sorted, and the number of shortest paths from each."""

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
        neighbors, counts = [], []
        for step, line in ((1, width), (-1, width), (width, height), (-width, height)):
            boards, path_counts = current
            for _ in range(line - 1 if whole_lines else 1):
                boards, possible = slide_blank(boards, step, width, cells)
                path_counts = path_counts[possible]
                neighbors.append(boards)
                counts.append(path_counts)
        boards, indices = np.unique(np.concatenate(neighbors), return_inverse=True)
        sums = np.zeros(boards.size, dtype=np.int64)
        np.add.at(sums, indices, np.concatenate(counts))
        new = ~np.isin(boards, np.concatenate([previous, current.boards]))
        previous, current = current.boards, Layer(boards[new], sums[new])


def unpack_tiles(board: int, cells: int) -> list[int]:
    return [board >> 4 * cell & 15 for cell in range(cells)]


def slide_blank(
    boards: Boards, step: int, width: int, cells: int
) -> tuple[Boards, NDArray[np.bool_]]:
    """Move the blank by `step` cells; return the new boards and a mask of where it is possible."""
    digits = boards[:, np.newaxis] >> 4 * np.arange(cells) & 15
    blank = (digits == 0).argmax(axis=1)
    target = blank + step
    possible = (target >= 0) & (target < cells)
    if abs(step) == 1:
        possible &= blank // width == target // width
    blank, target = blank[possible], target[possible]
    tile = digits[possible, target]
    return boards[possible] ^ (tile << 4 * target) ^ (tile << 4 * blank), possible
