"""How wide the next beam of a board may be: what the last one took says what the next will."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tilework.core.solver.costs import FIRST_SHARE, LEAST_GROWTH, next_width
from tilework.core.solver.large.anytime.choice import Beams
from tilework.core.solver.large.outcome import Outcome

_NO_END = 1 << 40


class Left(NamedTuple):
    seconds: float | None
    nodes: int | None
    memory_bytes: int


class Widths:
    """The widths of the beams of one board.

    Attributes
    ----------
    complete : bool; whether the widest beam that the memory allows has been tried
    """

    def __init__(self, beams: Beams) -> None:
        self.beams = beams
        self._costs = beams.costs
        self._nodes = beams.costs.nodes
        self._seconds = beams.costs.seconds
        self._widest = 0
        self.complete = False

    def next(self, left: Left, share: float) -> int | None:
        most = left.memory_bytes // self._costs.board_bytes
        self.complete = most < max(self._costs.least_width, int(LEAST_GROWTH * self._widest))
        if self._widest == 0:
            # Where it fails there is nothing.
            share = min(share, FIRST_SHARE)
        return next_width(self._costs, self._widest, self._fitting(left, share), most)

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
            self._seconds = max(1e-9, (seconds - self._costs.before) / width)

    def _fitting(self, left: Left, share: float) -> int:
        """Return the widest beam that takes no more than a share of what is left."""
        most = float(_NO_END)
        if left.nodes is not None:
            most = min(most, share * left.nodes / self._nodes)
        if left.seconds is not None:
            most = min(most, (share * left.seconds - self._costs.before) / self._seconds)
        return int(max(0.0, most))
