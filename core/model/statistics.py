"""Statistics of the whole service: counts, queues, sizes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tilework.core.model.states import CounterName, JobState, Queue


@dataclass(frozen=True, slots=True)
class QueueCounts:
    """Waiting work, leased work, and the time since which the oldest work has been waiting."""

    ready: int
    leased: int
    oldest: float | None


@dataclass(frozen=True)
class QueueView:
    """A queue: its ready and leased work, and its tickets, None if the broker does not answer.

    ``suspended``: whether an operator has suspended it.
    """

    name: Queue
    ready: int
    leased: int
    oldest_wait_s: float
    tickets: int | None
    suspended: bool = False


@dataclass(frozen=True)
class SizeStatistics:
    """The numbers of puzzles of one size, and the longest optimal solution.

    Attributes
    ----------
    best_ratio, mean_ratio : float or None
        The minimum and the mean of length / lower bound over the solutions that are not proven
        optimal. None without such solutions, and for sizes up to 16 cells, whose searches end.
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
    """Stored jobs and puzzles, and the current activity.

    Attributes
    ----------
    nodes_per_s : float
        The rate over the last few seconds, summed over all long searches and workers.
    workers : int
        The number of workers of long searches that were seen in the last seconds.
    quarantined : int
        The number of slices that are suspended because they crashed workers.
    counters : mapping
        The number of incidents by kind and label.
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

    @property
    def total_jobs(self) -> int:
        """The number of all stored jobs; old ones are deleted."""
        return sum(self.jobs.values())

    @property
    def foreign_messages(self) -> int:
        """The number of messages that workers rejected."""
        return self._sum(CounterName.FOREIGN_MESSAGES)

    @property
    def restarts(self) -> int:
        """The number of processes that crashed and were restarted."""
        return self._sum(CounterName.RESTARTS)

    @property
    def damaged_solves(self) -> int:
        """The number of solves that started again because their stored data was damaged."""
        return self._sum(CounterName.DAMAGED_SOLVES)

    def _sum(self, counter: CounterName) -> int:
        return sum(count for (name, _label), count in self.counters.items() if name is counter)
