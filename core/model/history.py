"""The entries of a client's history."""

from __future__ import annotations

from enum import StrEnum

from tilework.core.model.batches import BatchView
from tilework.core.model.comparisons import Comparison
from tilework.core.model.jobs import JobView
from tilework.core.model.tasks import GameSpec, ShortestPathsSpec, Task

EntryView = JobView | BatchView | Comparison | Task[GameSpec] | Task[ShortestPathsSpec]


class EntryKind(StrEnum):
    """The kind of an entry."""

    JOB = "job"
    BATCH = "batch"
    COMPARISON = "comparison"
    LAB = "lab"
    GAME = "game"
    SHORTEST_PATHS = "ways"


Entry = tuple[EntryKind, EntryView]
"""A request that a client once made, with its current state.

Games and shortest paths come without results, and jobs of large boards without the boards.
"""
