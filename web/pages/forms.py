"""Forms that would cost more to read than any that a page sends are refused unread."""

from __future__ import annotations

from typing import Final

from flask import request
from werkzeug.exceptions import RequestEntityTooLarge

from tilework.web.bodies import form_of_a_board, why_costly
from tilework.web.clients import services
from tilework.web.i18n import say
from tilework.web.limits import SAFE_METHODS

_ENCODED: Final = "application/x-www-form-urlencoded"
_MOST_PARTS: Final = 50
"""Of a form that brings a file; each takes as long as a thousand bytes and more."""


def refuse_costly_forms() -> None:
    """Look at this request's form before anything reads it.

    Raises
    ------
    RequestEntityTooLarge
        If it has more fields or signs than any that is needed.
    """
    if request.method in SAFE_METHODS:
        return
    bounds = form_of_a_board(services().settings)
    request.max_content_length = bounds.size
    request.max_form_parts = _MOST_PARTS
    if request.mimetype == _ENCODED:
        # Kept, and read again by Flask.
        body = request.get_data()
        fault = why_costly(body, bounds)
        if fault is not None:
            raise RequestEntityTooLarge(say(fault))
