from flask import Flask
from flask.testing import FlaskClient

from tests.integration.web.conftest import EASY_3X3

HISTORY = "/api/v1/history"


def make_job(client: FlaskClient) -> str:
    return client.post("/api/v1/jobs", json={"board": EASY_3X3}).json["id"]


def test_only_its_client_can_name_and_remove_an_entry(app: Flask, client: FlaskClient) -> None:
    response = client.get(HISTORY)
    assert response.json == {"entries": [], "next": None}
    assert "Set-Cookie" not in response.headers
    job = make_job(client)
    path = f"{HISTORY}/{job}"
    other_client = app.test_client()
    make_job(other_client)
    for stranger in (other_client, app.test_client()):
        assert stranger.patch(path, json={"name": "mine"}).status_code == 404
        assert stranger.delete(path).status_code == 404
    response = client.patch(path, json={"name": "  the\n one "})
    assert response.status_code == 200
    assert (response.json["name"], response.json["kind"]) == ("the one", "job")
    assert response.json["lower_bound"] == 2
    assert client.get(HISTORY).json["entries"] == [response.json]
    assert client.patch(path, json={"name": ""}).json["name"] is None
    names = ("n" * 81, "a\x1bb", "a\u202eb", 1)
    for body in (*({"name": name} for name in names), {}, {"name": "a", "x": 1}):
        response = client.patch(path, json=body)
        assert (response.status_code, response.mimetype) == (422, "application/problem+json")
    for query in ("kind=jobs", "limit=0", "limit=101", "before=1"):
        assert client.get(f"{HISTORY}?{query}").status_code == 422
    response = client.delete(path)
    assert (response.status_code, response.data) == (204, b"")
    assert client.get(HISTORY).json["entries"] == []
    assert client.get(f"/api/v1/jobs/{job}").status_code == 200
    assert client.delete(path).json["code"] == "no-entry"


def test_next_page_has_the_same_kind_of_entries(client: FlaskClient) -> None:
    first = make_job(client)
    client.post("/api/v1/batches", json={"boards": [EASY_3X3]})
    last = make_job(client)
    page = client.get(f"{HISTORY}?kind=job&limit=1").json
    older = client.get(page["next"]).json
    assert [entry["id"] for entry in page["entries"] + older["entries"]] == [last, first]
