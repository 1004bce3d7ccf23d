"""Boards as flat arrays: validity, solvability and distances.

A move swaps the blank with an adjacent tile. It changes both the parity of the permutation and that
of the blank's row plus column, so the parity of their sum is invariant. On boards at least two
cells wide and high, this is the only invariant (Johnson and Story 1879). On boards one cell wide or
high, tiles cannot pass each other, so their order never changes.
"""

from __future__ import annotations

from functools import lru_cache, reduce
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tilework.core.errors import BoardError
from tilework.core.messages import Message, plural

Cells = NDArray[np.int32]
CellIndices = NDArray[np.int64]

KERNEL_CELLS: Final = 1 << 18  # larger boards are checked by compiled code
CHUNK: Final = 1 << 18
MAX_CELLS_BY_TILE: Final = 400  # cells of the largest board whose distances are listed by tile
_SMALL_CELLS: Final = 256
_MAX_LISTED: Final = 5
_FEW_MISPLACED: Final = 1024


@lru_cache(maxsize=_SMALL_CELLS)
def _identity(count: int) -> list[int]:
    return list(range(count))


def is_permutation(values: NDArray[np.integer]) -> bool:
    """Whether a flat integer array contains each of ``0 .. n-1`` exactly once."""
    count = values.size
    if count <= _SMALL_CELLS:
        return sorted(values.tolist()) == _identity(count)
    if count > KERNEL_CELLS:
        return _find_invalid_value(values) < 0
    if values.min() < 0 or values.max() >= count:
        return False
    is_present = np.zeros(count, dtype=np.bool_)
    is_present[values] = True
    return bool(is_present.all())


def describe_invalid_tiles(values: NDArray[np.integer]) -> Message:
    """Describe which numbers are out of range, repeated or missing, a few of each."""
    count = values.size
    if count > KERNEL_CELLS:
        index = _find_invalid_value(values)
        tile = int(values[index])
        if 0 <= tile < count:
            return Message(
                "tile-repeated",
                "{tile} at cell {cell} appears a second time",
                tile=tile,
                cell=index + 1,
            )
        return Message(
            "tile-outside",
            "{tile} at cell {cell} is not from 0 to {last}",
            tile=tile,
            cell=index + 1,
            last=count - 1,
        )
    outside = values[(values < 0) | (values >= count)]
    times = np.bincount(values[(values >= 0) & (values < count)], minlength=count)
    repeated, missing = np.flatnonzero(times > 1), np.flatnonzero(times == 0)
    messages = []
    if outside.size:
        message = plural(
            "tiles-outside",
            "{tiles} is not from 0 to {last}",
            "{tiles} are not from 0 to {last}",
            count=outside.size,
            tiles=_list_few(outside),
            last=count - 1,
        )
        messages.append(message)
    if repeated.size:
        message = plural(
            "tiles-repeated",
            "{tiles} appears more than once",
            "{tiles} appear more than once",
            count=repeated.size,
            tiles=_list_few(repeated),
        )
        messages.append(message)
    if missing.size:
        message = plural(
            "tiles-missing",
            "{tiles} is missing",
            "{tiles} are missing",
            count=missing.size,
            tiles=_list_few(missing),
        )
        messages.append(message)
    return reduce(_join, messages)


def find_invalid_tile(values: NDArray[np.integer]) -> int:
    """Return the index of the first number that is out of range or repeated; -1 for none."""
    if values.size > KERNEL_CELLS:
        return _find_invalid_value(values)
    earlier = set()
    for index, value in enumerate(values.tolist()):
        if value in earlier or not 0 <= value < values.size:
            return index
        earlier.add(value)
    return -1


def is_range(values: NDArray[np.int32], first: int) -> bool:
    """Whether the values are ``first, first + 1, …``; compared in chunks."""
    for start in range(0, values.size, CHUNK):
        chunk = values[start : start + CHUNK]
        if not np.array_equal(chunk, np.arange(first + start, first + start + chunk.size)):
            return False
    return True


def is_odd(cells: NDArray[np.int32]) -> bool:
    """Whether a permutation is odd: ``n`` minus its number of cycles is odd."""
    count = cells.size
    if count > KERNEL_CELLS:
        from tilework.core.puzzle.board_kernel import GROUP, permutation_is_odd

        return bool(permutation_is_odd(cells, GROUP))
    successors = cells.tolist()
    visited = bytearray(count)
    odd = count & 1
    for first in range(count):
        if not visited[first]:
            odd ^= 1
            cell = first
            while not visited[cell]:
                visited[cell] = 1
                cell = successors[cell]
    return bool(odd)


