"""How many slides every board of a size is from its goal, by the most obvious search there is.

Boards are numbers: where the blank is, and which permutation the tiles are, read past it. A slide
along a row leaves the permutation as it is. Of all permutations every second one can be reached,
which is what the last two tiles are left to tell. It shares nothing with the code under test.
"""

from __future__ import annotations

from math import factorial

import numba
import numpy as np
from numpy.typing import NDArray

FAR = 255

ONES = np.array([number.bit_count() for number in range(1 << 13)], dtype=np.int8)


def distances(width: int, height: int) -> NDArray[np.uint8]:
    """Return the slides to the goal whose blank is last, by the number of the board."""
    cells = width * height
    found = np.full(cells * factorial(cells - 1) // 2, FAR, dtype=np.uint8)
    goal = np.array([*range(1, cells), 0])
    found[number_of(goal)] = 0
    depth = 0
    while depth < FAR and _flood(found, width, height, depth):
        depth += 1
    return found


@numba.njit
def number_of(board):
    """Return the number of a board that can be reached."""
    blank, number, seen, place = 0, 0, 0, 0
    for cell in range(board.size):
        tile = board[cell]
        if tile == 0:
            blank = cell
            continue
        if place < board.size - 3:
            before = tile - 1 - ONES[seen & ((1 << tile) - 1)]
            number = number * (board.size - 1 - place) + before
            seen |= 1 << tile
        place += 1
    return blank * _permutations(board.size) + number


@numba.njit
def board_of(number, board, width):
    """Write the board of a number."""
    cells, height = board.size, board.size // width
    blank, number = divmod(number, _permutations(cells))
    # Lehmer's digits, from the last; two tiles are left.
    board[cells - 3] = board[cells - 2] = inversions = 0
    for place in range(cells - 4, -1, -1):
        number, digit = divmod(number, cells - 1 - place)
        board[place] = digit
        inversions += digit
    left = (1 << cells) - 2
    for place in range(cells - 1):
        rest = left
        for _ in range(board[place]):
            rest &= rest - 1
        lowest = rest & -rest
        left ^= lowest
        board[place] = ONES[lowest - 1]
    # A slide along a column takes a tile past a row but for one.
    if (inversions + (height - 1 - blank // width) * (width - 1)) % 2:
        board[cells - 3], board[cells - 2] = board[cells - 2], board[cells - 3]
    for cell in range(cells - 1, blank, -1):
        board[cell] = board[cell - 1]
    board[blank] = 0


@numba.njit
def _permutations(cells):
    half = 1
    for factor in range(3, cells):
        half *= factor
    return half


@numba.njit
def _flood(found, width, height, depth):
    """Make all slides of one depth; return how many boards there were."""
    cells, half = width * height, _permutations(width * height)
    count = 0
    for number in range(found.size):
        if found[number] != depth:
            continue
        count += 1
        blank = number // half
        row = blank - blank % width
        for target in range(row, row + width):
            after = number + (target - blank) * half
            if found[after] == FAR:
                found[after] = depth + 1
        for step in (width, -width):
            board = np.empty(cells, dtype=np.int64)
            board_of(number, board, width)
            here = blank
            while 0 <= here + step < cells:
                board[here], board[here + step] = board[here + step], 0
                here += step
                after = number_of(board)
                if found[after] == FAR:
                    found[after] = depth + 1
    return count
