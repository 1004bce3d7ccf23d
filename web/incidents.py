"""Errors of this program, each under an id that is in the log and in the answer."""

from __future__ import annotations

from types import TracebackType
from typing import Final

import structlog
from flask import Flask, g, request

from tilework.core.logs import new_error_id

_CAUGHT = tuple[type, BaseException, TracebackType] | tuple[None, None, None]

_ID: Final = "error_id"

log = structlog.get_logger()


def install_incidents(app: Flask) -> None:
    """Log what nobody catches; Flask's own line would have no id."""
    app.log_exception = _log_caught  # type: ignore[method-assign, assignment]


def note_incident(error: BaseException) -> str:
    """Log an error that a request ran into, in one line; return the id to tell."""
    found = incident_id()
    log.error(
        "request failed",
        method=request.method,
        path=request.path[:200],
        error_id=found,
        exc_info=error,
    )
    return found


def incident_id() -> str:
    """Return the id of this request's error."""
    found: str = g.setdefault(_ID, new_error_id())
    return found


def _log_caught(caught: _CAUGHT) -> None:
    if caught[1] is not None:
        note_incident(caught[1])
