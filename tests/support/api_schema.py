"""Compares responses with the schema that the API publishes."""

import copy
import re
from collections.abc import Iterator
from functools import cache
from typing import Any, Final

from flask.testing import FlaskClient
from flask_openapi import OpenAPI
from jsonschema import Draft202012Validator
from werkzeug.test import TestResponse

from tilework.web.openapi import describe_api

JSON_TYPES: Final = ("application/json", "application/problem+json")


class PublishedSchema:
    """The description of an application. Members that it does not name are invalid."""

    def __init__(self, app: OpenAPI) -> None:
        description = copy.deepcopy(describe_api(app))
        self._components = description["components"]
        for schema in _objects(description):
            if "properties" in schema:
                schema.setdefault("additionalProperties", False)
        self._operations = [
            (method.upper(), re.compile(re.sub(r"{\w+}", "[^/]+", path)), operation)
            for path, operations in description["paths"].items()
            for method, operation in operations.items()
        ]

    def check(self, response: TestResponse) -> None:
        """Check the JSON of a response, unless it is a problem that any path can have."""
        method, path, status = response.request.method, response.request.path, response.status_code
        for known_method, pattern, operation in self._operations:
            if known_method == method and pattern.fullmatch(path):
                described = operation["responses"].get(str(status))
                if described is not None or status < 400:
                    content = described["content"][response.mimetype]
                    schema = content["schema"] | {"components": self._components}
                    Draft202012Validator(schema).validate(response.get_json())


def _objects(value: Any) -> Iterator[dict[str, Any]]:
    """Yield all objects in a JSON value."""
    if isinstance(value, dict):
        yield value
        value = list(value.values())
    for part in value if isinstance(value, list) else ():
        yield from _objects(part)


@cache
def published_schema(app: OpenAPI) -> PublishedSchema:
    return PublishedSchema(app)


class CheckingClient(FlaskClient):
    """Checks every response of the API with JSON, unless it is streamed or compressed."""

    def open(self, *args: Any, **options: Any) -> TestResponse:
        response = super().open(*args, **options)
        is_plain = response.content_length and not response.content_encoding
        is_api = response.request.path.startswith("/api/v1/")
        if is_api and is_plain and response.mimetype in JSON_TYPES:
            published_schema(self.application).check(response)
        return response
