"""``/openapi``: what the API can be asked, and forms to ask it with.

The page is our own: it wears the site's dress, weighs a hundredth of Swagger UI, keeps the strict
policy of content and passes the checks of accessibility, which that does not.
"""

from __future__ import annotations

from typing import cast

from flask import Blueprint, Response, current_app, render_template
from flask_openapi import OpenAPI
from pydantic_core import to_json

from tilework.web.i18n import name_language
from tilework.web.openapi.description import description_of
from tilework.web.openapi.operations import operations_of

openapi = Blueprint("openapi", __name__, url_prefix="/openapi")


@openapi.get("/openapi.json")
def description() -> Response:
    """Send the description (OpenAPI 3)."""
    app = cast(OpenAPI, current_app)
    return Response(to_json(description_of(app)), mimetype="application/json")


@openapi.get("")
def try_it() -> Response:
    """Show the page."""
    groups = operations_of(description_of(cast(OpenAPI, current_app)))
    return name_language(Response(render_template("openapi.html", groups=groups)))
