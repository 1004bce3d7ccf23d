"""How requests say that they wait for news, and how what is followed is answered: by its version.

The ETag is the version. Who names it is answered 304 as long as it stands.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

from flask import Response, request
from pydantic import BaseModel, Field


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
    """A view that can be followed."""

    @property
    def version(self) -> str:
        """Changes with all that is kept of it."""


Followed = TypeVar("Followed", bound=Versioned)


def followed(
    query: FollowQuery,
    version: Callable[[], str],
    follow: Callable[[str | None, float], Followed],
    shown: Callable[[Followed], Response],
) -> Response:
    """Answer a request that may know a version already, and may wait for another.

    Parameters
    ----------
    version : callable
        Reads the version alone, which is cheap: asked where nobody waits.
    follow : callable
        Returns the view once its version is another than the one given, or after so many seconds.
    shown : callable
        Writes the view.
    """
    seen = request.if_none_match if "If-None-Match" in request.headers else None
    if seen is not None and not query.wait and (current := version()) in seen:
        return tagged(Response(status=304), current)
    since = query.since or (next(iter(seen), None) if seen is not None else None)
    view = follow(since, query.wait)
    unchanged = seen is not None and view.version in seen
    return tagged(Response(status=304) if unchanged else shown(view), view.version)


def tagged(response: Response, version: str) -> Response:
    """Name the version in an answer, and have it asked for again each time."""
    response.set_etag(version)
    response.headers["Cache-Control"] = "no-cache"
    return response
