"""Limits of a search, its clock, and its statistics."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Self

from tilework.core import compiling
from tilework.core.arguments import check_integer, check_number, optional


class _Pauses:
    seconds = 0.0
    rounds = 0  # under way on other threads


def search_clock() -> float:
    """Return a monotonic time in seconds, excluding pauses and the time to load code and tables."""
    return time.perf_counter() - compiling.load_wait_s() - _Pauses.seconds


@contextmanager
def pausing() -> Iterator[None]:
    """Exclude the time of a block from that of the search that it interrupts.

    A search within the block has a running clock. A search on other threads is not interrupted, so
    its clock continues. Only one thread of a process may use this.
    """
    started, is_paused = search_clock(), not _Pauses.rounds
    try:
        yield
    finally:
        if is_paused:
            _Pauses.seconds += search_clock() - started


@contextmanager
def searching_on_threads() -> Iterator[None]:
    """Note for `pausing` that the search of this thread runs on other threads."""
    _Pauses.rounds += 1
    try:
        yield
    finally:
        _Pauses.rounds -= 1


@dataclass(frozen=True, slots=True)
class Statistics:
    expanded: int = 0  # nodes whose successors were generated
    generated: int = 0  # successors generated, duplicates included
    seconds: float = 0.0  # wall time
    max_frontier: int = 0  # maximum nodes in the frontier; in depth-first searches, on the path

    def __add__(self, other: Statistics) -> Statistics:
        return Statistics(
            self.expanded + other.expanded,
            self.generated + other.generated,
            self.seconds + other.seconds,
            max(self.max_frontier, other.max_frontier),
        )


class StopReason(StrEnum):
    """Why a search stopped early. Stopping is a result, not an exception."""

    TIME = "time"
    NODES = "nodes"
    MEMORY = "memory"
    CANCELLED = "cancelled"
    DEPTH = "depth"


def _ignore(_nodes: int) -> None:
    pass


@dataclass(frozen=True, slots=True)
class Limits:
    seconds: float | None = None  # wall time from the start of the search
    nodes: int | None = None  # nodes generated
    # Bytes for frontier and closed set, in searches that have them
    memory_bytes: int | None = None
    # Called several times a second; if true, the search ends
    cancelled: Callable[[], bool] = bool
    # Called with the nodes generated so far, as often as `cancelled`
    report: Callable[[int], object] = _ignore

    @classmethod
    def of(
        cls, time_limit: float | None, *, nodes: int | None = None, memory_bytes: int | None = None
    ) -> Self:
        """Check the limits that a caller gives."""
        return cls(
            optional(check_number, "time_limit", time_limit),
            optional(check_integer, "nodes", nodes, 0),
            optional(check_integer, "memory_bytes", memory_bytes, 0),
        )

    def after(self, seconds: float, nodes: int = 0) -> Limits:
        """Return the limits that remain after some effort, at least 0."""
        report = self.report
        if report is not _ignore and nodes:
            report_total = report

            def report(new_nodes: int) -> object:
                return report_total(nodes + new_nodes)

        return replace(
            self,
            seconds=None if self.seconds is None else max(0.0, self.seconds - seconds),
            nodes=None if self.nodes is None else max(0, self.nodes - nodes),
            report=report,
        )

    def budget(self, maximum: int, generated: int = 0) -> int:
        """Return the number of nodes to generate before the next check of the limits."""
        return maximum if self.nodes is None else max(0, min(maximum, self.nodes - generated))

    def check(self, seconds: float, nodes: int = 0, memory_bytes: int = 0) -> StopReason | None:
        """Return the limit that a search has reached, if any.

        Time is checked last, so that the result is reproducible when another limit is reached.

        Parameters
        ----------
        seconds : float; time since the start of the search
        nodes : int; number of nodes generated so far
        memory_bytes : int; memory in use, or needed next
        """
        self.report(nodes)
        if self.cancelled():
            return StopReason.CANCELLED
        if self.nodes is not None and nodes >= self.nodes:
            return StopReason.NODES
        if self.memory_bytes is not None and memory_bytes > self.memory_bytes:
            return StopReason.MEMORY
        if self.seconds is not None and seconds >= self.seconds:
            return StopReason.TIME
        return None
