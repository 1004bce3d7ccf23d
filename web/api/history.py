"""``/history``: all that a client asked for, with names, newest first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any, Final
from uuid import UUID

from flask import Response, url_for
from flask_openapi import APIBlueprint, Tag
from pydantic import BaseModel, ConfigDict, Field

from tilework.core.formats.csv_lines import csv_lines
from tilework.core.model.batches import BatchView
from tilework.core.model.history import EntryKind, HistoryEntry
from tilework.core.model.job_views import JobView
from tilework.core.model.task_specs import GameSpec
from tilework.core.model.tasks import Task
from tilework.core.services.history.change import MOST_NAME
from tilework.core.services.history.read import MOST_ENTRIES
from tilework.core.services.jobs.document import API_ROOT, Seconds
from tilework.web.api.documents import Document, json_response
from tilework.web.api.request_parsing import parsed_request, problem_responses
from tilework.web.clients import known_client_id, services

_LONGEST_BODY_NAME = 1_000
"""Before white space is counted once."""

_PLACES: Final = {
    EntryKind.JOB: "jobs",
    EntryKind.BATCH: "batches",
    EntryKind.COMPARISON: "comparisons",
    EntryKind.LAB: "lab",
    EntryKind.GAME: "analyses",
    EntryKind.SHORTEST_PATHS: "ways",
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


api = APIBlueprint(
    "history", __name__, url_prefix=f"{API_ROOT}/history", abp_tags=[Tag(name="history")]
)


class HistoryQuery(BaseModel):
    """Which entries."""

    kind: EntryKind | None = Field(None, description="Only those of one kind")
    limit: int = Field(50, ge=1, le=MOST_ENTRIES)
    before: UUID | None = Field(None, description="Id of the last entry of the page before")


class EntryPath(BaseModel):
    """An entry's address."""

    entry_id: UUID


class NameFields(BaseModel):
    """A name for an entry."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"name": "The one from the newspaper"}]}
    )

    name: Annotated[
        str,
        Field(
            max_length=_LONGEST_BODY_NAME,
            description=f"At most {MOST_NAME} characters; empty takes the name away",
        ),
    ]


@api.get(
    "",
    operation_id="listHistory",
    responses={200: HistoryPageDocument, **problem_responses(401, 422)},
)
@parsed_request
def history(query: HistoryQuery) -> Response:
    """List what this client asked for, of all kinds, newest first.

    The jobs of a batch are not among them, nor what was removed.
    """
    client_id = known_client_id()
    entries, next_page = [], None
    if client_id is not None:
        kinds = tuple(EntryKind) if query.kind is None else (query.kind,)
        before = str(query.before) if query.before else None
        page = services().history.page(client_id, kinds, before, query.limit)
        entries = [entry_document(entry) for entry in page.entries]
        if page.next is not None:
            next_page = url_for(".history", kind=query.kind, limit=query.limit, before=page.next)
    document = HistoryPageDocument(entries=entries, next=next_page)
    return json_response(document, Cache_Control="private, no-store")


@api.patch(
    "/<uuid:entry_id>",
    operation_id="renameEntry",
    responses={200: EntryDocument, **problem_responses(400, 401, 403, 404, 413, 415, 422, 429)},
)
@parsed_request
def rename(path: EntryPath, body: NameFields) -> Response:
    """Give an entry of this client a name."""
    client_id, entry_id = known_client_id() or "", str(path.entry_id)
    services().change_history.rename(client_id, entry_id, body.name)
    entry = services().history.entry(client_id, entry_id)
    return json_response(entry_document(entry), Cache_Control="private, no-store")


@api.delete(
    "/<uuid:entry_id>",
    operation_id="removeEntry",
    responses={
        204: {"description": "It is listed no more"},
        **problem_responses(401, 403, 404, 429),
    },
)
@parsed_request
def remove(path: EntryPath) -> Response:
    """Take an entry out of this client's history, and its name with it.

    What it tells of stays for whoever has its address, and what is under way goes on: cancel it
    first, if it is to stop.
    """
    services().change_history.remove(known_client_id() or "", str(path.entry_id))
    return Response(status=204)


def entry_document(entry: HistoryEntry) -> EntryDocument:
    return EntryDocument(
        id=entry.id,
        kind=entry.kind,
        name=entry.name,
        created_at=entry.created_at,
        page=f"/{_PLACES[entry.kind]}/{entry.id}",
        **_told(entry),
    )


def table(entries: Iterable[HistoryEntry]) -> Iterator[str]:
    rows = (entry_document(entry).model_dump(mode="json").values() for entry in entries)
    return csv_lines(EntryDocument.model_fields, rows)


def _told(entry: HistoryEntry) -> dict[str, Any]:
    view = entry.view
    told: dict[str, Any] = dict.fromkeys(("width", "height", "count", "lower_bound", "upper_bound"))
    told["state"] = "finished" if view.finished else "running"
    if isinstance(view, JobView):
        bounds = {"lower_bound": view.lower_bound, "upper_bound": view.upper_bound}
        return told | bounds | {"state": view.state, "width": view.width, "height": view.height}
    if isinstance(view, BatchView):
        return told | {"count": view.total}
    if isinstance(view, Task):
        size, told["state"] = view.spec.start.size, view.state
        count = len(view.spec.moves) if isinstance(view.spec, GameSpec) else None
    else:
        size, count = view.goal.size, len(view.runs)
    return told | {"width": size.width, "height": size.height, "count": count}
