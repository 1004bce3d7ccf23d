"""Which language a request is answered in."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeVar

from babel import Locale
from flask import Flask, request
from flask_babel import Babel, get_locale, get_translations
from werkzeug.wrappers import Response

from tilework.core.languages import TRANSLATIONS_FOLDER
from tilework.core.messages import Message

LANGUAGES: Final = ("en", "pt")
LANGUAGE_COOKIE: Final = "language"

MACHINE_PATHS: Final = ("/api/", "/healthz", "/readyz", "/metrics", "/openapi/")
"""Addresses that programs ask, and not people with a browser."""

_LOCALES: Final = {name: Locale(name) for name in LANGUAGES}

Answer = TypeVar("Answer", bound=Response)


def select_language() -> str:
    """Return ``?lang=``, else the cookie's language, else the best that is asked for.

    The cookie is a visitor's choice of the language of pages, and says nothing to the API.
    """
    wishes = [request.args.get("lang")]
    if not request.path.startswith(MACHINE_PATHS):
        wishes.append(request.cookies.get(LANGUAGE_COOKIE))
    for wish in wishes:
        if wish in LANGUAGES:
            return str(wish)
    return _best_of(request.accept_languages)


def _best_of(wishes: Iterable[tuple[str, float]]) -> str:
    """Return the language with the most weight in ``Accept-Language``; ``pt-BR`` asks for ``pt``.

    Werkzeug's own choice prefers whole tags: of ``pt-BR, en;q=0.5`` it takes English.
    """
    weights: dict[str, float] = {}
    others = 0.0
    for tag, weight in wishes:
        language = tag.replace("_", "-").partition("-")[0].lower()
        if language in LANGUAGES:
            weights[language] = max(weight, weights.get(language, 0.0))
        elif tag == "*":
            others = weight
    for language in LANGUAGES:
        weights.setdefault(language, others)
    best = max(weights, key=weights.__getitem__)
    return best if weights[best] > 0 else LANGUAGES[0]


def language() -> str:
    """Return the language of the request."""
    locale = get_locale()
    return locale.language if locale is not None else LANGUAGES[0]


def name_language(answer: Answer) -> Answer:
    """Say in an answer's headers which language it is in, and what that depends on."""
    answer.headers["Content-Language"] = language()
    answer.vary.add("Accept-Language")
    if not request.path.startswith(MACHINE_PATHS):
        answer.vary.add("Cookie")
    return answer


def say(message: Message) -> str:
    """Return a message in the language of the request."""
    return message.said(get_translations())


def say_words(words: str) -> str:
    """Return words of a fixed list, extracted where they stand, in the language of the request."""
    return str(get_translations().gettext(words))


def install_languages(app: Flask) -> None:
    """Set up translations: those of the pages, and those of the messages of ``core``."""
    Babel(
        app,
        default_locale=LANGUAGES[0],
        default_translation_directories=f"translations;{TRANSLATIONS_FOLDER}",
        # A name would be parsed anew for each request.
        locale_selector=lambda: _LOCALES[select_language()],
    )
