"""Following work: waiting for it, with a cap on how many wait, and answering by its version.

A waiter occupies a thread, of which there are more than there may be waiters. The ETag is the
version, in the language of the request.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from functools import partial
from typing import Final, Protocol, TypeVar
from uuid import UUID

from flask import Flask, Response, current_app, request
from pydantic import BaseModel, Field
from werkzeug.wrappers import Response as AnyResponse

from tilework.core.settings import Settings
from tilework.web.api.documents import json_response
from tilework.web.clients import services
from tilework.web.i18n import LANGUAGES, language, set_language_headers

_PLACES: Final = "tilework-waiters"
_RETRY_AFTER_S: Final = 1


class FollowQuery(BaseModel):
    """How long to wait, and for what."""

    wait: float = Field(
        0,
        ge=0,
        allow_inf_nan=False,
        description="Seconds to wait, up to 20, for another version than If-None-Match or since "
        "names, or for the end of all work where neither is given",
    )
    since: str | None = Field(None, max_length=200, description="A version seen before")


class Versioned(Protocol):
    """A view that can be followed; the version changes with everything that it holds."""

    @property
    def version(self) -> str: ...

    @property
    def finished(self) -> bool: ...


View = TypeVar("View", bound=Versioned)
Viewed_co = TypeVar("Viewed_co", bound=Versioned, covariant=True)
Answer = TypeVar("Answer", bound=AnyResponse)


class Reader(Protocol[Viewed_co]):
    """Finds work by its id; the version alone is cheap."""

    def version(self, work_id: str, /) -> str: ...

    def view(self, work_id: str, /) -> Viewed_co: ...

    def wait(self, work_id: str, version: str, seconds: float, /) -> Viewed_co: ...


def install_polling(app: Flask, settings: Settings) -> None:
    app.extensions[_PLACES] = threading.Semaphore(settings.max_waiters)


def wait_for_change(
    look: Callable[[], View],
    wait: Callable[[str, float], View],
    version: str | None,
    seconds: float,
) -> View:
    """Return a view once its version differs, or after so many seconds; without one, at its end.

    While all places for waiters are taken, it is returned as it is.
    """
    seconds = min(seconds, services().settings.max_wait_s)
    places: threading.Semaphore = current_app.extensions[_PLACES]
    if seconds <= 0 or not places.acquire(blocking=False):
        return look()
    try:
        return wait(version, seconds) if version is not None else _end(look, wait, seconds)
    finally:
        places.release()


def _end(look: Callable[[], View], wait: Callable[[str, float], View], seconds: float) -> View:
    deadline = time.monotonic() + seconds
    view = look()
    while not view.finished and (left := deadline - time.monotonic()) > 0:
        view = wait(view.version, left)
    return view


def accepted_response(document: BaseModel, address: str, *, finished: bool) -> Response:
    """Answer a request for work that is found at an address, and may have ended before."""
    if finished:
        return set_language_headers(json_response(document, Location=address))
    return set_language_headers(
        json_response(document, 202, Location=address, Retry_After=_RETRY_AFTER_S)
    )


def poll_response(
    query: FollowQuery, reader: Reader[View], work_id: UUID, document: Callable[[View], BaseModel]
) -> Response:
    known_as = str(work_id)
    return respond_to_poll(
        query,
        partial(reader.version, known_as),
        partial(wait_for_change, partial(reader.view, known_as), partial(reader.wait, known_as)),
        lambda view: json_response(document(view)),
    )


def respond_to_poll(
    query: FollowQuery,
    version: Callable[[], str],
    wait_for_change: Callable[[str | None, float], View],
    shown: Callable[[View], Response],
) -> Response:
    """Answer a request that may know a version already, and may wait for another.

    `version` is cheap and is used unless the client waits; `wait_for_change` takes a version and
    seconds.
    """
    if not query.wait and "If-None-Match" in request.headers and _is_seen(current := version()):
        return with_etag(_unchanged(), current)
    view = wait_for_change(_version_seen(query.since), query.wait)
    return respond_unless_seen(view.version, partial(shown, view))


def respond_unless_seen(version: str, shown: Callable[[], Response]) -> Response:
    """Answer with what is of a version, or with 304 where the client has that one."""
    unchanged = "If-None-Match" in request.headers and _is_seen(version)
    return with_etag(_unchanged() if unchanged else shown(), version)


def with_etag(response: Answer, version: str) -> Answer:
    """Give an answer its ETag, which differs between languages as its sentences do."""
    response.set_etag(_tag_of(version))
    response.headers["Cache-Control"] = "no-cache"
    return set_language_headers(response)


def _unchanged() -> Response:
    return Response(status=304)


def _is_seen(version: str) -> bool:
    """Whether ``If-None-Match`` names this version, in the language of the request."""
    return _tag_of(version) in request.if_none_match


def _version_seen(since: str | None) -> str | None:
    """Return the version that the client has, in whichever language; None if it names none."""
    if since is not None or "If-None-Match" not in request.headers:
        return since
    tag = next(iter(request.if_none_match), None)
    if tag is None:
        return None
    for other in LANGUAGES[1:]:
        tag = tag.removesuffix(_suffix_of(other))
    return tag


def _tag_of(version: str) -> str:
    return version + _suffix_of(language())


def _suffix_of(name: str) -> str:
    return "" if name == LANGUAGES[0] else f"-{name}"
