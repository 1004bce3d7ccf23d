from threading import Event, Thread

import pytest
from flask import Flask
from flask.testing import FlaskClient
from sqlalchemy import delete, update

from tests.integration.web.conftest import EASY_3X3, FARTHEST_3X3, DoWork, MakeApp
from tests.support.pending_work import make_worker
from tests.support.waiting import TIMEOUT_S
from tilework.core.storage.models import job as jobs
from tilework.core.storage.models import solve
from tilework.web.server.wsgi import MAY_WAIT

JOBS = "/api/v1/jobs"
REQUEST = {"board": EASY_3X3}
SUBMISSIONS = [
    (JOBS, REQUEST, "optimal"),
    ("/api/v1/comparisons", {**REQUEST, "methods": ["breadth-first"]}, "finished"),
]


@pytest.fixture
def url(client: FlaskClient) -> str:
    """The URL of a waiting job."""
    return client.post(JOBS, json=REQUEST).headers["Location"]


def test_long_poll_returns_when_the_version_changes_and_at_the_end(
    make_app: MakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tilework.web.api.polling.MAX_WAIT_S", TIMEOUT_S)
    app = make_app()
    client, work = app.test_client(), make_worker(app.extensions["tilework"])
    boards = ("1 2 3 4 5 6 7 0 8", "8 1 3 4 0 2 7 6 5", FARTHEST_3X3)
    for path, body, final_state in SUBMISSIONS:
        for board, condition in zip(boards, ("tag", "since", "nothing"), strict=True):
            url = client.post(path, json=body | {"board": board}).headers["Location"]
            first = client.get(url)
            version = first.json["version"]
            assert first.headers["ETag"] == f'"{version}"'
            assert first.headers["Cache-Control"] == "no-cache"
            since = f"&since={version}" if condition == "since" else ""
            tag = {"If-None-Match": f'"{version}"'} if condition == "tag" else {}
            worker = Thread(target=work)
            worker.start()
            response = client.get(f"{url}?wait={TIMEOUT_S}{since}", headers=tag)
            worker.join()
            assert response.status_code == 200
            assert response.json["version"] != version
            if condition == "nothing":
                assert response.json["state"] == final_state


def test_submission_waits_for_the_solution(
    make_app: MakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tilework.web.api.polling.MAX_WAIT_S", TIMEOUT_S)
    app = make_app()
    client, work = app.test_client(), make_worker(app.extensions["tilework"])
    body = {"board": FARTHEST_3X3}
    response = client.post(f"{JOBS}?wait=0.01", json=body)
    assert (response.status_code, "moves" in response.json) == (202, False)
    assert client.post(f"{JOBS}?wait=x", json=body).status_code == 422
    stopping = Event()

    def work_until_stopped() -> None:
        while not stopping.wait(0.01):
            work()

    worker = Thread(target=work_until_stopped)
    worker.start()
    try:
        response = client.post(f"{JOBS}?wait={TIMEOUT_S}", json=body | {"fresh": True})
    finally:
        stopping.set()
        worker.join()
    assert (response.status_code, response.json["state"]) == (200, "optimal")
    assert len(response.json["moves"]) == 31


def test_wait_is_limited(make_app: MakeApp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tilework.web.api.polling.MAX_WAIT_S", 0.01)
    app = make_app()
    client, services = app.test_client(), app.extensions["tilework"]
    waits: list[tuple[str, float]] = []
    for reader in (services.read, services.comparisons):

        def record_wait(work_id, version, seconds, *, _wait=reader.wait, **options):
            waits.append((version, seconds))
            return _wait(work_id, version, seconds, **options)

        monkeypatch.setattr(reader, "wait", record_wait)
    for path, body, _ in SUBMISSIONS:
        url = client.post(path, json=body).headers["Location"]
        version = client.get(url).json["version"]
        tag = {"If-None-Match": f'"{version}"'}
        assert client.get(f"{url}?wait=20").json["state"] in ("queued", "running")
        waits.clear()
        assert client.get(f"{url}?wait=20&since={version}").status_code == 200
        assert client.get(f"{url}?wait=20", headers=tag).status_code == 304
        portuguese = {"Accept-Language": "pt"}
        portuguese["If-None-Match"] = client.get(url, headers=portuguese).headers["ETag"]
        assert client.get(f"{url}?wait=20", headers=portuguese).status_code == 304
        tags = {"If-None-Match": f'"0.0", "0.1", W/"{version}"'}
        assert client.get(url, headers=tags).status_code == 304
        assert client.get(f"{url}?wait=20", headers=tags).status_code == 304
        assert waits == [(version, 0.01)] * 4
        too_many = {MAY_WAIT: False}
        response = client.get(f"{url}?wait=20", headers=tag, environ_overrides=too_many)
        assert (response.status_code, len(waits)) == (304, 4)


def test_ended_job_is_cached(app: Flask, client: FlaskClient, work: DoWork, url: str) -> None:
    work()
    first = client.get(url)
    tag = {"If-None-Match": first.headers["ETag"]}
    assert client.get(url).data == first.data
    assert "board" not in client.get(f"{url}?brief=true").json
    for _ in range(2):
        assert client.get(url, headers=tag).status_code == 304
        response = client.get(url, headers={"Accept-Language": "pt"})
        assert response.headers["Content-Language"] == "pt"
        assert client.get(url).data == first.data
    storage = app.extensions["tilework"].storage
    with storage.engine(writes=True).begin() as connection:
        connection.execute(update(solve).values(upper_bound=None, moves=None))
    # The request that finds a damaged solve withdraws its solution.
    assert client.get(url, headers=tag).status_code == 503
    response = client.get(url, headers=tag)
    assert response.json["message"] != first.json["message"]
    assert response.headers["ETag"] != first.headers["ETag"]
    with storage.engine(writes=True).begin() as connection:
        connection.execute(delete(jobs))
    assert client.get(url).status_code == 404
