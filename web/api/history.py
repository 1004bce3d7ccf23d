"""``/history``: everything that a client submitted, newest first."""

from __future__ import annotations

from typing import Annotated, Any, Final
from uuid import UUID

from flask import Response
from flask_openapi import APIBlueprint, Tag
from pydantic import Field

from tilework.core.links import API_ROOT
from tilework.core.model.batches import BatchView
from tilework.core.model.history import EntryKind, EntryView
from tilework.core.model.jobs import JobView
from tilework.core.model.tasks import GameSpec, Task
from tilework.core.model.views import Seconds
from tilework.core.services.history import MAX_ENTRIES
from tilework.web.api.documents import Document, NextPage, json_response, next_page
from tilework.web.api.operation_decorator import operation
from tilework.web.clients import known_client_id, services

_PAGES: Final = {
    EntryKind.JOB: "jobs",
    EntryKind.BATCH: "batches",
    EntryKind.COMPARISON: "comparisons",
    EntryKind.LAB: "lab",
    EntryKind.GAME: "analyses",
    EntryKind.SHORTEST_PATHS: "ways",
}


class EntryDocument(Document):
    """A job, batch, comparison or task that a client submitted."""

    id: str
    kind: EntryKind
    created_at: Seconds
    state: str = Field(
        description="The state of the job or task. For a batch or comparison: running or finished."
    )
    width: int | None = Field(description="The number of columns of the board. null for a batch.")
    height: int | None = Field(description="The number of rows of the board. null for a batch.")
    count: int | None = Field(
        description="The number of boards in a batch, runs in a comparison or moves in a game. "
        "null for other kinds."
    )
    lower_bound: int | None = Field(description="For a job: the lower bound of its board.")
    upper_bound: int | None = Field(description="For a job: the length of its best solution.")
    page: str = Field(description="The path of its page.")


class HistoryPageDocument(Document):
    """A page of entries, newest first."""

    entries: list[EntryDocument]
    next: NextPage


api = APIBlueprint(
    "history", __name__, url_prefix=f"{API_ROOT}/history", abp_tags=[Tag(name="history")]
)


@operation(api.get, "", "listHistory", HistoryPageDocument, 401)
def history(
    kind: Annotated[
        EntryKind | None, Field(description="Return only entries of this kind.")
    ] = None,
    limit: Annotated[int, Field(ge=1, le=MAX_ENTRIES)] = 50,
    before: Annotated[
        UUID | None, Field(description="The id of the last entry of the previous page.")
    ] = None,
) -> Response:
    """List everything that this client submitted, newest first.

    The jobs of a batch and those of hints are not listed.
    """
    client_id = known_client_id()
    entries, next_url = [], None
    if client_id is not None:
        kinds = tuple(EntryKind) if kind is None else (kind,)
        before_id = None if before is None else str(before)
        found, next_id = services().history.page(client_id, kinds, before_id, limit)
        entries = [_entry_document(*entry) for entry in found]
        if next_id is not None:
            next_url = next_page(next_id, kind=kind, limit=limit)
    document = HistoryPageDocument(entries=entries, next=next_url)
    return json_response(document, Cache_Control="private, no-store")


def _entry_document(kind: EntryKind, view: EntryView) -> EntryDocument:
    return EntryDocument(
        id=view.id,
        kind=kind,
        created_at=view.created_at,
        page=entry_page(kind, view),
        **_describe_view(view),
    )


def entry_page(kind: EntryKind, view: EntryView) -> str:
    """Return the path of an entry's page."""
    return f"/{_PAGES[kind]}/{view.id}"


def _describe_view(view: EntryView) -> dict[str, Any]:
    values: dict[str, Any] = dict.fromkeys(
        ("width", "height", "count", "lower_bound", "upper_bound")
    )
    values["state"] = "finished" if view.finished else "running"
    if isinstance(view, JobView):
        bounds = {"lower_bound": view.lower_bound, "upper_bound": view.upper_bound}
        return values | bounds | {"state": view.state, "width": view.width, "height": view.height}
    if isinstance(view, BatchView):
        return values | {"count": view.total}
    if isinstance(view, Task):
        size, values["state"] = view.spec.start.size, view.state
        count = len(view.spec.moves) if isinstance(view.spec, GameSpec) else None
    else:
        size, count = view.goal.size, len(view.runs)
    return values | {"width": size.width, "height": size.height, "count": count}
