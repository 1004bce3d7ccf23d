"""Requests that others must not wait for: long polls, event streams and batches."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qs

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment


_POLLED_PATH: Final = re.compile(
    r"/api/v1/(?:jobs|batches|comparisons|analyses|ways)/[0-9a-fA-F-]+"
)
_STREAM_PATH: Final = re.compile(r"/api/v1/(?:jobs|batches)/[0-9a-fA-F-]+/events")
_HINTS_PATH: Final = "/api/v1/hints"
_BATCH_PATH: Final = re.compile(r"/api/v1/batches|/batches/[0-9a-fA-F-]+/prove")
_FORM_PATH: Final = "/jobs"

_LONG_FORM_BYTES: Final = 1 << 14
"""A longer form may contain so many boards that storing them takes a second."""


def is_long_poll(environ: WSGIEnvironment) -> bool:
    """Return whether a request waits for the end or a change of some work."""
    method, path = environ["REQUEST_METHOD"], environ["PATH_INFO"]
    if method == "POST" and path == _HINTS_PATH:
        wait = "1"  # by default
    elif method == "GET" and _POLLED_PATH.fullmatch(path) is not None:
        wait = "0"
    else:
        return False
    try:
        return float(parse_qs(environ["QUERY_STRING"]).get("wait", [wait])[0]) > 0
    except ValueError:
        return False


def is_event_stream(environ: WSGIEnvironment) -> bool:
    """Return whether the response is an event stream, whose parts are due when work changes."""
    return _STREAM_PATH.fullmatch(environ["PATH_INFO"]) is not None


def is_batch(environ: WSGIEnvironment, body_bytes: int) -> bool:
    """Return whether a request stores many boards, with pauses in which others can write."""
    path = environ["PATH_INFO"]
    return environ["REQUEST_METHOD"] == "POST" and (
        _BATCH_PATH.fullmatch(path) is not None
        or (path == _FORM_PATH and body_bytes > _LONG_FORM_BYTES)
    )
