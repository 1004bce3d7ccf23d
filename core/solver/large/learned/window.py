"""A shorter way from one board of a solution to a later one.

The blank of a stretch of moves stays in some rectangle, and so do all tiles that move. With a
margin it is a puzzle of its own, as small as its moves however large the board is.
"""

from __future__ import annotations

import numpy as np

from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import Moves, blank_steps
from tilework.core.search.limits import Limits
from tilework.core.solver.large.learned.beam import LearnedBeam, Quotas
from tilework.core.solver.large.learned.potential import Potential
from tilework.core.solver.large.learned.rectangle import Span, rectangle
from tilework.core.solver.large.learned.weights import shipped
from tilework.core.solver.large.outcome import Outcome

MARGIN = 1
"""Cells added to each side of the rectangle that the blank stays in."""

MOST_CELLS = 600
"""Of a rectangle: of larger ones the tables are large, and ways so straight are hardly too long."""


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
        With moves only if they are fewer; none where the rectangle is larger than `MOST_CELLS`.
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
    beam = LearnedBeam(size, width, Quotas(), weights or shipped())
    return beam.run(labels, home, moves.size, limits or Limits())
