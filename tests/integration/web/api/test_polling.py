"""Polling a job, for a moment or for long."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Thread

from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import delete, update

from tilework.core.storage.models import job, solve

JOBS = "/api/v1/jobs"
EASY = {"board": "1 2 3 4 5 6 0 7 8"}
NO_JOB = f"{JOBS}/00000000-0000-7000-8000-000000000000"

Work = Callable[[], None]


def submit(client: FlaskClient, **options: object) -> str:
    answer = client.post(JOBS, json={**EASY, **options})
    assert answer.status_code in {200, 202}, answer.text
    return answer.headers["Location"]


def test_a_poll_that_knows_the_version_is_told_nothing_new(client: FlaskClient, work: Work) -> None:
    place = submit(client)
    first = client.get(place)
    etag = first.headers["ETag"]
    assert etag == f'"{first.json["version"]}"'
    same = client.get(place, headers={"If-None-Match": etag})
    assert (same.status_code, same.data) == (304, b"")
    work()
    changed = client.get(place, headers={"If-None-Match": etag})
    assert changed.status_code == 200
    assert changed.headers["ETag"] != etag


def test_a_long_poll_returns_when_the_version_changes(
    app: Flask, client: FlaskClient, work: Work
) -> None:
    place = submit(client)
    etag = client.get(place).headers["ETag"]
    worker = Thread(target=work)
    worker.start()
    answer = client.get(f"{place}?wait=20", headers={"If-None-Match": etag})
    worker.join()
    assert answer.status_code == 200
    assert answer.headers["ETag"] != etag


def test_a_long_poll_without_a_version_waits_for_the_end(client: FlaskClient, work: Work) -> None:
    place = submit(client)
    worker = Thread(target=work)
    worker.start()
    answer = client.get(f"{place}?wait=20")
    worker.join()
    assert answer.json["state"] == "optimal"


def test_a_long_poll_gives_up_after_its_time(client: FlaskClient) -> None:
    place = submit(client)
    version = client.get(place).json["version"]
    began = time.monotonic()
    assert client.get(f"{place}?wait=0.2").json["state"] == "queued"
    assert client.get(f"{place}?wait=0.2&since={version}").status_code == 200
    etag = {"If-None-Match": f'"{version}"'}
    assert client.get(f"{place}?wait=0.2", headers=etag).status_code == 304
    assert time.monotonic() - began >= 0.6


def test_a_long_poll_for_an_old_version_returns_at_once(client: FlaskClient) -> None:
    place = submit(client)
    began = time.monotonic()
    assert client.get(f"{place}?wait=20&since=0").status_code == 200
    assert time.monotonic() - began < 10


def test_an_ended_job_is_told_in_the_same_words_for_as_long_as_they_are_true(
    app: Flask, client: FlaskClient, work: Work
) -> None:
    place = submit(client)
    work()
    first = client.get(place)
    assert client.get(place).data == first.data
    assert client.get(place).headers["ETag"] == first.headers["ETag"]
    assert "board" not in client.get(f"{place}?brief=true").json
    assert client.get(place, headers={"If-None-Match": first.headers["ETag"]}).status_code == 304
    assert client.get(place).json == first.json
    database = app.extensions["tilework"].storage
    with database.engine(writes=True).begin() as connection:
        connection.execute(update(solve).values(upper_bound=None, moves=None))
    withdrawn = client.get(place)
    assert withdrawn.json["message"] != first.json["message"]
    assert withdrawn.headers["ETag"] != first.headers["ETag"]
    with database.engine(writes=True).begin() as connection:
        connection.execute(delete(job))
    assert client.get(place).status_code == 404


def test_an_ended_job_is_told_in_each_language(client: FlaskClient) -> None:
    answer = client.post(JOBS, json={**EASY, "time_limit_s": 0.01})
    place = answer.headers["Location"]
    client.delete(place)
    told = {name: client.get(place, headers={"Accept-Language": name}) for name in ("en", "pt")}
    for _ in range(2):
        for name, once in told.items():
            again = client.get(place, headers={"Accept-Language": name})
            assert again.data == once.data
            assert again.headers["Content-Language"] == name
