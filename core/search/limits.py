"""What may stop a search before its natural end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum


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
    """Limits of one search; None is no limit.

    Attributes
    ----------
    seconds : float or None
        Wall time from the start of the search.
    nodes : int or None
        Nodes generated.
    memory_bytes : int or None
        Bytes for frontier and closed set; only searches that have them check it.
    cancelled : callable
        Called every fraction of a second; True ends the search.
    """

    seconds: float | None = None
    nodes: int | None = None
    memory_bytes: int | None = None
    cancelled: Callable[[], bool] = _never

    def reached(self, seconds: float, nodes: int = 0, memory_bytes: int = 0) -> StopReason | None:
        """Return what ends a search that has taken so much, if anything does.

        Where several bounds are reached the same one is named each time, as long as it is not
        time: the clock is asked last.

        Parameters
        ----------
        seconds : float
            Since the start of the search.
        nodes : int
            Generated; a search is over once they are as many as the bound.
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
