"""What a client's history lists."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from tilework.core.model.batches import BatchView
from tilework.core.model.job_views import JobView
from tilework.core.model.runs import ComparisonView
from tilework.core.model.task_specs import GameSpec, ShortestPathsSpec
from tilework.core.model.tasks import Task

EntryView = JobView | BatchView | ComparisonView | Task[GameSpec] | Task[ShortestPathsSpec]


class EntryKind(StrEnum):
    """What an entry is: a row of its own table, and a page of its own."""

    JOB = "job"
    BATCH = "batch"
    COMPARISON = "comparison"
    LAB = "lab"
    GAME = "game"
    SHORTEST_PATHS = "ways"


@dataclass(frozen=True, slots=True)
class EntryHead:
    """An entry before what it tells of is read.

    Attributes
    ----------
    name : str or None
        The client's own, None where it has none.
    """

    id: str
    kind: EntryKind
    name: str | None


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """Something that a client once asked for, as it stands.

    Attributes
    ----------
    view : JobView, BatchView, ComparisonView or Task
        By the kind; that of a game or of ways has no result with it. Boards of very many cells are
        left out of a job's.
    """

    id: str
    kind: EntryKind
    name: str | None
    view: EntryView

    @property
    def created_at(self) -> float:
        """When it was asked for, in epoch seconds."""
        return self.view.created_at

    @property
    def finished(self) -> bool:
        """Whether all of it has ended."""
        return self.view.finished


@dataclass(frozen=True, slots=True)
class HistoryPage:
    """Entries, newest first.

    Attributes
    ----------
    next : str or None
        The id before which the next page begins; None where this is the last.
    """

    entries: tuple[HistoryEntry, ...]
    next: str | None