def _find_invalid_value(values: NDArray[np.integer]) -> int:
    from tilework.core.puzzle.board_kernel import find_invalid_value

    bits = np.zeros((values.size + 63) // 64, dtype=np.uint64)
    is_supported = values.dtype in (np.int32, np.int64)
    numbers = np.ascontiguousarray(values, values.dtype if is_supported else np.int64)
    return int(find_invalid_value(numbers, bits))


def _list_few(numbers: NDArray[np.integer]) -> str | Message:
    some = ", ".join(str(number)[:20] for number in numbers[:_MAX_LISTED].tolist())
    more = numbers.size - _MAX_LISTED
    return Message("and-more", "{some} and {more} more", some=some, more=more) if more > 0 else some


def _join(message: Message, other: Message) -> Message:
    return Message(message.code, "{first}; {second}", first=message, second=other)


def is_reachable(cells: Cells, goal: Cells | None, width: int, height: int) -> bool:
    """Whether moves transform one permutation into the other, in linear time."""
    if width == 1 or height == 1:
        return _has_same_order(cells, goal)
    count = cells.size
    row, column = divmod(find_blank(cells), width)
    goal_blank = count - 1 if goal is None else find_blank(goal)
    goal_row, goal_column = divmod(goal_blank, width)
    is_blank_odd = (row - goal_row + column - goal_column) % 2 == 1
    return _rearrangement_is_odd(cells, goal, goal_blank) == is_blank_odd


def _rearrangement_is_odd(cells: Cells, goal: Cells | None, goal_blank: int) -> bool:
    """Return the parity of the permutation that turns ``cells`` into ``goal``."""
    if goal is not None and cells.size > _FEW_MISPLACED:
        misplaced = difference(cells, goal, _FEW_MISPLACED)
        if misplaced is not None:
            return is_odd(rearrangement(cells, goal, misplaced).astype(np.int32))
    # The parity of a goal ``1 2 3 …`` around its blank follows from the blank's cell.
    if goal is None or (
        is_range(goal[:goal_blank], 1) and is_range(goal[goal_blank + 1 :], goal_blank + 1)
    ):
        return is_odd(cells) ^ (goal_blank % 2 == 1)
    return is_odd(cells) ^ is_odd(goal)


def _has_same_order(cells: Cells, goal: Cells | None) -> bool:
    tiles = cells[cells != 0]
    order = np.arange(1, cells.size) if goal is None else goal[goal != 0]
    return bool(np.array_equal(tiles, order))


def find_blank(cells: Cells) -> int:
    if cells.size <= CHUNK:
        return int(cells.argmin())
    for start in range(0, cells.size, CHUNK):
        chunk = cells[start : start + CHUNK]
        if not chunk.all():
            return start + int(chunk.argmin())
    raise BoardError("no-blank", "the blank, 0, is missing")


def difference(cells: Cells, goal: Cells, limit: int) -> CellIndices | None:
    """Return the cells in which two flat boards differ; None if there are more than ``limit``."""
    cells_by_chunk: list[CellIndices] = []
    count = 0
    for start in range(0, cells.size, CHUNK):
        part, goal_part = cells[start : start + CHUNK], goal[start : start + CHUNK]
        cells_by_chunk.append((np.flatnonzero(part != goal_part) + start).astype(np.int64))
        count += cells_by_chunk[-1].size
        if count > limit:
            return None
    return np.concatenate(cells_by_chunk)


def rearrangement(cells: Cells, goal: Cells, misplaced: CellIndices) -> CellIndices:
    """Return, for the tile on each misplaced cell, the index of its goal cell in ``misplaced``."""
    order = np.argsort(goal[misplaced])
    indices: CellIndices = order[np.searchsorted(goal[misplaced], cells[misplaced], sorter=order)]
    return indices


def hamming(cells: Cells, goal: Cells | None) -> int:
    """Count the tiles that are not on their goal cell."""
    misplaced = 0
    for start in range(0, cells.size, CHUNK):
        part = cells[start : start + CHUNK]
        goal_part = (
            np.arange(start + 1, start + 1 + part.size, dtype=np.int64)
            if goal is None
            else goal[start : start + CHUNK]
        )
        misplaced += int(np.count_nonzero((part != goal_part) & (part != 0)))
    return misplaced


def manhattan(cells: Cells, goal: Cells | None, width: int) -> int:
    """Sum the row and column distances between the tiles' cells and their goal cells."""
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
    """Return for each tile, from 1, whether it is misplaced: 1 or 0."""
    misplaced: list[int] = (inverse(cells) != inverse(goal))[1:].astype(int).tolist()
    return misplaced


def manhattan_by_tile(cells: Cells, goal: Cells, width: int) -> list[int]:
    """Return for each tile, from 1, the Manhattan distance to its goal cell."""
    rows, columns = np.divmod(inverse(cells)[1:], np.int32(width))
    goal_rows, goal_columns = np.divmod(inverse(goal)[1:], np.int32(width))
    distances: list[int] = (np.abs(rows - goal_rows) + np.abs(columns - goal_columns)).tolist()
    return distances


def inverse(cells: Cells) -> Cells:
    """Return the cell of each tile: ``inverse(cells)[cells[i]] == i``."""
    indices = np.empty_like(cells)
    indices[cells] = np.arange(cells.size, dtype=cells.dtype)
    return indices
