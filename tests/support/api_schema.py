"""Compares responses with the schema that the API publishes."""

import copy
import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, Final

from flask.testing import FlaskClient
from flask_openapi import OpenAPI
from jsonschema import Draft202012Validator, validators
from werkzeug.test import TestResponse

from tilework.web.openapi import describe_api

JSON_TYPES: Final = ("application/json", "application/problem+json")
CONTAINERS: Final = ("properties", "items", "additionalProperties")
PART: Final = "x-part"


class PublishedSchema:
    """The description of an application. Members that it does not name are invalid.

    ``seen``: the parts of the schema, objects and lists, of which a response had one with content.
    """

    def __init__(self, app: OpenAPI) -> None:
        description = copy.deepcopy(describe_api(app))
        self._components = description["components"]
        for name, schema in _schemas(description, ""):
            if "properties" in schema:
                schema.setdefault("additionalProperties", False)
            if any(isinstance(schema.get(keyword), dict) for keyword in CONTAINERS):
                schema[PART] = name
        self._operations = [
            (method.upper(), re.compile(re.sub(r"{\w+}", "[^/]+", path)), operation)
            for path, operations in description["paths"].items()
            for method, operation in operations.items()
        ]
        self.seen: set[str] = set()
        recorders = {keyword: self._recorder(keyword) for keyword in CONTAINERS}
        self._validator = validators.extend(Draft202012Validator, recorders)

    def _recorder(self, keyword: str) -> Callable[..., Iterator[Any]]:
        check = Draft202012Validator.VALIDATORS[keyword]

        def record(validator: Any, value: Any, instance: Any, schema: Any) -> Iterator[Any]:
            if instance and PART in schema:
                self.seen.add(schema[PART])
            yield from check(validator, value, instance, schema) or ()

        return record

    def check(self, response: TestResponse) -> None:
        """Check the JSON of a response, unless it is a problem that any path can have."""
        method, path, status = response.request.method, response.request.path, response.status_code
        for known_method, pattern, operation in self._operations:
            if known_method == method and pattern.fullmatch(path):
                described = operation["responses"].get(str(status))
                if described is not None or status < 400:
                    content = described["content"][response.mimetype]
                    schema = content["schema"] | {"components": self._components}
                    self._validator(schema).validate(response.get_json())
                    self.seen.add(operation["operationId"])

    def parts(self) -> set[str]:
        """Return the operations that respond with JSON, and the parts of these responses."""
        parts: set[str] = set()
        for *_, operation in self._operations:
            for status, response in operation["responses"].items():
                content = response.get("content", {}).get("application/json")
                if status < "300" and content is not None:
                    parts.add(operation["operationId"])
                    self._add_parts(content["schema"], parts)
        return parts - self._components["schemas"].keys()

    def _add_parts(self, root: Any, parts: set[str]) -> None:
        for _, schema in _schemas(root, ""):
            name = schema.get("$ref", "").rpartition("/")[2]
            if name and name not in parts:
                parts.add(name)
                self._add_parts(self._components["schemas"][name], parts)
            elif PART in schema:
                parts.add(schema[PART])


def _schemas(value: Any, name: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield all objects in a JSON value, with their paths."""
    if isinstance(value, dict):
        yield name, value
        for key, part in value.items():
            yield from _schemas(part, f"{name}/{key}")
    elif isinstance(value, list):
        for index, part in enumerate(value):
            yield from _schemas(part, f"{name}/{index}")


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
