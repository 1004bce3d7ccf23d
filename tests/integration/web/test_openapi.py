import json
import re
from pathlib import Path

from flask import Flask, url_for
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

import tilework.web.problems
from tests.integration.web.conftest import MakeApp
from tests.support.pending_work import make_worker
from tilework.core.model.ids import new_id
from tilework.web.problems import Problem
from tilework.web.server.wsgi import is_batch, is_long_poll


def test_every_route_of_the_api_is_documented(app: Flask, client: FlaskClient) -> None:
    routes = {
        (method, rule.rule.replace("uuid:", "").replace("<", "{").replace(">", "}"))
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith("/api/")
        for method in rule.methods or ()
        if method not in {"HEAD", "OPTIONS"}
    }
    documented_routes = set()
    page = client.get("/openapi").text
    for path, operations in client.get("/openapi/openapi.json").json["paths"].items():
        for method, operation in operations.items():
            documented_routes.add((method.upper(), path))
            assert method == "get" or {"401", "403", "429"} <= operation["responses"].keys()
            assert f'id="{operation["operationId"]}"' in page
            assert f'data-method="{method.upper()}" data-path="{path}"' in page
    assert documented_routes == routes
    assert not re.search("&lt;br|`", page)


def test_unknown_parameters_are_refused_everywhere(operator: FlaskClient) -> None:
    values = {"date": "2026-01-01", "size": "3", "kind": "queue"}
    refused = 0
    for template, operations in operator.get("/openapi/openapi.json").json["paths"].items():
        path = re.sub(r"{(\w+)}", lambda match: values.get(match[1], new_id()), template)
        for method in operations:
            response = operator.open(path, method=method.upper(), query_string="waitt=5&lang=pt")
            assert response.status_code == 422, (method, template, response.text)
            assert {"/waitt"} <= {error["pointer"] for error in response.json["errors"]}, template
            refused += 1
    assert refused > 40


def test_server_recognizes_every_long_poll(client: FlaskClient) -> None:
    def waits(method: str, path: str, query: str) -> bool:
        environ = {"REQUEST_METHOD": method, "PATH_INFO": path, "QUERY_STRING": query}
        return is_long_poll(environ)

    poll_count = 0
    for template, operations in client.get("/openapi/openapi.json").json["paths"].items():
        path = re.sub(r"{\w+}", new_id(), template)
        for method, operation in operations.items():
            names = {parameter["name"] for parameter in operation.get("parameters", ())}
            poll_count += "wait" in names
            for query in ("wait=5", "brief=true&%77ait=0.5"):
                assert waits(method.upper(), path, query) == ("wait" in names), template
            for query in ("wait=0", "wait=x"):
                assert not waits(method.upper(), path, query)
    assert poll_count >= 5
    assert waits("POST", "/api/v1/hints", "")
    assert not waits("GET", f"/api/v1/jobs/{new_id()}", "xwait=5")


def test_server_recognizes_batches(app: Flask) -> None:
    with app.test_request_context():
        form = url_for("pages.submit")
        paths = [url_for("batches.submit"), url_for("pages.prove_rest", batch_id=new_id())]
    for path, size, expected in [(path, 1, True) for path in paths] + [
        (form, 1 << 10, False),
        (form, 1 << 16, True),
        ("/api/v1/jobs", 1 << 16, False),
    ]:
        assert is_batch({"REQUEST_METHOD": "POST", "PATH_INFO": path}, size) == expected
        assert not is_batch({"REQUEST_METHOD": "GET", "PATH_INFO": path}, size)


def test_components_are_named_after_one_class_each(client: FlaskClient) -> None:
    components = client.get("/openapi/openapi.json").json["components"]["schemas"]
    assert not {"Path", "Query"} & components.keys(), "the parameters of views"
    assert [name for name in components if "__" in name] == []  # pydantic's, for equal names


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
