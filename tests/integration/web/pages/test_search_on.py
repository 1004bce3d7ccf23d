"""Search on: the same board once more with one click, where more time may find more."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape

import pytest
from flask.testing import FlaskClient

FARTHEST_3X3 = "8 6 7 2 5 4 3 0 1"
OTHERWISE = {
    "board": "6 8 7 2 5 4 3 0 1",
    "goal": "spiral",
    "algorithm": "ida-star",
    "heuristic": "linear-conflict",
}
OFFER = re.compile(r'<form method="post" action="/jobs/([^"]+)/again" data-part="again"( hidden)?>')
ABSENT_JOB = "/jobs/01890000-0000-7000-8000-000000000000"

ASKED = ("board", "goal", "target", "gap_asked", "algorithm", "heuristic", "time_limit_s")


def offered(client: FlaskClient, job: str) -> bool:
    found = OFFER.search(client.get(job).text)
    assert found is not None
    assert found[1] in job
    return found[2] is None


def cancelled(client: FlaskClient, **fields: str) -> str:
    job = client.post("/jobs", data={"board": FARTHEST_3X3} | fields).location
    assert client.delete(f"/api/v1{job}").status_code == 200
    return job


@pytest.mark.parametrize("target", [{"target": "gap", "gap": "2.5"}, {"target": "optimal"}])
def test_the_same_is_asked_again(client: FlaskClient, target: dict[str, str]) -> None:
    job = cancelled(client, time_limit_s="60", **OTHERWISE, **target)
    assert offered(client, job)
    answer = client.post(f"{job}/again")
    assert answer.status_code == 303
    assert answer.location != job
    before, after = (client.get(f"/api/v1{one}").json for one in (job, answer.location))
    assert {name: after[name] for name in ASKED} == {name: before[name] for name in ASKED}
    assert (before["state"], after["state"]) == ("cancelled", "queued")


def test_whoever_looks_on_owns_the_new_job(app) -> None:
    job = cancelled(app.test_client())
    guest = app.test_client()
    new = guest.post(f"{job}/again").location
    assert new in guest.get("/history").text
    assert 'data-part="cancel"' in guest.get(new).text


@pytest.mark.parametrize("fields", [{}, {"target": "any"}, {"target": "gap", "gap": "900"}])
def test_nothing_is_offered_where_nothing_is_left(
    client: FlaskClient, work: Callable[[], None], fields: dict[str, str]
) -> None:
    job = client.post("/jobs", data={"board": FARTHEST_3X3} | fields).location
    assert not offered(client, job)
    work()
    assert client.get(f"/api/v1{job}").json["finished_at"] is not None
    assert not offered(client, job)


def test_a_refusal_is_said_on_the_page(make_app) -> None:
    client = make_app(jobs_per_client=1).test_client()
    job = cancelled(client)
    client.post("/jobs", data={"board": "1 2 3 4 5 6 0 7 8"})
    answer = client.post(f"{job}/again")
    assert answer.status_code == 429
    assert int(answer.headers["Retry-After"]) > 0
    assert "You have 1 unfinished job" in unescape(answer.text)


def test_another_site_cannot_ask(client: FlaskClient) -> None:
    job = cancelled(client)
    for headers in ({"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://elsewhere.example"}):
        assert client.post(f"{job}/again", headers=headers).status_code == 403


def test_a_job_that_is_not_there_cannot_be_searched_on(client: FlaskClient) -> None:
    assert client.post(f"{ABSENT_JOB}/again").status_code == 404


def test_the_address_of_a_refusal_can_be_loaded_again(client: FlaskClient) -> None:
    answer = client.get(f"{ABSENT_JOB}/again")
    assert (answer.status_code, answer.location) == (303, ABSENT_JOB)


def test_an_algorithm_that_can_do_no_more_is_not_asked_again(
    client: FlaskClient, work: Callable[[], None]
) -> None:
    job = client.post("/jobs", data={"board": FARTHEST_3X3, "algorithm": "constructive"}).location
    work()
    assert client.get(f"/api/v1{job}").json["message_code"] == "algorithm-exhausted"
    assert not offered(client, job)
