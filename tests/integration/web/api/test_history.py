"""A client's history over the API."""

from __future__ import annotations

from flask import Flask
from flask.testing import FlaskClient

from tests.integration.web.conftest import EASY_3X3

HISTORY = "/api/v1/history"
ABSENT = f"{HISTORY}/01890000-0000-7000-8000-000000000000"
BOARDS = ["1 2 3 4 5 6 0 7 8", "1 2 3 4 5 6 7 0 8", "1 2 3 4 5 0 7 8 6"]


def job_of(client: FlaskClient, board: str = EASY_3X3) -> str:
    return client.post("/api/v1/jobs", json={"board": board}).json["id"]


def test_pages_follow_one_another(client: FlaskClient) -> None:
    stranger = client.get(HISTORY)
    assert stranger.json == {"entries": [], "next": None}
    assert "Set-Cookie" not in stranger.headers
    made = [job_of(client, board) for board in BOARDS]
    found, address = [], f"{HISTORY}?limit=2&kind=job"
    while address:
        page = client.get(address).json
        found.append([entry["id"] for entry in page["entries"]])
        address = page["next"]
    assert found == [[made[2], made[1]], [made[0]]]


def test_an_entry_is_named_and_removed_by_its_client_alone(app: Flask, client: FlaskClient) -> None:
    job = job_of(client)
    place = f"{HISTORY}/{job}"
    other = app.test_client()
    job_of(other)
    for stranger in (other, app.test_client()):
        assert stranger.patch(place, json={"name": "mine"}).status_code == 404
        assert stranger.delete(place).status_code == 404
    answer = client.patch(place, json={"name": "  the\n one "})
    assert answer.status_code == 200
    assert (answer.json["name"], answer.json["kind"]) == ("the one", "job")
    assert answer.json["lower_bound"] == 2
    assert client.get(HISTORY).json["entries"] == [answer.json]
    assert client.patch(place, json={"name": ""}).json["name"] is None
    gone = client.delete(place)
    assert (gone.status_code, gone.data) == (204, b"")
    assert client.get(HISTORY).json["entries"] == []
    assert client.get(f"/api/v1/jobs/{job}").status_code == 200
    assert client.delete(place).json["code"] == "no-entry"
    assert client.patch(place, json={"name": "x"}).json["code"] == "no-entry"


def test_what_is_asked_for_wrongly_is_refused(client: FlaskClient) -> None:
    place = f"{HISTORY}/{job_of(client)}"
    for body in ({"name": "n" * 81}, {"name": 1}, {}, {"name": "a", "x": 1}):
        answer = client.patch(place, json=body)
        assert (answer.status_code, answer.mimetype) == (422, "application/problem+json")
    assert client.patch(place, json={"name": "n" * 80}).status_code == 200
    for query in ("kind=jobs", "limit=0", "limit=101", "before=1"):
        assert client.get(f"{HISTORY}?{query}").status_code == 422
    absent = client.delete(ABSENT)
    assert absent.status_code == 404
    assert "your history has no entry" in absent.json["detail"]
