"""Which language a request is answered in."""

from __future__ import annotations

from typing import Final

from flask import Flask, request
from flask_babel import Babel

LANGUAGES: Final = ("en", "pt")
LANGUAGE_COOKIE: Final = "language"


def select_language() -> str:
    """Return ``?lang=``, else the cookie's language, else the best that the browser asks for."""
    for language in (request.args.get("lang"), request.cookies.get(LANGUAGE_COOKIE)):
        if language in LANGUAGES:
            return str(language)
    return request.accept_languages.best_match(LANGUAGES) or LANGUAGES[0]


def install_languages(app: Flask) -> None:
    """Set up translations out of ``web/translations``."""
    Babel(
        app,
        default_locale=LANGUAGES[0],
        default_translation_directories="translations",
        locale_selector=select_language,
    )
