"""Forms that would cost more to read than any that a page sends are refused unread."""

from __future__ import annotations

from flask import request
from werkzeug.exceptions import RequestEntityTooLarge

from web.bodies import form_of_a_board, why_costly
from web.clients import services
from web.i18n import say

_ENCODED = "application/x-www-form-urlencoded"


def refuse_costly_forms() -> None:
    """Look at this request's form before anything reads it.

    Raises
    ------
    RequestEntityTooLarge
        If it has more fields or signs than any that is needed.
    """
    if request.mimetype == _ENCODED:
        # Kept, and read again by Flask.
        body = request.get_data()
        fault = why_costly(body, form_of_a_board(services().settings))
        if fault is not None:
            raise RequestEntityTooLarge(say(fault))
