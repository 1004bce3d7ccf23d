"""Sends every request in docs/api.md, and compares its response with the documented one."""

import json
import re
from pathlib import Path

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

import tilework.web.problems
from tests.integration.web.conftest import MakeApp
from tests.support.pending_work import make_worker
from tilework.web.problems import Problem

PAGE = (Path(__file__).parents[3] / "docs" / "api.md").read_text()
WORK = "<!-- a worker works -->"
ANYTHING = "…"


def test_examples(make_app: MakeApp) -> None:
    app = make_app(callback_hosts="example.com", callback_secret="s")
    services, client = app.extensions["tilework"], app.test_client()
    work = make_worker(services)
    values = {"key": services.clients.create_key("docs")[1], "id": "none", "run": "none"}
    values["operator"] = services.clients.create_key("docs", operator=True)[1]
    examples = 0
    for block in re.findall(rf"^{WORK}$|^```http\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE):
        if not block:
            work()
            continue
        text = re.sub(r"\{(id|key|run|operator)\}", lambda match: values[match[1]], block)
        request, documented = re.split(r"^(?=\d{3} )", text, maxsplit=1, flags=re.MULTILINE)
        response = send(client, request)
        compare(response, documented)
        examples += 1
        if response.is_json and isinstance(response.json, dict):
            values["id"] = response.json.get("id", values["id"])
            values["run"] = response.json.get("runs", [{"id": values["run"]}])[0]["id"]
    assert examples > 30


def test_every_problem_is_listed() -> None:
    types: set[str] = set()
    for value in vars(tilework.web.problems).values():
        members = value.values() if isinstance(value, dict) else [value]
        types |= {member.name for member in members if isinstance(member, Problem)}
    assert len(types) > 15
    assert types <= set(re.findall(r"`([a-z-]+)`", PAGE.partition("## Problems")[2]))


def parse_message(text: str) -> tuple[str, dict[str, str], str]:
    head, _, body = text.partition("\n\n")
    first, *headers = head.strip().split("\n")
    return first, dict(line.split(": ", 1) for line in headers), body.strip()


def send(client: FlaskClient, request: str) -> TestResponse:
    first, headers, body = parse_message(request)
    method, _, url = first.partition(" ")
    path, _, query = url.partition("?")
    headers = ({"Content-Type": "application/json"} if body else {}) | headers
    return client.open(path, query_string=query, method=method, headers=headers, data=body)


def compare(response: TestResponse, documented: str) -> None:
    first, headers, body = parse_message(documented)
    assert response.status_code == int(first.split()[0]), response.text
    if response.status_code >= 400:
        assert response.content_type == "application/problem+json"
    for name, value in headers.items():
        assert value in {ANYTHING, response.headers[name]}, name
    if body.startswith("{"):
        compare_json(json.loads(body), response.json)
    else:
        pattern = re.escape(body).replace(ANYTHING, "[^,]*")
        assert re.fullmatch(pattern, response.text.strip().replace("\r\n", "\n"))


def compare_json(expected: object, actual: object) -> None:
    """Compare JSON values: the actual objects can have more members, lists cannot."""
    if expected == ANYTHING:
        assert actual
    elif isinstance(expected, dict):
        assert isinstance(actual, dict)
        for name, value in expected.items():
            compare_json(value, actual[name])
    elif isinstance(expected, list) and expected != [ANYTHING]:
        assert isinstance(actual, list)
        for pair in zip(expected, actual, strict=True):
            compare_json(*pair)
    elif not isinstance(expected, list):
        assert expected == actual
