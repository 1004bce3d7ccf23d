"""The history as a file, for spreadsheets and programs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from flask import Response

from tilework.core.model.history import EntryKind, HistoryEntry
from tilework.core.services.history.read import MOST_ENTRIES
from tilework.web.api.documents import answer
from tilework.web.api.history_documents import HistoryPageDocument, entry_document, table
from tilework.web.clients import known_client_id, services
from tilework.web.pages.history.history import chosen_kind

MOST_EXPORTED: Final = 500
"""The newest; a program reads older ones from the API."""


def as_json() -> Response:
    """Send the newest entries as the API writes them."""
    entries = [entry_document(entry) for entry in _entries()]
    return _file(answer(HistoryPageDocument(entries=entries, next=None)), "json")


def as_csv() -> Response:
    """Send the newest entries as a table."""
    text = "".join(table(_entries()))
    return _file(Response(text, content_type="text/csv; charset=utf-8"), "csv")


def _entries() -> Iterator[HistoryEntry]:
    client_id = known_client_id()
    if client_id is None:
        return
    kind = chosen_kind()
    kinds = tuple(EntryKind) if kind is None else (kind,)
    left, before = MOST_EXPORTED, None
    while left > 0:
        page = services().history.page(client_id, kinds, before, min(left, MOST_ENTRIES))
        yield from page.entries
        if page.next is None:
            return
        left, before = left - MOST_ENTRIES, page.next


def _file(response: Response, extension: str) -> Response:
    response.headers["Content-Disposition"] = f'attachment; filename="tilework-history.{extension}"'
    response.headers["Cache-Control"] = "private, no-store"
    return response
