"""The entries of a client's history."""

from __future__ import annotations

from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """A request that a client once made, with its current state.

    ``view``: depends on the kind. Games and shortest paths come without results, and jobs of large
        boards without the boards.
    """

    kind: EntryKind
    view: EntryView

    @property
    def id(self) -> str:
        return self.view.id

    @property
    def created_at(self) -> float:
        """When it was requested, in epoch seconds."""
        return self.view.created_at

    @property
    def finished(self) -> bool:
        """Whether it has ended completely."""
        return self.view.finished


@dataclass(frozen=True, slots=True)
class HistoryPage:
    """Entries, newest first.

    ``next``: the id before which the next page begins; None on the last page.
    """

    entries: tuple[HistoryEntry, ...]
    next: str | None
