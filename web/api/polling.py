"""Polling: waiting for a change, and ETags.

The ETag is the version in the language of the request. A waiting request occupies a thread, so only
those wait for which the server has one.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Annotated, Final, Protocol, TypeVar

from flask import Response, request
from pydantic import BaseModel, Field
from werkzeug.wrappers import Response as BaseResponse

from tilework.core.model.jobs import JobView
from tilework.web.api.documents import RETRY_AFTER_S, json_response
from tilework.web.clients import services
from tilework.web.i18n import LANGUAGES, language, set_language_headers
from tilework.web.middleware import cache_while_current
from tilework.web.server.wsgi import MAY_WAIT

MAX_WAIT_S: Final = 20.0
"""The longest long poll."""


WaitSeconds = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Wait = Annotated[
    WaitSeconds,
    Field(
        description="How many seconds to wait, up to 20, for a version other than the one in since "
        "or If-None-Match, or for the end of all work if neither is given.",
    ),
]
Since = Annotated[
    str | None, Field(max_length=200, description="The version in an earlier response.")
]


class Versioned(Protocol):
    """A view that can be polled. Its version changes whenever anything in it changes."""

    @property
    def version(self) -> str: ...

    @property
    def finished(self) -> bool: ...


View = TypeVar("View", bound=Versioned)
View_co = TypeVar("View_co", bound=Versioned, covariant=True)
AnyResponse = TypeVar("AnyResponse", bound=BaseResponse)


class Reader(Protocol[View_co]):
    """Reads work by its id. Reading only the version is cheap."""

    def version(self, work_id: str, /) -> str: ...

    def view(self, work_id: str, /) -> View_co: ...

    def wait(self, work_id: str, version: str, seconds: float, /) -> View_co: ...


def wait_for_change(
    view: Callable[[], View],
    wait: Callable[[str, float], View],
    version: str | None,
    seconds: float,
) -> View:
    """Return a view as soon as its version differs, or after `seconds`.

    Without a version, wait until the work has ended. If too many requests are already waiting,
    return the view immediately.
    """
    seconds = min(seconds, MAX_WAIT_S)
    if seconds <= 0 or not request.environ.get(MAY_WAIT, True):
        return view()
    if version is not None:
        return wait(version, seconds)
    deadline = time.monotonic() + seconds
    current = view()
    while not current.finished and (remaining := deadline - time.monotonic()) > 0:
        current = wait(current.version, remaining)
    return current


def wait_for_end(job_id: str, seconds: float, *, brief: bool) -> JobView:
    """Return a job once it has ended, or after `seconds`."""
    read = services().read
    view, wait = partial(read.view, job_id, brief=brief), partial(read.wait, job_id, brief=brief)
    return wait_for_change(view, wait, None, seconds)


def accepted_response(document: BaseModel, location: str, *, finished: bool) -> Response:
    """Respond to a submission with 202, or with 200 if the work has already ended."""
    if finished:
        return set_language_headers(json_response(document, Location=location))
    return set_language_headers(
        json_response(document, 202, Location=location, Retry_After=RETRY_AFTER_S)
    )


def poll_response(
    seconds: float,
    since: str | None,
    reader: Reader[View],
    work_id: str,
    document: Callable[[View], BaseModel],
) -> Response:
    """Respond to a poll for a task or a comparison."""
    return respond_to_poll(
        seconds,
        since,
        partial(reader.version, work_id),
        view=partial(reader.view, work_id),
        wait=partial(reader.wait, work_id),
        render=lambda view: json_response(document(view)),
    )


def respond_to_poll(
    seconds: float,
    since: str | None,
    version: Callable[[], str],
    *,
    view: Callable[[], View],
    wait: Callable[[str, float], View],
    render: Callable[[View], Response],
) -> Response:
    """Respond to a poll. It can send the version that it has, and wait for another."""
    has_version = "If-None-Match" in request.headers
    if not seconds:
        # Reading only the version is cheaper.
        if has_version and _is_seen(current := version()):
            cache_while_current(current, version)
            return with_etag(Response(status=304), current)
        current_view = view()
    else:
        current_view = wait_for_change(view, wait, _seen_version(since, version), seconds)
    return respond_unless_seen(current_view.version, partial(render, current_view))


def respond_unless_seen(version: str, render: Callable[[], Response]) -> Response:
    """Return the rendered response, or 304 if the client already has this version."""
    seen = "If-None-Match" in request.headers and _is_seen(version)
    return with_etag(Response(status=304) if seen else render(), version)


def with_etag(response: AnyResponse, version: str) -> AnyResponse:
    """Set the ETag, which contains the language because messages are translated."""
    response.set_etag(_etag(version))
    response.headers["Cache-Control"] = "no-cache"
    return set_language_headers(response)


def _is_seen(version: str) -> bool:
    return request.if_none_match.contains_weak(_etag(version))


def _seen_version(since: str | None, version: Callable[[], str]) -> str | None:
    """Return the version that the client has, without its language, or None if it sent none."""
    if since is not None:
        return since
    seen = {_untranslated(tag) for tag in request.if_none_match.as_set(include_weak=True)}
    if len(seen) > 1 and (current := version()) in seen:
        return current
    return next(iter(seen), None)


def _untranslated(tag: str) -> str:
    for suffix in LANGUAGES[1:]:
        tag = tag.removesuffix(f"-{suffix}")
    return tag


def _etag(version: str) -> str:
    name = language()
    return version if name == LANGUAGES[0] else f"{version}-{name}"
