"""In which order the staged beam places the tiles: block by block, towards the blank's goal."""

from __future__ import annotations

from collections.abc import Iterator

STEP = 2
"""Rows of a strip, and columns of a block; what would leave one over is one larger."""

MOST_TILES = 9
"""Of one block."""

Block = list[tuple[int, int]]
"""Cells as row and column."""


def blocks(rows: int, columns: int, home: tuple[int, int]) -> list[Block]:
    """Cut a board into blocks whose tiles are placed together, in their order.

    Strips of rows from the top, forth and back; then from the bottom, where the blank's goal is
    not in the last rows; then the band that is left, from both ends.

    Parameters
    ----------
    rows, columns : int
        At least 2.
    home : (int, int)
        Row and column of the blank's goal, which is in no block.

    Returns
    -------
    list of Block
        Every other cell once. What is not in the blocks up to any one is connected and at least
        two cells wide, until the last.
    """
    found: list[Block] = []
    top, bottom = 0, rows
    forth = True
    for begin, end in _peel(rows, home[0]):
        columns_cut = _cut(columns)
        for left, right in columns_cut if forth else columns_cut[::-1]:
            found.append(_block(begin, end, left, right))
        forth = not forth
        top, bottom = (end, bottom) if begin == top else (top, begin)
    left, right = 0, columns
    for begin, end in _peel(columns, home[1]):
        found.append(_block(top, bottom, begin, end))
        left, right = (end, right) if begin == left else (left, begin)
    found.append([cell for cell in _block(top, bottom, left, right) if cell != home])
    return found


def _peel(length: int, home: int) -> Iterator[tuple[int, int]]:
    """Take pairs from both ends, first from the lower, until 2 or 3 are left around ``home``."""
    low, high = 0, length
    while high - low > STEP + 1:
        if home - low >= STEP:
            yield low, low + STEP
            low += STEP
        else:
            yield high - STEP, high
            high -= STEP


def _cut(length: int) -> list[tuple[int, int]]:
    begins = list(range(0, length - 1, STEP))
    return list(zip(begins, [*begins[1:], length], strict=True))


def _block(top: int, bottom: int, left: int, right: int) -> Block:
    return [(row, column) for column in range(left, right) for row in range(top, bottom)]
