"""Boards to post, made in microseconds: it is not the client that is to be measured."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from random import Random
from typing import Final

MOST_SMALL: Final = 80_000
"""Of the 90,720 puzzles that 3×3 boards are; to draw the last ones would take long."""

# Of the mirror image at the diagonal: the cell it takes each of its cells from, and its labels.
_CELLS: Final = (0, 3, 6, 1, 4, 7, 2, 5, 8)
_LABELS: Final = (0, 1, 4, 7, 2, 5, 8, 3, 6)


def small_boards(random: Random) -> Iterator[list[int]]:
    """Yield random 3×3 boards of which no two are the same puzzle."""
    seen: set[tuple[int, ...]] = set()
    while len(seen) < MOST_SMALL:
        cells = random_board(3, random)
        mirrored = tuple(_LABELS[cells[cell]] for cell in _CELLS)
        puzzle = min(tuple(cells), mirrored)
        if puzzle not in seen:
            seen.add(puzzle)
            yield cells
    raise SystemExit(f"there are no more than {MOST_SMALL} 3×3 boards to post: take fewer seconds")


def random_board(side: int, random: Random) -> list[int]:
    """Return a square board from which the goal with its blank last can be reached."""
    cells = random.sample(range(side * side), side * side)
    inversions = sum(first > second > 0 for first, second in combinations(cells, 2))
    # Of an even width a move up or down changes the inversions' parity as well as the blank's row.
    rows = 0 if side % 2 else side - 1 - cells.index(0) // side
    if (inversions + rows) % 2:
        first, second = [place for place in range(3) if cells[place]][:2]
        cells[first], cells[second] = cells[second], cells[first]
    return cells
