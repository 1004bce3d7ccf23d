"""What an analysis has taken, and what it may still take."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from tilework.core.search.limits import Limits, Statistics, StopReason, search_clock


class Effort:
    """Time and nodes, held against limits."""

    def __init__(self, limits: Limits, tick: Callable[[], object]) -> None:
        def cancelled() -> bool:
            tick()
            return limits.cancelled()

        self._limits = replace(limits, cancelled=cancelled)
        self._began = search_clock()
        self._spent = Statistics()
        self._seconds = limits.seconds
        self._nodes = limits.nodes

    @property
    def seconds(self) -> float:
        return search_clock() - self._began

    @property
    def statistics(self) -> Statistics:
        return Statistics(self._spent.expanded, self._spent.generated, self.seconds)

    @contextmanager
    def share(self, part: float) -> Iterator[None]:
        """Spend at most a part of what is left, until the end of the block."""
        before = self._seconds, self._nodes
        left = self.left()
        if self._seconds is not None and left.seconds is not None:
            self._seconds = self.seconds + part * left.seconds
        if self._nodes is not None and left.nodes is not None:
            self._nodes = self._spent.generated + int(part * left.nodes)
        try:
            yield
        finally:
            self._seconds, self._nodes = before

    def count(self, expanded: int, generated: int) -> None:
        self._spent += Statistics(expanded, generated)

    def add(self, spent: Statistics) -> None:
        self.count(spent.expanded, spent.generated)

    def chunk(self, most: int) -> int:
        """Return how many nodes a search may take before it asks again."""
        return most if self._nodes is None else max(0, min(most, self._nodes - self._generated))

    def left(self) -> Limits:
        return replace(
            self._limits,
            seconds=None if self._seconds is None else max(0.0, self._seconds - self.seconds),
            nodes=None if self._nodes is None else max(0, self._nodes - self._generated),
        )

    def stopped_by(self) -> StopReason | None:
        limits = replace(self._limits, seconds=self._seconds, nodes=self._nodes)
        return limits.reached(self.seconds, self._generated)

    @property
    def _generated(self) -> int:
        return self._spent.generated
