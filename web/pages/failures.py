"""Error pages that look like the rest. Programs get problem details: ``tilework.web.problems``."""

from __future__ import annotations

from http import HTTPStatus

from flask import Response, make_response, render_template
from flask_babel import gettext as _
from werkzeug.exceptions import HTTPException

from tilework.web.i18n import name_language
from tilework.web.incidents import incident_id


def answer(error: HTTPException) -> Response:
    """Make the page for an error with a status of 400 or more."""
    status = error.code or HTTPStatus.INTERNAL_SERVER_ERROR
    if status == HTTPStatus.NOT_FOUND:
        title = _("There is nothing here.")
        words = _("The address may be mistyped, or the job may be gone.")
    elif status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        title = _("Something broke on our side.")
        words = _(
            "The fault is logged as %(error_id)s. Jobs that were given go on; "
            "try again in a moment.",
            error_id=incident_id(),
        )
    else:
        title = _("That did not work.")
        words = error.description or ""
    page = render_template("failure.html", status=int(status), title=title, words=words)
    return name_language(make_response(page, status))
