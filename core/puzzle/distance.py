"""Hamming and Manhattan distance of flat boards, in chunks of rows; which cells differ, and how."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tilework.core.puzzle.permutation import CHUNK

Cells = NDArray[np.int32]
Places = NDArray[np.int64]


def difference(cells: Cells, goal: Cells, most: int) -> Places | None:
    """Return the cells that two flat boards fill differently; None where they are over ``most``."""
    found: list[Places] = []
    count = 0
    for start in range(0, cells.size, CHUNK):
        here, there = cells[start : start + CHUNK], goal[start : start + CHUNK]
        found.append((np.flatnonzero(here != there) + start).astype(np.int64))
        count += found[-1].size
        if count > most:
            return None
    return np.concatenate(found)


def rearrangement(cells: Cells, goal: Cells, off: Places) -> Places:
    """Return for all the cells that differ where, in ``off``, the goal has what each holds."""
    order = np.argsort(goal[off])
    places: Places = order[np.searchsorted(goal[off], cells[off], sorter=order)]
    return places


MOST_BY_TILE = 400  # cells of the largest board whose tiles are told one by one


def hamming(cells: Cells, goal: Cells | None) -> int:
    """Tiles that are not on their goal cell; arrays of shape (n,)."""
    wrong = 0
    for start in range(0, cells.size, CHUNK):
        here = cells[start : start + CHUNK]
        there = (
            np.arange(start + 1, start + 1 + here.size, dtype=np.int64)
            if goal is None
            else goal[start : start + CHUNK]
        )
        wrong += int(np.count_nonzero((here != there) & (here != 0)))
    return wrong


def manhattan(cells: Cells, goal: Cells | None, width: int) -> int:
    """Sum over the tiles of rows plus columns between a tile's cell and its goal cell."""
    goal_cell = None if goal is None else inverse(goal)
    columns = np.arange(width, dtype=np.int32)
    grid = cells.reshape(-1, width)
    rows_at_once = max(1, CHUNK // width)
    total = 0
    for top in range(0, len(grid), rows_at_once):
        tiles = grid[top : top + rows_at_once]
        targets = tiles - np.int32(1) if goal_cell is None else goal_cell[tiles]
        target_rows = targets // np.int32(width)
        target_columns = targets - target_rows * np.int32(width)
        rows = np.arange(top, top + len(tiles), dtype=np.int32)[:, np.newaxis]
        distances = np.abs(target_rows - rows) + np.abs(target_columns - columns)
        total += int(distances.sum(dtype=np.int64, where=tiles != 0))
    return total


def hamming_by_tile(cells: Cells, goal: Cells) -> list[int]:
    """For each tile, from 1, whether it is not on its goal cell: 1 or 0."""
    wrong: list[int] = (inverse(cells) != inverse(goal))[1:].astype(int).tolist()
    return wrong


def manhattan_by_tile(cells: Cells, goal: Cells, width: int) -> list[int]:
    """For each tile, from 1, the rows plus columns between its cell and its goal cell."""
    rows, columns = np.divmod(inverse(cells)[1:], np.int32(width))
    goal_rows, goal_columns = np.divmod(inverse(goal)[1:], np.int32(width))
    distances: list[int] = (np.abs(rows - goal_rows) + np.abs(columns - goal_columns)).tolist()
    return distances


def inverse(cells: Cells) -> Cells:
    """The cell of each tile: shape (n,), ``inverse(cells)[cells[i]] == i``."""
    places = np.empty_like(cells)
    places[cells] = np.arange(cells.size, dtype=cells.dtype)
    return places
