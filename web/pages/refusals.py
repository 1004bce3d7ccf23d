"""An invalid form: its page again, with the status that tells programs why."""

from __future__ import annotations

from http import HTTPStatus

from flask import make_response
from werkzeug.wrappers import Response

from tilework.core.errors import OverloadError, QuotaError, TileworkError
from tilework.core.messages import Message
from tilework.web.i18n import say


def refused(page: str, error: TileworkError) -> Response:
    """Answer with a form's page, and with Retry-After where the client may try again later."""
    answer = make_response(page, HTTPStatus.UNPROCESSABLE_ENTITY)
    if isinstance(error, QuotaError | OverloadError):
        answer.status_code = (
            HTTPStatus.TOO_MANY_REQUESTS
            if isinstance(error, QuotaError)
            else HTTPStatus.SERVICE_UNAVAILABLE
        )
        answer.headers["Retry-After"] = str(error.retry_after_s)
    return answer


def in_words(error: TileworkError) -> str:
    """Return an error's message as a sentence in the visitor's language."""
    return sentence(error.message)


def sentence(message: Message) -> str:
    """Return a message as a sentence in the visitor's language."""
    words = say(message)
    end = "" if words.endswith((".", "…", "!", "?")) else "."
    return words[:1].upper() + words[1:] + end
