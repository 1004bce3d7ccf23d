"""``/history``: all that a client asked for, with names, newest first."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from flask import Response, url_for
from flask_openapi import APIBlueprint, Tag
from pydantic import BaseModel, ConfigDict, Field

from tilework.core.model.history import EntryKind
from tilework.core.services.history.change import MOST_NAME
from tilework.core.services.history.read import MOST_ENTRIES
from tilework.web.api.documents import API, answer
from tilework.web.api.history_documents import (
    EntryDocument,
    HistoryPageDocument,
    entry_document,
)
from tilework.web.api.lab.outcomes import problems
from tilework.web.api.request_models import checked
from tilework.web.clients import known_client_id, services

_LONGEST_BODY_NAME = 1_000
"""Before white space is counted once."""

api = APIBlueprint("history", __name__, url_prefix=f"{API}/history", abp_tags=[Tag(name="history")])


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


@api.get("", operation_id="listHistory", responses={200: HistoryPageDocument, **problems(401, 422)})
@checked
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
    return answer(document, Cache_Control="private, no-store")


@api.patch(
    "/<uuid:entry_id>",
    operation_id="renameEntry",
    responses={200: EntryDocument, **problems(400, 401, 403, 404, 413, 415, 422, 429)},
)
@checked
def rename(path: EntryPath, body: NameFields) -> Response:
    """Give an entry of this client a name."""
    client_id, entry_id = known_client_id() or "", str(path.entry_id)
    services().change_history.rename(client_id, entry_id, body.name)
    entry = services().history.entry(client_id, entry_id)
    return answer(entry_document(entry), Cache_Control="private, no-store")


@api.delete(
    "/<uuid:entry_id>",
    operation_id="removeEntry",
    responses={204: {"description": "It is listed no more"}, **problems(401, 403, 404, 429)},
)
@checked
def remove(path: EntryPath) -> Response:
    """Take an entry out of this client's history, and its name with it.

    What it tells of stays for whoever has its address, and what is under way goes on: cancel it
    first, if it is to stop.
    """
    services().change_history.remove(known_client_id() or "", str(path.entry_id))
    return Response(status=204)
