"""Chooses the widths of the beams that search a large board."""

from __future__ import annotations

from collections.abc import Sequence

from tilework.core.search.limits import Limits
from tilework.core.solver.costs import (
    BEAM_SHARE,
    BEAM_SHARE_WITH_SUFFIXES,
    FIRST_SHARE,
    MIN_GROWTH,
    SUFFIX_MIN_BEAM,
    SUFFIX_WIDTH,
    BeamCosts,
    next_width,
)
from tilework.core.solver.large.outcome import Outcome

_NO_LIMIT = 1 << 40


class Widths:
    """Chooses the width of the next beam from the measured cost of the last one."""

    def __init__(self, costs: BeamCosts, threads: int) -> None:
        self._costs = costs
        self._rounds = max(1, -(-costs.views // threads))
        self.views = 0  # number of views that were searched with the current width
        self._nodes = costs.nodes
        self._seconds = costs.seconds
        self._widest = 0
        self.is_complete = False  # whether the widest beam that fits into memory has run

    @property
    def has_views(self) -> bool:
        """Whether some views have been searched with the current width, and others remain."""
        return 0 < self.views < self._costs.views

    def next(self, remaining: Limits, *, with_suffixes: bool) -> int | None:
        """Return the width of the next beam; None if no wider beam fits the remaining limits.

        ``with_suffixes``: whether suffixes of the solution will be searched after it.
        """
        share = BEAM_SHARE_WITH_SUFFIXES if with_suffixes else BEAM_SHARE
        maximum = (remaining.memory_bytes or 0) // self._costs.board_bytes
        self.is_complete = maximum < max(self._costs.min_width, int(MIN_GROWTH * self._widest))
        affordable = self._limit_width(remaining, share)
        if self.has_views and self._widest <= affordable:
            return self._widest
        self.views = 0
        if self._widest == 0 and self._costs.views:
            return self._first_width(remaining, share, min(affordable, maximum))
        if self._widest == 0:
            # If the first beam fails, there is no solution at all.
            affordable = self._limit_width(remaining, min(share, FIRST_SHARE))
        return next_width(self._costs, self._widest, affordable, maximum)

    def _first_width(self, remaining: Limits, share: float, maximum: int) -> int | None:
        """Return the largest width for which there is time on all views, or the costs' minimum."""
        width = self._limit_width(remaining, share / self._rounds)
        if not self._costs.first_width < width < _NO_LIMIT:
            width = self._costs.first_width
        width = min(width, maximum)
        return width if width >= self._costs.min_width else None

    @property
    def allow_suffixes(self) -> bool:
        """Whether beams are wide enough, and all views were searched, so that suffixes can gain."""
        return self._widest >= SUFFIX_MIN_BEAM and not self.has_views

    @property
    def suffix_width(self) -> int:
        """The width of beams that search suffixes."""
        return max(self._costs.min_width, int(SUFFIX_WIDTH * self._widest))

    def measure(self, width: int, outcomes: Sequence[Outcome]) -> None:
        """Update the costs from the outcomes of beams of one width that ran in parallel."""
        self._widest = max(self._widest, width)
        self.views += len(outcomes)
        completed = [outcome for outcome in outcomes if outcome.stopped_by is None]
        if completed:
            nodes = max(outcome.nodes for outcome in completed)
            seconds = max(outcome.seconds for outcome in completed)
            self._nodes = max(1.0, nodes / width)
            self._seconds = max(1e-9, (seconds - self._costs.fixed_seconds) / width)

    def _limit_width(self, remaining: Limits, share: float) -> int:
        """Return the greatest width whose cost is at most a share of the remaining limits."""
        width = float(_NO_LIMIT)
        if remaining.nodes is not None:
            width = min(width, share * remaining.nodes / self._nodes)
        if remaining.seconds is not None:
            seconds = share * remaining.seconds - self._costs.fixed_seconds
            width = min(width, seconds / self._seconds)
        return int(max(0.0, width))
