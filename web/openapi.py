"""The OpenAPI document, and the API reference page at ``/openapi``."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple, cast

from flask import Blueprint, Response, current_app, render_template
from flask_openapi import Info, OpenAPI, SecurityScheme
from markupsafe import Markup, escape
from pydantic_core import to_json

from tilework.web.i18n import set_language_headers

Schema = dict[str, Any]

openapi = Blueprint("openapi", __name__, url_prefix="/openapi")


@openapi.get("/openapi.json")
def document() -> Response:
    app = cast(OpenAPI, current_app)
    return Response(to_json(describe_api(app)), mimetype="application/json")


@openapi.get("")
def reference() -> Response:
    description = describe_api(cast(OpenAPI, current_app))
    groups: dict[str, list[tuple[str, str, Schema]]]
    groups = {tag["name"]: [] for tag in description["tags"]}
    for path, operations in description["paths"].items():
        for method, operation in operations.items():
            groups[operation["tags"][0]].append((method.upper(), path, operation))
    page = render_template(
        "openapi.html",
        groups=groups,
        schemas=_Schemas(description["components"]["schemas"]),
        mark_code=_mark_code,
    )
    return set_language_headers(Response(page))


INFO: Final = Info(
    title="Tilework",
    version="1",
    description="Solves sliding-tile puzzles of any size, with proven bounds.",
)
_PROBLEM_SCHEMA: Final = {
    "type": "object",
    "description": "Why a request failed (RFC 9457). Some types of problems have more members.",
    "required": ["type", "title", "status", "detail", "code", "instance"],
    "properties": {
        "type": {
            "type": "string",
            "format": "uri",
            "description": "The type of the problem.",
            "examples": ["urn:tilework:problem:unsolvable"],
        },
        "title": {"type": "string", "description": "The type of the problem, for people."},
        "status": {"type": "integer", "description": "The status of the response."},
        "detail": {"type": "string", "description": "What happened, for people."},
        "code": {
            "type": "string",
            "description": "What happened, for programs.",
            "examples": ["permutation"],
        },
        "instance": {"type": "string", "description": "The path of the request."},
    },
    "additionalProperties": True,
}
SECURITY: Final[dict[str, SecurityScheme | dict[str, Any]]] = {
    "key": SecurityScheme(
        type="http",
        scheme="bearer",
        description="An API key. Clients without one are identified by a cookie.",
    )
}

# The newest version that all client generators and validators support.
OPENAPI_VERSION: Final = "3.1.0"


def describe_api(app: OpenAPI) -> dict[str, Any]:
    """Return the OpenAPI document, with problem details instead of the library's own errors."""
    document = copy.deepcopy(app.api_doc)
    schemas = document["components"]["schemas"]
    del schemas["ValidationErrorModel"]
    schemas["ProblemDocument"] = _PROBLEM_SCHEMA
    for operations in document["paths"].values():
        for operation in operations.values():
            if "description" in operation:  # the library joins its lines with `<br/>`
                operation["description"] = operation["description"].replace("<br/>", "\n").strip()
            invalid_request = operation["responses"].get("422", {}).get("content", {})
            if "application/json" in invalid_request:
                del operation["responses"]["422"]
    return document


class Field(NamedTuple):
    name: str
    kind: str  # the type and the range, as in `integer ≥ 0 and ≤ 9`
    description: str
    required: bool
    default: str
    choices: tuple[str, ...]  # the values of an enumeration


def _mark_code(text: str) -> Markup:
    escaped = str(escape(text))
    return Markup(re.sub("`+(.+?)`+", r"<code>\1</code>", escaped))  # noqa: S704  (escaped above)


class _Schemas:
    def __init__(self, schemas: dict[str, Schema]) -> None:
        self._schemas = schemas

    def fields(self, schema: Schema) -> Iterator[Field]:
        """Yield the fields of an object, and nothing for other types."""
        resolved = self._resolve(schema)
        for part in resolved.get("allOf", []):
            yield from self.fields(part)
        required = resolved.get("required", ())
        for name, part in resolved.get("properties", {}).items():
            yield self.field(name, part, name in required)

    def field(self, name: str, schema: Schema, required: bool) -> Field:
        resolved = self._resolve(schema)
        default = schema.get("default")
        return Field(
            name=name,
            kind=self._describe_type(schema),
            description=_mark_code(schema.get("description") or resolved.get("description", "")),
            required=required,
            default="" if default is None else json.dumps(default).strip('"'),
            choices=tuple(map(str, resolved.get("enum", ()))),
        )

    def example(self, content: Schema) -> str:
        """Return the documented example of a body, or else one with only the required fields."""
        resolved = self._resolve(content["schema"])
        example = content.get("example", self._example(resolved))
        return example if isinstance(example, str) else json.dumps(example, indent=2)

    def _example(self, schema: Schema) -> Any:
        resolved = self._resolve(schema)
        if "examples" in resolved:
            return resolved["examples"][0]
        if "example" in resolved:
            return resolved["example"]
        if "anyOf" in resolved:
            return self._example(resolved["anyOf"][0])
        if resolved.get("type") == "array":
            return [self._example(resolved["items"])]
        required = resolved.get("required", ())
        if "properties" in resolved:
            properties = resolved["properties"].items()
            return {name: self._example(part) for name, part in properties if name in required}
        return resolved.get("minimum", "")

    def _describe_type(self, schema: Schema, plural: str = "") -> str:
        resolved = self._resolve(schema)
        if "anyOf" in resolved:
            types = (
                self._describe_type(variant, plural)
                for variant in resolved["anyOf"]
                if variant.get("type") != "null"
            )
            return " or ".join(dict.fromkeys(types))
        if "enum" in resolved:
            return f"{'any' if plural else 'one'} of " + ", ".join(map(str, resolved["enum"]))
        if "const" in resolved:
            return str(resolved["const"])
        if resolved.get("type") == "array":
            return f"list{plural} of {self._describe_type(resolved.get('items', {}), plural='s')}"
        name = resolved.get("format") or resolved.get("type", "object")
        return f"{name}{plural} {' and '.join(_describe_range(resolved))}".rstrip()

    def _resolve(self, schema: Schema) -> Schema:
        if "$ref" in schema:
            return self._schemas[schema["$ref"].rpartition("/")[2]]
        return schema


def _describe_range(schema: Schema) -> Iterator[str]:
    for name, symbol in [
        ("minimum", "≥"),
        ("exclusiveMinimum", ">"),
        ("maximum", "≤"),
        ("exclusiveMaximum", "<"),
    ]:
        if name in schema:
            limit = schema[name]
            yield f"{symbol} {int(limit) if limit == int(limit) else limit:,}"
