"""Slides: moves one after another in the same direction, made at once.

Where a finger pushes a tile towards the blank, those between go with it. So counted, any row or
column of tiles up to the blank is one move; some call it the multi-tile metric.
"""

from __future__ import annotations

from tilework.core.puzzle.moves import MoveSequence

_PIECE = 1 << 20


def slides_in(moves: MoveSequence) -> int:
    """Return how many slides some moves are.

    Parameters
    ----------
    moves : MoveSequence
        Legal ones; two that undo each other are two slides.
    """
    slides = 0
    last = None
    for start in range(0, len(moves), _PIECE):
        piece = moves[start : start + _PIECE]
        slides += int((piece[1:] != piece[:-1]).sum()) + (piece[0] != last)
        last = piece[-1]
    return int(slides)
