"""The description of the API (OpenAPI 3), as programs read it."""

from __future__ import annotations

import copy
from typing import Any, Final

from flask_openapi import Info, OpenAPI, SecurityScheme

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

# The newest that generators of clients and the checkers of descriptions all read.
OPENAPI_VERSION: Final = "3.1.0"


def description_of(app: OpenAPI) -> dict[str, Any]:
    """Return the description, without the library's own validation of requests."""
    document = copy.deepcopy(app.api_doc)
    del document["components"]["schemas"]["ValidationErrorModel"]
    for operations in document["paths"].values():
        for operation in operations.values():
            refusal = operation["responses"].get("422", {}).get("content", {})
            if "application/json" in refusal:
                del operation["responses"]["422"]
    return document
