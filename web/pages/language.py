"""The switch between languages, and what templates need to know of the language."""

from __future__ import annotations

from flask import redirect, request
from werkzeug.wrappers import Response

from tilework.core.errors import InputError
from tilework.web.clients import services
from tilework.web.i18n import LANGUAGE_COOKIE, LANGUAGES, language

_ONE_YEAR_S = 365 * 86_400


def choose() -> Response:
    """Keep the visitor's choice in a cookie and go back to the page they were on."""
    answer = redirect(_own_page(request.form.get("next", "")), 303)
    wanted = request.form.get("language", "")
    if wanted in LANGUAGES:
        answer.set_cookie(
            LANGUAGE_COOKIE,
            wanted,
            max_age=_ONE_YEAR_S,
            samesite="Lax",
            httponly=True,
            secure=services().settings.secure_cookies,
        )
    return answer


def _own_page(address: str) -> str:
    """Only a path of this site: anything else would be an open redirect."""
    if not address.isprintable():
        raise InputError(
            "next-page",
            "{address!r} is not a page of this site; give a path, as in {example}",
            address=address[:100],
            example="/jobs",
        )
    if not address.startswith("/") or address[1:2] in ("/", "\\"):
        return "/"
    return address


def template_context() -> dict[str, str]:
    """What every template may use: the language and the way back to this page."""
    query = request.query_string.decode(errors="replace")
    here = request.path if request.method == "GET" else "/"
    return {"language": language(), "here": f"{here}?{query}" if query else here}
