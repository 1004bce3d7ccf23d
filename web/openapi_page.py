"""``/openapi``: the description of the API, and Swagger UI to try it with.

The page is our own because the one in the package is written with inline scripts.
"""

from __future__ import annotations

import copy
from importlib.resources import as_file, files
from typing import Any, Final, cast

from flask import Blueprint, Response, abort, current_app, render_template, send_file
from flask_openapi import Info, OpenAPI, SecurityScheme
from pydantic_core import to_json

INFO: Final = Info(
    title="Tilework",
    version="1",
    description="Sliding-tile puzzles of any size, solved with proved bounds.",
)
SECURITY: Final[dict[str, SecurityScheme | dict[str, Any]]] = {
    "key": SecurityScheme(
        type="http", scheme="bearer", description="An API key; without one, a cookie is given"
    )
}

# The newest that Swagger UI and the checkers of descriptions all read.
OPENAPI_VERSION: Final = "3.1.0"

_ASSETS: Final = {
    "swagger-ui.css": ("css", "text/css"),
    "swagger-ui-bundle.js": ("js", "text/javascript"),
}
_ONE_DAY_S: Final = 86_400

openapi = Blueprint("openapi", __name__, url_prefix="/openapi")


@openapi.get("/openapi.json")
def description() -> Response:
    """Send the description (OpenAPI 3)."""
    return Response(_description(cast(OpenAPI, current_app)), mimetype="application/json")


@openapi.get("")
def try_it() -> str:
    """Show the page."""
    return render_template("openapi.html")


@openapi.get("/assets/<name>")
def asset(name: str) -> Response:
    """Send a file of Swagger UI as its package ships it."""
    if name not in _ASSETS:
        abort(404)
    folder, media_type = _ASSETS[name]
    place = files("flask_openapi_swagger") / "templates" / "swagger" / folder / name
    with as_file(place) as path:
        return send_file(path, mimetype=media_type, max_age=_ONE_DAY_S)


def _description(app: OpenAPI) -> bytes:
    """Write the description, without the library's own validation of requests."""
    document = copy.deepcopy(app.api_doc)
    del document["components"]["schemas"]["ValidationErrorModel"]
    for operations in document["paths"].values():
        for operation in operations.values():
            refusal = operation["responses"].get("422", {}).get("content", {})
            if "application/json" in refusal:
                del operation["responses"]["422"]
    return to_json(document)
