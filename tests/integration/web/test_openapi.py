import re

from flask import Flask
from flask.testing import FlaskClient

from tilework.core.model.ids import new_id
from tilework.web.server.wsgi import _is_long_poll


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
            assert f'id="{operation["operationId"]}"' in page
            assert f'data-method="{method.upper()}" data-path="{path}"' in page
    assert documented_routes == routes
    assert not re.search("&lt;br|`", page)


def test_server_recognizes_every_long_poll(client: FlaskClient) -> None:
    poll_count = 0
    for path, operations in client.get("/openapi/openapi.json").json["paths"].items():
        for operation in operations.values():
            names = {parameter["name"] for parameter in operation.get("parameters", ())}
            poll_count += "wait" in names
            environ = {"PATH_INFO": re.sub(r"{\w+}", new_id(), path), "QUERY_STRING": "wait=5"}
            assert "wait" not in names or _is_long_poll(environ), path
    assert poll_count >= 5
