from __future__ import annotations

from flask import Flask
from flask.testing import FlaskClient


def test_every_address_of_the_api_is_described(app: Flask, client: FlaskClient) -> None:
    description = client.get("/openapi/openapi.json").json
    described = {
        (method.upper(), path)
        for path, operations in description["paths"].items()
        for method in operations
    }
    served = {
        (method, rule.rule.replace("<uuid:", "{").replace(">", "}"))
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


def test_the_page_to_try_it_is_complete(client: FlaskClient) -> None:
    page = client.get("/openapi")
    assert page.mimetype == "text/html"
    for asset in ("swagger-ui.css", "swagger-ui-bundle.js"):
        path = f"/openapi/assets/{asset}"
        assert path in page.text
        with client.get(path) as answer:
            assert answer.status_code == 200
    assert client.get("/openapi/assets/other.js").status_code == 404


def _references(part: object) -> list[str]:
    if isinstance(part, dict):
        own = [part["$ref"]] if isinstance(part.get("$ref"), str) else []
        return own + [found for value in part.values() for found in _references(value)]
    if isinstance(part, list):
        return [found for value in part for found in _references(value)]
    return []
