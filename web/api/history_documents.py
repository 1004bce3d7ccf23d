"""Entries of a client's history as documents: the same in the API and in the page's files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from pydantic import Field

from tilework.core.formats.csv_lines import csv_lines
from tilework.core.model.batches import BatchView
from tilework.core.model.history import EntryKind, HistoryEntry
from tilework.core.model.job_views import JobView
from tilework.core.model.questions import AnalysisView, GameSpec
from tilework.core.services.jobs.document import Seconds
from tilework.web.api.documents import Document

_PLACES: Final = {
    EntryKind.JOB: "jobs",
    EntryKind.BATCH: "batches",
    EntryKind.COMPARISON: "comparisons",
    EntryKind.LAB: "lab",
    EntryKind.GAME: "analyses",
    EntryKind.WAYS: "ways",
}


class EntryDocument(Document):
    """Something that a client once asked for, and where it stands."""

    id: str
    kind: EntryKind
    name: str | None = Field(description="The client's own; null where it has none")
    created_at: Seconds
    state: str = Field(description="Of what it is; running or finished where it is several things")
    width: int | None = Field(description="Columns of the board; null of a batch")
    height: int | None = Field(description="Rows of the board; null of a batch")
    count: int | None = Field(
        description="Boards of a batch, runs of a comparison, moves of a game; null of others"
    )
    lower_bound: int | None = Field(description="Of a job: moves that every solution has")
    upper_bound: int | None = Field(description="Of a job: moves of its best solution")
    page: str = Field(description="Path of its page")


class HistoryPageDocument(Document):
    """Entries, newest first."""

    entries: list[EntryDocument]
    next: str | None = Field(description="Address of the page after this one")


def entry_document(entry: HistoryEntry) -> EntryDocument:
    """Return an entry as a document."""
    return EntryDocument(
        id=entry.id,
        kind=entry.kind,
        name=entry.name,
        created_at=entry.created_at,
        page=f"/{_PLACES[entry.kind]}/{entry.id}",
        **_told(entry),
    )


def table(entries: Iterable[HistoryEntry]) -> Iterator[str]:
    """Yield CSV: a header and a line for each entry."""
    rows = (entry_document(entry).model_dump(mode="json").values() for entry in entries)
    return csv_lines(EntryDocument.model_fields, rows)


def _told(entry: HistoryEntry) -> dict[str, Any]:
    """Return what an entry tells of, by its kind."""
    view = entry.view
    told: dict[str, Any] = dict.fromkeys(("width", "height", "count", "lower_bound", "upper_bound"))
    told["state"] = "finished" if view.finished else "running"
    if isinstance(view, JobView):
        bounds = {"lower_bound": view.lower_bound, "upper_bound": view.upper_bound}
        return told | bounds | {"state": view.state, "width": view.width, "height": view.height}
    if isinstance(view, BatchView):
        return told | {"count": view.total}
    if isinstance(view, AnalysisView):
        size, told["state"] = view.spec.start.size, view.state
        count = len(view.spec.moves) if isinstance(view.spec, GameSpec) else None
    else:
        size, count = view.goal.size, len(view.runs)
    return told | {"width": size.width, "height": size.height, "count": count}
