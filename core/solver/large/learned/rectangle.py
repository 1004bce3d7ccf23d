"""Rectangles of a board as separate puzzles."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tilework.core.puzzle.arrangement import inverse
from tilework.core.puzzle.board import Board, Size
from tilework.core.solver.large.learned.potential import Labels


@dataclass(frozen=True, slots=True)
class Span:
    """Rows or columns from ``first`` to ``last - 1``."""

    first: int
    last: int

    @classmethod
    def around(cls, lines: NDArray[np.int64], margin: int, minimum: int, maximum: int) -> Span:
        """Return the span that contains some lines and a margin."""
        count = min(maximum, max(minimum, int(np.ptp(lines)) + 1 + 2 * margin))
        middle = (int(lines.min()) + int(lines.max()) + 1 - count) // 2
        first = max(0, min(middle, maximum - count))
        return cls(first, first + count)

    @property
    def lines(self) -> slice:
        return slice(self.first, self.last)


def extract_rectangle(
    start: Board, end: Board, rows: Span, columns: Span
) -> tuple[Size, Labels, int]:
    """Return a rectangle as a puzzle: its size, the labels of its tiles, and the blank's label."""
    size = Size(columns.last - columns.first, rows.last - rows.first)
    rectangle = rows.lines, columns.lines
    start_tiles = start.cells.reshape(start.height, -1)[rectangle].ravel()
    end_tiles = end.cells.reshape(start.height, -1)[rectangle].ravel()
    # Both contain the same tiles, which are labelled by their cells at the end.
    tiles = np.sort(end_tiles)
    end_cells = inverse(np.searchsorted(tiles, end_tiles).astype(np.int32))
    labels = end_cells[np.searchsorted(tiles, start_tiles)].astype(np.uint16)
    return size, labels, int(end_cells[np.searchsorted(tiles, 0)])
