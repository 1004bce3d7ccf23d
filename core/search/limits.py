"""Limits of a search, the clock they go by, and what it took."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum

from tilework.core import compiling


def search_clock() -> float:
    """Return seconds since some moment, without those that passed in compiling and loading."""
    return time.perf_counter() - compile_wait_s()


def compile_wait_s() -> float:
    """Return for how many seconds it has stood still."""
    return compiling.waited_s()


@dataclass(frozen=True, slots=True)
class Statistics:
    expanded: int = 0  # nodes whose successors were made
    generated: int = 0  # successors made, known ones too
    seconds: float = 0.0  # of wall time
    # Nodes that waited at most. Of a search that keeps only its path: the path.
    max_frontier: int = 0

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


def _never() -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Limits:
    seconds: float | None = None  # wall time from the start of the search
    nodes: int | None = None  # nodes generated
    # Bytes for frontier and closed set; only searches that have them check it
    memory_bytes: int | None = None
    # Called every fraction of a second; True ends the search
    cancelled: Callable[[], bool] = _never

    def after(self, seconds: float, nodes: int = 0) -> Limits:
        """Return what is left of them after so much, 0 at least."""
        return replace(
            self,
            seconds=None if self.seconds is None else max(0.0, self.seconds - seconds),
            nodes=None if self.nodes is None else max(0, self.nodes - nodes),
        )

    def budget(self, most: int, spent: int = 0) -> int:
        """Return how many nodes, at most so many, may be generated before limits are checked."""
        return most if self.nodes is None else max(0, min(most, self.nodes - spent))

    def reached(self, seconds: float, nodes: int = 0, memory_bytes: int = 0) -> StopReason | None:
        """Return what ends a search that has taken so much, if anything does.

        Where several bounds are reached the same one is named each time, as long as it is not
        time: the clock is asked last.

        Parameters
        ----------
        seconds : float; since the start of the search
        nodes : int; generated; a search is over once they are as many as the bound
        memory_bytes : int
            What is held, or wanted next; a search is over once it is more than the bound.
        """
        if self.cancelled():
            return StopReason.CANCELLED
        if self.nodes is not None and nodes >= self.nodes:
            return StopReason.NODES
        if self.memory_bytes is not None and memory_bytes > self.memory_bytes:
            return StopReason.MEMORY
        if self.seconds is not None and seconds >= self.seconds:
            return StopReason.TIME
        return None
