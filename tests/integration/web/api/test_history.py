"""A client's history over the API."""

from __future__ import annotations

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.integration.web.conftest import EASY_3X3

HISTORY = "/api/v1/history"
ABSENT = f"{HISTORY}/01890000-0000-7000-8000-000000000000"


@pytest.fixture
def job(client: FlaskClient) -> str:
    return client.post("/api/v1/jobs", json={"board": EASY_3X3}).json["id"]


def test_a_stranger_has_none(client: FlaskClient) -> None:
    answer = client.get(HISTORY)
    assert answer.json == {"entries": [], "next": None}
    assert "Set-Cookie" not in answer.headers


def test_pages_follow_one_another(client: FlaskClient) -> None:
    boards = ["1 2 3 4 5 6 0 7 8", "1 2 3 4 5 6 7 0 8", "1 2 3 4 5 0 7 8 6"]
    made = [client.post("/api/v1/jobs", json={"board": one}).json["id"] for one in boards]
    found, address = [], f"{HISTORY}?limit=2&kind=job"
    while address:
        page = client.get(address).json
        found.append([entry["id"] for entry in page["entries"]])
        address = page["next"]
    assert found == [[made[2], made[1]], [made[0]]]


def test_a_name_is_told_as_it_is_kept(client: FlaskClient, job: str) -> None:
    answer = client.patch(f"{HISTORY}/{job}", json={"name": "  the\n one "})
    assert answer.status_code == 200
    assert (answer.json["name"], answer.json["kind"]) == ("the one", "job")
    assert answer.json["lower_bound"] == 2
    assert client.get(HISTORY).json["entries"] == [answer.json]
    assert client.patch(f"{HISTORY}/{job}", json={"name": ""}).json["name"] is None


def test_what_is_removed_is_gone_from_the_list_alone(client: FlaskClient, job: str) -> None:
    client.patch(f"{HISTORY}/{job}", json={"name": "the one"})
    answer = client.delete(f"{HISTORY}/{job}")
    assert (answer.status_code, answer.data) == (204, b"")
    assert client.get(HISTORY).json["entries"] == []
    assert client.get(f"/api/v1/jobs/{job}").status_code == 200
    for again in (client.delete, lambda path: client.patch(path, json={"name": "x"})):
        assert again(f"{HISTORY}/{job}").json["code"] == "no-entry"


def test_nobody_changes_what_is_anothers(app: Flask, client: FlaskClient, job: str) -> None:
    other = app.test_client()
    other.post("/api/v1/jobs", json={"board": EASY_3X3})
    for stranger in (other, app.test_client()):
        assert stranger.patch(f"{HISTORY}/{job}", json={"name": "mine"}).status_code == 404
        assert stranger.delete(f"{HISTORY}/{job}").status_code == 404
    [entry] = client.get(HISTORY).json["entries"]
    assert entry["name"] is None


@pytest.mark.parametrize(
    ("body", "status"),
    [({"name": "n" * 81}, 422), ({"name": 1}, 422), ({}, 422), ({"name": "a", "x": 1}, 422)],
)
def test_what_is_no_name_is_refused(
    client: FlaskClient, job: str, body: dict[str, object], status: int
) -> None:
    answer = client.patch(f"{HISTORY}/{job}", json=body)
    assert answer.status_code == status
    assert answer.mimetype == "application/problem+json"


@pytest.mark.parametrize("query", ["kind=jobs", "limit=0", "limit=101", "before=1"])
def test_what_is_asked_for_wrongly_is_refused(client: FlaskClient, query: str) -> None:
    assert client.get(f"{HISTORY}?{query}").status_code == 422


def test_what_is_not_there_is_not_found(client: FlaskClient) -> None:
    answer = client.delete(ABSENT)
    assert answer.status_code == 404
    assert "your history has no entry" in answer.json["detail"]
