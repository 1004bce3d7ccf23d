import re

from flask import Flask
from flask.testing import FlaskClient

from tilework.core.model.states import new_id
from tilework.web.server.wsgi import _is_long_poll


def test_every_address_of_the_api_is_described_and_shown(app: Flask, client: FlaskClient) -> None:
    served = {
        (method, rule.rule.replace("uuid:", "").replace("<", "{").replace(">", "}"))
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith("/api/")
        for method in rule.methods or ()
        if method not in {"HEAD", "OPTIONS"}
    }
    described = set()
    page = client.get("/openapi").text
    for path, operations in client.get("/openapi/openapi.json").json["paths"].items():
        for method, operation in operations.items():
            described.add((method.upper(), path))
            assert f'id="{operation["operationId"]}"' in page
            assert f'data-method="{method.upper()}" data-path="{path}"' in page
    assert described == served
    assert not re.search("&lt;br|`", page)


def test_every_long_poll_leaves_room_for_other_requests(client: FlaskClient) -> None:
    polled = 0
    for path, operations in client.get("/openapi/openapi.json").json["paths"].items():
        for operation in operations.values():
            waits = "wait" in {parameter["name"] for parameter in operation.get("parameters", ())}
            polled += waits
            environ = {"PATH_INFO": re.sub(r"{\w+}", new_id(), path), "QUERY_STRING": "wait=5"}
            assert not waits or _is_long_poll(environ), path
    assert polled >= 5
