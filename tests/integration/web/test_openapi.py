from __future__ import annotations

from flask import Flask
from flask.testing import FlaskClient

from tilework.web.openapi.operations import operations_of


def test_every_address_of_the_api_is_described(app: Flask, client: FlaskClient) -> None:
    description = client.get("/openapi/openapi.json").json
    described = {
        (method.upper(), path)
        for path, operations in description["paths"].items()
        for method in operations
    }
    served = {
        (method, rule.rule.replace("uuid:", "").replace("<", "{").replace(">", "}"))
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith("/api/")
        for method in rule.methods or ()
        if method not in {"HEAD", "OPTIONS"}
    }
    assert described == served


def test_every_reference_leads_somewhere(client: FlaskClient) -> None:
    description = client.get("/openapi/openapi.json").json
    references = set(_references(description))
    assert references
    for reference in references:
        place = description
        for part in reference.removeprefix("#/").split("/"):
            place = place[part]


def test_answers_are_described_as_they_are_written(client: FlaskClient) -> None:
    schemas = client.get("/openapi/openapi.json").json["components"]["schemas"]
    job = client.post("/api/v1/jobs", json={"board": "1 2 3 4 5 6 0 7 8"}).json
    assert set(schemas["JobDocument"]["properties"]) == set(job)


def test_the_page_shows_every_operation(client: FlaskClient) -> None:
    description = client.get("/openapi/openapi.json").json
    page = client.get("/openapi").text
    for path, operations in description["paths"].items():
        for method, operation in operations.items():
            assert f'id="{operation["operationId"]}"' in page
            assert f'data-method="{method.upper()}" data-path="{path}"' in page


def test_its_examples_work_untouched(client: FlaskClient) -> None:
    groups = operations_of(client.get("/openapi/openapi.json").json)
    sent = 0
    for operation in (one for group in groups.values() for one in group):
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
