"""How wide the next beam of a board may be: what the last one took says what the next will."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from core.solver.large.anytime.searches import Beams
from core.solver.large.outcome import Outcome

GROWTH = 3
LEAST_GROWTH = 1.5
"""A beam that is hardly wider finds hardly anything new."""

_FIRST_SHARE = 0.25
_NO_END = 1 << 40


class Left(NamedTuple):
    """What each try of the next round may take at most; None is no limit."""

    seconds: float | None
    nodes: int | None
    memory_bytes: int


class Widths:
    """The widths of the beams of one board.

    Parameters
    ----------
    beams : Beams

    Attributes
    ----------
    beams : Beams
    complete : bool
        Whether the widest beam that the memory allows has been tried.
    """

    def __init__(self, beams: Beams) -> None:
        self.beams = beams
        self._nodes = beams.nodes
        self._seconds = beams.seconds
        self._widest = 0
        self.complete = False

    def next(self, left: Left, share: float) -> int | None:
        """Return the next width, if it takes no more than a share of what is left.

        It is three times the last one. Where no other would fit after that, it is the widest that
        fits.
        """
        most = left.memory_bytes // self.beams.board_bytes
        least = max(self.beams.least_width, int(LEAST_GROWTH * self._widest))
        self.complete = most < least
        if self._widest == 0:
            # Its cost is only guessed, and where it fails there is nothing.
            share = min(share, _FIRST_SHARE)
        fitting = self._fitting(left, share)
        if min(most, fitting) < least:
            return None
        if self._widest == 0:
            return min(self.beams.first_width, fitting, most)
        width = GROWTH * self._widest
        if fitting < width + GROWTH * width:
            width = fitting
        return min(width, most)

    def again(self, left: Left) -> int | None:
        """Return a width for other views, nearly as wide as the widest, if any fits."""
        width = min(self._fitting(left, 1.0), self._widest)
        return width if 0 < self._widest <= 4 * width else None

    def measure(self, width: int, outcomes: Sequence[Outcome]) -> None:
        """Take note of the outcomes of beams of a width that ran at the same time."""
        self._widest = max(self._widest, width)
        # One that was cut short says nothing of a whole one.
        whole = [outcome for outcome in outcomes if outcome.stopped_by is None]
        if whole:
            nodes = max(outcome.nodes for outcome in whole)
            seconds = max(outcome.seconds for outcome in whole)
            self._nodes = max(1.0, nodes / width)
            self._seconds = max(1e-9, (seconds - self.beams.before) / width)

    def _fitting(self, left: Left, share: float) -> int:
        """Return the widest beam that takes no more than a share of what is left."""
        most = float(_NO_END)
        if left.nodes is not None:
            most = min(most, share * left.nodes / self._nodes)
        if left.seconds is not None:
            most = min(most, (share * left.seconds - self.beams.before) / self._seconds)
        return int(max(0.0, most))
