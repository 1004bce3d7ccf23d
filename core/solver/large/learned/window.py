"""A shorter way from one board of a solution to a later one.

The blank of a stretch of moves stays in some rectangle, and so do all tiles that move. With a
margin it is a puzzle of its own, as small as its moves however large the board is.
"""

from __future__ import annotations

import numpy as np

from core.puzzle.board import Board, Size
from core.puzzle.distance import inverse
from core.puzzle.moves import Moves, blank_steps
from core.search.limits import Limits
from core.solver.large.learned.beam import LearnedBeam, Quotas
from core.solver.large.learned.potential import Potential
from core.solver.large.learned.weights import shipped
from core.solver.large.outcome import Outcome

MARGIN = 1
"""Cells added to each side of the rectangle that the blank stays in."""

_NO_QUOTAS = Quotas()


def shorter_way(
    start: Board,
    end: Board,
    moves: Moves,
    width: int,
    *,
    limits: Limits | None = None,
    weights: Potential | None = None,
) -> Outcome:
    """Look for fewer moves than some that lead from one board to another.

    Parameters
    ----------
    start, end : Board
        Of one size.
    moves : Moves
        Lead from ``start`` to ``end``; at least one.
    width : int
        Of the beam.
    limits : Limits, optional
    weights : Potential, optional
        The shipped ones by default.

    Returns
    -------
    Outcome
        With moves only if they are fewer.
    """
    rows, columns = _rectangle(start, moves)
    size = Size(columns.stop - columns.start, rows.stop - rows.start)
    before = start.cells.reshape(start.height, -1)[rows, columns].ravel()
    after = end.cells.reshape(start.height, -1)[rows, columns].ravel()
    # Both hold the same tiles; each is named by its place among them, then by its cell at the end.
    tiles = np.sort(after)
    place = inverse(np.searchsorted(tiles, after).astype(np.int32))
    labels = place[np.searchsorted(tiles, before)].astype(np.uint16)
    home = int(place[np.searchsorted(tiles, 0)])
    beam = LearnedBeam(size, width, _NO_QUOTAS, weights or shipped())
    return beam.run(labels, home, moves.size, limits or Limits())


def _rectangle(start: Board, moves: Moves) -> tuple[slice, slice]:
    """Return the rows and the columns where the blank comes, and the margin."""
    steps = np.array(blank_steps(start.width), dtype=np.int64)[moves]
    rows, columns = np.divmod(np.concatenate([[0], np.cumsum(steps)]) + start.blank, start.width)

    def span(places: np.ndarray, most: int) -> slice:
        first, last = int(places.min()) - MARGIN, int(places.max()) + MARGIN
        return slice(max(0, first), min(most, last + 1))

    return span(rows, start.height), span(columns, start.width)
