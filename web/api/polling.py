"""How work that is followed is answered: as it is taken on, and then by its version.

The ETag is the version, in the language of the request. A client that sends it gets 304 for as long
as it stays the same.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final, Protocol, TypeVar

from flask import Response, request
from pydantic import BaseModel, Field
from werkzeug.wrappers import Response as AnyResponse

from tilework.web.api.documents import answer
from tilework.web.i18n import LANGUAGES, language, name_language

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
    """A view that can be followed."""

    @property
    def version(self) -> str:
        """Changes with everything that the view holds."""


Followed = TypeVar("Followed", bound=Versioned)
Answer = TypeVar("Answer", bound=AnyResponse)


def taken(document: BaseModel, address: str, *, finished: bool) -> Response:
    """Answer a request for work that is found at an address, and may have ended before."""
    if finished:
        return name_language(answer(document, Location=address))
    return name_language(answer(document, 202, Location=address, Retry_After=_RETRY_AFTER_S))


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
    if not query.wait and "If-None-Match" in request.headers and _is_seen(current := version()):
        return tagged(_unchanged(), current)
    view = follow(_version_seen(query.since), query.wait)
    return unless_seen(view.version, partial(shown, view))


def unless_seen(version: str, shown: Callable[[], Response]) -> Response:
    """Answer with what is of a version, or with 304 where the client has that one."""
    unchanged = "If-None-Match" in request.headers and _is_seen(version)
    return tagged(_unchanged() if unchanged else shown(), version)


def tagged(response: Answer, version: str) -> Answer:
    """Give an answer its ETag, which differs between languages as its sentences do."""
    response.set_etag(_tag_of(version))
    response.headers["Cache-Control"] = "no-cache"
    return name_language(response)


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
