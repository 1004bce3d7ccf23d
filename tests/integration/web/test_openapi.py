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
    def is_long_poll(method: str, path: str, query: str) -> bool:
        environ = {"REQUEST_METHOD": method, "PATH_INFO": path, "QUERY_STRING": query}
        return _is_long_poll(environ)

    poll_count = 0
    for template, operations in client.get("/openapi/openapi.json").json["paths"].items():
        path = re.sub(r"{\w+}", new_id(), template)
        for method, operation in operations.items():
            names = {parameter["name"] for parameter in operation.get("parameters", ())}
            poll_count += "wait" in names
            for query in ("wait=5", "brief=true&%77ait=0.5"):
                assert is_long_poll(method.upper(), path, query) == ("wait" in names), template
            for query in ("wait=0", "wait=x"):
                assert not is_long_poll(method.upper(), path, query)
    assert poll_count >= 5
    assert is_long_poll("POST", "/api/v1/hints", "")
    assert not is_long_poll("GET", f"/api/v1/jobs/{new_id()}", "xwait=5")
