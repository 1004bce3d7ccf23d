"""How the description of the API documents problems."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any, Final

from tilework.web.problems import MEDIA_TYPE

_SCHEMA: Final = {
    "type": "object",
    "required": ["type", "title", "status", "detail", "instance"],
    "properties": {
        "type": {"type": "string", "format": "uri"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "instance": {"type": "string"},
    },
}


def problems(*statuses: int) -> dict[str | int, Any]:
    """Describe the statuses that are answered with problem details (RFC 9457)."""
    return {
        status: {
            "description": HTTPStatus(status).phrase,
            "content": {MEDIA_TYPE: {"schema": _SCHEMA}},
        }
        for status in statuses
    }
