"""Statistics of the whole service: counts, queues, sizes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tilework.core.model.states import CounterName, JobState, Queue


@dataclass(frozen=True)
class QueueView:
    """A queue: work waiting and running, tickets in the broker (None where it is silent)."""

    name: Queue
    ready: int
    leased: int
    oldest_wait_s: float
    tickets: int | None


@dataclass(frozen=True)
class SizeStatistics:
    """What is known of one size: puzzles seen, solved at all, solved optimally; longest optimum.

    Attributes
    ----------
    best_ratio, mean_ratio : float or None
        Of the solutions that are not proved optimal: moves over the lower bound, the least and the
        mean. None where there are none, and for sizes up to 16 cells, whose searches end.
    """

    width: int
    height: int
    puzzles: int
    solved: int
    optimal: int
    longest: int | None
    best_ratio: float | None = None
    mean_ratio: float | None = None


@dataclass(frozen=True)
class StatisticsView:
    """The service since its database was made, and what it does now.

    Attributes
    ----------
    nodes_per_s : float
        Of the last seconds, over all long searches and all workers.
    workers : int
        Those that take slices of long searches, seen in the last seconds.
    quarantined : int
        Slices that no worker takes for a while, as they ended several.
    counters : mapping
        What went wrong and was overcome, counted by kind and by what it was about.
    set_aside : int
        Rows that were found damaged.
    """

    jobs: Mapping[JobState, int]
    cached_jobs: int
    sizes: tuple[SizeStatistics, ...]
    nodes: int
    seconds: float
    nodes_per_s: float
    workers: int
    quarantined: int
    counters: Mapping[tuple[CounterName, str], int]
    set_aside: int

    @property
    def total_jobs(self) -> int:
        """All jobs ever submitted."""
        return sum(self.jobs.values())

    @property
    def foreign_messages(self) -> int:
        """Messages that workers refused."""
        return self._sum(CounterName.FOREIGN_MESSAGES)

    @property
    def restarts(self) -> int:
        """Programs that ended by themselves and were started again."""
        return self._sum(CounterName.RESTARTS)

    def _sum(self, counter: CounterName) -> int:
        return sum(count for (name, _label), count in self.counters.items() if name is counter)
