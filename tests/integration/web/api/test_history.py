from flask import Flask
from flask.testing import FlaskClient

from tests.integration.web.conftest import EASY_3X3

HISTORY = "/api/v1/history"


def make_job(client: FlaskClient) -> str:
    return client.post("/api/v1/jobs", json={"board": EASY_3X3}).json["id"]


def test_only_own_entries_are_listed(app: Flask, client: FlaskClient) -> None:
    response = client.get(HISTORY)
    assert response.json == {"entries": [], "next": None}
    assert "Set-Cookie" not in response.headers
    job = make_job(client)
    other_client = app.test_client()
    make_job(other_client)
    assert app.test_client().get(HISTORY).json["entries"] == []
    [entry] = client.get(HISTORY).json["entries"]
    assert entry == entry | {"id": job, "kind": "job", "lower_bound": 2, "page": f"/jobs/{job}"}
    for query in ("kind=jobs", "limit=0", "limit=101", "before=1"):
        assert client.get(f"{HISTORY}?{query}").status_code == 422


def test_next_page_has_the_same_kind_of_entries(client: FlaskClient) -> None:
    first = make_job(client)
    client.post("/api/v1/batches", json={"boards": [EASY_3X3]})
    last = make_job(client)
    page = client.get(f"{HISTORY}?kind=job&limit=1").json
    older = client.get(page["next"]).json
    assert [entry["id"] for entry in page["entries"] + older["entries"]] == [last, first]
