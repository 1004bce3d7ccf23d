"""The language of a request, and translation."""

from __future__ import annotations

from decimal import Decimal
from functools import lru_cache
from typing import Final, TypeVar

import flask_babel
from babel import Locale
from flask import Flask, g, has_request_context, request
from flask_babel import Babel, get_translations
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header
from werkzeug.wrappers import Response

from tilework.core.messages import TRANSLATIONS_FOLDER, Message

LANGUAGES: Final = ("en", "pt")
LANGUAGE_COOKIE: Final = "language"
LANGUAGE_PARAMETER: Final = "lang"

MACHINE_PATHS: Final = ("/api/", "/healthz", "/readyz", "/metrics", "/openapi/")
"""The paths that are used by programs, not by browsers."""

_LOCALES: Final = {name: Locale(name) for name in LANGUAGES}

AnyResponse = TypeVar("AnyResponse", bound=Response)


def select_language() -> str:
    """Return the language of ``?lang=``, the cookie (only for pages) or ``Accept-Language``."""
    if (name := request.args.get(LANGUAGE_PARAMETER)) in LANGUAGES:
        return str(name)
    if not request.path.startswith(MACHINE_PATHS):
        name = request.cookies.get(LANGUAGE_COOKIE)
        if name in LANGUAGES:
            return str(name)
    return _best_match(request.headers.get("Accept-Language", ""))


@lru_cache(maxsize=256)
def _best_match(header: str) -> str:
    """Return the language with the highest weight.

    Werkzeug would choose English for ``pt-BR, en;q=0.5``.
    """
    weights: dict[str, float] = {}
    wildcard_weight = 0.0
    for tag, weight in parse_accept_header(header, LanguageAccept):
        language = tag.replace("_", "-").partition("-")[0].lower()
        if language in LANGUAGES:
            weights[language] = max(weight, weights.get(language, 0.0))
        elif tag == "*":
            wildcard_weight = weight
    for language in LANGUAGES:
        weights.setdefault(language, wildcard_weight)
    best = max(weights, key=weights.__getitem__)
    return best if weights[best] > 0 else LANGUAGES[0]


def language() -> str:
    if not has_request_context():
        return LANGUAGES[0]
    if "language" not in g:
        g.language = select_language()
    return str(g.language)


def set_language_headers(response: AnyResponse) -> AnyResponse:
    response.headers["Content-Language"] = language()
    response.vary.add("Accept-Language")
    if not request.path.startswith(MACHINE_PATHS):
        response.vary.add("Cookie")
    return response


def translate(message: Message) -> str:
    return message.translate(get_translations())


def translate_text(text: str) -> str:
    return str(get_translations().gettext(text))


def install_languages(app: Flask) -> None:
    Babel(
        app,
        default_locale=LANGUAGES[0],
        default_translation_directories=f"translations;{TRANSLATIONS_FOLDER}",
        # Babel would parse the name of a language again for each request.
        locale_selector=lambda: _LOCALES[language()],
    )


# Typed versions of the library's functions.
def gettext(text: str, **values: object) -> str:
    return str(flask_babel.gettext(text, **values))


def pgettext(context: str, text: str) -> str:
    return str(flask_babel.pgettext(context, text))


def ngettext(singular: str, plural: str, count: int, /, **values: object) -> str:
    return str(flask_babel.ngettext(singular, plural, count, **values))


def format_decimal(value: float | Decimal | None, pattern: str | None = None) -> str:
    return str(flask_babel.format_decimal(value, pattern))


def format_percent(fraction: float, pattern: str) -> str:
    return str(flask_babel.format_percent(fraction, pattern))
