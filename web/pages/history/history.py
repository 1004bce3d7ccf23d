"""The visitor's history: everything that was asked for, newest first, a page at a time."""

from __future__ import annotations

from http import HTTPStatus
from typing import Final
from uuid import UUID

from flask import redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from tilework.core.errors import OptionError
from tilework.core.model.history import EntryKind, HistoryPage
from tilework.core.services.history.change import MOST_NAME
from tilework.web.clients import known_client_id, services
from tilework.web.pages.history.entries import kind_names, line_of
from tilework.web.pages.refusals import in_words, refused

ENTRIES_A_PAGE: Final = 20


def show() -> str:
    """Show the entries before the one named in the address, or the newest, of one kind or all."""
    return _page()


def rename(entry_id: UUID) -> Response:
    """Give an entry a name, and come back to where it was given."""
    try:
        name = request.form.get("name", "")
        services().change_history.rename(known_client_id() or "", str(entry_id), name)
    except OptionError as error:
        return refused(_page(in_words(error)), error)
    return _back()


def remove(entry_id: UUID) -> Response:
    """Take an entry out of the list."""
    services().change_history.remove(known_client_id() or "", str(entry_id))
    return _back()


def after_change(entry_id: UUID) -> Response:
    """Go to the list: where a refusal was shown, and is loaded again."""
    del entry_id
    return _back()


def old_address() -> Response:
    """Go to where the list of jobs is now."""
    address = url_for("pages.history", before=request.args.get("before"))
    return redirect(address, HTTPStatus.MOVED_PERMANENTLY)


def chosen_kind() -> EntryKind | None:
    """Return the kind that is asked for; None for all.

    Raises
    ------
    OptionError
        If there is no such kind.
    """
    text = request.args.get("kind")
    if not text:
        return None
    try:
        return EntryKind(text)
    except ValueError:
        raise OptionError(
            "choice",
            "{text!r} is not available; choose from {offered}",
            text=text[:40],
            offered=", ".join(EntryKind),
        ) from None


def _page(problem: str = "") -> str:
    kind = chosen_kind()
    before = request.args.get("before")
    found = _found(kind, before)
    return render_template(
        "history.html",
        lines=[line_of(entry) for entry in found.entries],
        kind=kind,
        kinds=kind_names(),
        older=found.next,
        before=before,
        unfinished=any(not entry.finished for entry in found.entries),
        most_name=MOST_NAME,
        problem=problem,
    )


def _found(kind: EntryKind | None, before: str | None) -> HistoryPage:
    client_id = known_client_id()
    if client_id is None:
        return HistoryPage((), None)
    kinds = tuple(EntryKind) if kind is None else (kind,)
    return services().history.page(client_id, kinds, before, ENTRIES_A_PAGE)


def _back() -> Response:
    kind, before = (request.args.get(name) for name in ("kind", "before"))
    return redirect(url_for("pages.history", kind=kind, before=before), HTTPStatus.SEE_OTHER)
