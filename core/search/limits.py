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
