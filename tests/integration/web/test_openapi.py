from flask import Flask
from flask.testing import FlaskClient


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
