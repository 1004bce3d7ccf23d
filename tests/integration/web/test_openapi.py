"""The API's description, and that the API is all described and documented."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

import tilework.web.problems
from tilework.web.openapi.operations import operations_of
from tilework.web.problems import Problem

DOCUMENT = Path(__file__).parents[3] / "docs" / "api.md"


@pytest.fixture
def description(client: FlaskClient) -> dict[str, Any]:
    return client.get("/openapi/openapi.json").json


def test_every_address_of_the_api_is_described_and_shown(
    app: Flask, client: FlaskClient, description: dict[str, Any]
) -> None:
    served = {
        (method, rule.rule.replace("uuid:", "").replace("<", "{").replace(">", "}"))
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith("/api/")
        for method in rule.methods or ()
        if method not in {"HEAD", "OPTIONS"}
    }
    described = set()
    page = client.get("/openapi").text
    for path, operations in description["paths"].items():
        for method, operation in operations.items():
            described.add((method.upper(), path))
            assert f'id="{operation["operationId"]}"' in page
            assert f'data-method="{method.upper()}" data-path="{path}"' in page
    assert described == served


def test_every_problem_is_documented() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    values: list[Any] = []
    for value in vars(tilework.web.problems).values():
        values += value.values() if isinstance(value, dict) else [value]
    kinds = {value.name for value in values if isinstance(value, Problem)}
    assert len(kinds) > 15
    assert kinds <= set(re.findall(r"`([a-z-]+)`", text.split("| `type`")[1]))


def test_it_fits_what_is_answered(client: FlaskClient, description: dict[str, Any]) -> None:
    references = set(_references(description))
    assert references
    for reference in references:
        place = description
        for part in reference.removeprefix("#/").split("/"):
            place = place[part]
    job = client.post("/api/v1/jobs", json={"board": "1 2 3 4 5 6 0 7 8"}).json
    assert set(description["components"]["schemas"]["JobDocument"]["properties"]) == set(job)
    sent = 0
    for operation in (one for group in operations_of(description).values() for one in group):
        # A file is the visitor's own, and so is the id of what there is already.
        if "{" in operation.path:
            continue
        for body in (one for one in operation.bodies[:1] if not one.is_file):
            answer = client.open(
                operation.path,
                method=operation.method,
                data=body.example,
                content_type=body.media_type,
            )
            assert answer.status_code in (200, 202), (operation.name, answer.text)
            sent += 1
    assert sent >= 5


def _references(part: object) -> list[str]:
    if isinstance(part, dict):
        own = [part["$ref"]] if isinstance(part.get("$ref"), str) else []
        return own + [found for value in part.values() for found in _references(value)]
    if isinstance(part, list):
        return [found for value in part for found in _references(value)]
    return []
