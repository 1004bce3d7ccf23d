"""A shorter way from one board of a solution to a later one.

The blank of a stretch of moves stays in some rectangle, and so do all tiles that move. With a
margin it is a puzzle of its own, as small as its moves however large the board is.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tilework.core.puzzle.arrangement import inverse
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.moves import Moves, blank_steps
from tilework.core.search.limits import Limits
from tilework.core.solver.large.learned.beam import LearnedBeam, Quotas
from tilework.core.solver.large.learned.layout import Labels
from tilework.core.solver.large.learned.potential import shipped
from tilework.core.solver.large.outcome import Outcome


@dataclass(frozen=True, slots=True)
class Span:
    """Lines from ``first`` up to ``last``."""

    first: int
    last: int

    @classmethod
    def round(cls, places: NDArray[np.int64], margin: int, least: int, most: int) -> Span:
        """Return the span of some lines and of others beside them."""
        count = min(most, max(least, int(np.ptp(places)) + 1 + 2 * margin))
        middle = (int(places.min()) + int(places.max()) + 1 - count) // 2
        first = max(0, min(middle, most - count))
        return cls(first, first + count)

    @property
    def lines(self) -> slice:
        return slice(self.first, self.last)


def rectangle(start: Board, end: Board, rows: Span, columns: Span) -> tuple[Size, Labels, int]:
    size = Size(columns.last - columns.first, rows.last - rows.first)
    part = rows.lines, columns.lines
    before = start.cells.reshape(start.height, -1)[part].ravel()
    after = end.cells.reshape(start.height, -1)[part].ravel()
    # Both hold the same tiles: each is named by its place among them, then by its cell at the end.
    tiles = np.sort(after)
    cell = inverse(np.searchsorted(tiles, after).astype(np.int32))
    labels = cell[np.searchsorted(tiles, before)].astype(np.uint16)
    return size, labels, int(cell[np.searchsorted(tiles, 0)])


MARGIN = 1  # cells added to each side of the rectangle that the blank stays in

# Of a rectangle: of larger ones the tables are large, and ways so straight are hardly too long
MOST_CELLS = 600


def shorter_way(
    start: Board, end: Board, moves: Moves, width: int, *, limits: Limits | None = None
) -> Outcome:
    """Look for fewer moves than some that lead from one board to another.

    Parameters
    ----------
    moves : Moves; lead from ``start`` to ``end``; at least one
    width : int; of the beam

    Returns
    -------
    Outcome; with moves only if they are fewer; None where the rectangle is larger than `MOST_CELLS`
    """
    steps = np.array(blank_steps(start.width), dtype=np.int64)[moves]
    blanks = np.concatenate([[0], np.cumsum(steps)]) + start.blank
    rows, columns = np.divmod(blanks, start.width)
    size, labels, home = rectangle(
        start,
        end,
        Span.round(rows, MARGIN, 2, start.height),
        Span.round(columns, MARGIN, 2, start.width),
    )
    if size.cells > MOST_CELLS:
        return Outcome(None, 0, 0.0, None)
    beam = LearnedBeam(size, width, Quotas(), shipped())
    return beam.run(labels, home, moves.size, limits or Limits())
