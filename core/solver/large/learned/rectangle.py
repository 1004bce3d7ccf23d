"""A rectangle of a board, outside of which nothing moves, as a puzzle of its own."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.distance import inverse
from tilework.core.solver.large.learned.layout import Labels


@dataclass(frozen=True, slots=True)
class Span:
    """Lines from ``first`` up to ``last``."""

    first: int
    last: int

    @classmethod
    def round(cls, places: NDArray[np.int64], margin: int, least: int, most: int) -> Span:
        """Return the span of some lines and of others beside them.

        Parameters
        ----------
        places : int64 array
            Lines that are in it.
        margin : int
            Lines besides, on each side.
        least : int
            Lines that it has at least.
        most : int
            Lines that there are.
        """
        count = min(most, max(least, int(np.ptp(places)) + 1 + 2 * margin))
        middle = (int(places.min()) + int(places.max()) + 1 - count) // 2
        first = max(0, min(middle, most - count))
        return cls(first, first + count)

    @property
    def lines(self) -> slice:
        return slice(self.first, self.last)


def rectangle(start: Board, end: Board, rows: Span, columns: Span) -> tuple[Size, Labels, int]:
    """Return a rectangle as a puzzle.

    Parameters
    ----------
    start, end : Board
        Alike outside of it; the blank is inside in both.
    rows, columns : Span

    Returns
    -------
    Size, uint16 array, int
        Its size; by cell the cell where its tile is at the end; where the blank is at the end.
    """
    size = Size(columns.last - columns.first, rows.last - rows.first)
    part = rows.lines, columns.lines
    before = start.cells.reshape(start.height, -1)[part].ravel()
    after = end.cells.reshape(start.height, -1)[part].ravel()
    # Both hold the same tiles: each is named by its place among them, then by its cell at the end.
    tiles = np.sort(after)
    cell = inverse(np.searchsorted(tiles, after).astype(np.int32))
    labels = cell[np.searchsorted(tiles, before)].astype(np.uint16)
    return size, labels, int(cell[np.searchsorted(tiles, 0)])
