from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from flask import Flask
from flask.testing import FlaskClient
from prometheus_client import values
from prometheus_client.parser import text_string_to_metric_families

from tilework.core.assembly import Services
from tilework.core.cli.system.web_processes import FILE_BYTES
from tilework.core.services.states import Tally
from tilework.web.metrics import count_as, install_metrics

Work = Callable[[], None]


def samples(client: FlaskClient) -> dict[tuple[str, frozenset[tuple[str, str]]], float]:
    answer = client.get("/metrics")
    assert answer.content_type.startswith("text/plain; version=")
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


def test_requests_are_counted_by_route_and_not_by_address(client: FlaskClient) -> None:
    job = client.post("/api/v1/jobs", json={"board": "1 2 3 4 5 6 0 7 8"}).json
    for _ in range(3):
        client.get(job["links"]["self"])
    for path in ("/nowhere", "/elsewhere", "/api/v1/jobs/7"):
        client.get(path)
    found = samples(client)
    route = {"method": "GET", "route": "/api/v1/jobs/<uuid:job_id>"}
    labels = frozenset({**route, "status": "200"}.items())
    assert found["tilework_http_requests_total", labels] == 3
    assert found["tilework_http_request_seconds_count", frozenset(route.items())] == 3
    unknown = frozenset({"method": "none", "route": "none", "status": "404"}.items())
    assert found["tilework_http_requests_total", unknown] == 3
    assert job["id"] not in client.get("/metrics").text


def test_a_request_that_breaks_is_counted(app, client: FlaskClient) -> None:
    def broken() -> str:
        raise RuntimeError("here")

    app.add_url_rule("/api/v1/broken", view_func=broken)
    client.get("/api/v1/broken")
    labels = {"method": "GET", "route": "/api/v1/broken", "status": "500"}
    assert samples(client)["tilework_http_requests_total", frozenset(labels.items())] == 1


def test_what_was_overcome_is_told(client: FlaskClient, services: Services) -> None:
    with services.storage.writing() as session:
        session.tallies.add(Tally.FOREIGN_MESSAGES, "search", 7)
        session.tallies.add(Tally.RESTARTS, "web", 2)
        session.tallies.add(Tally.DAMAGED_FILES, "valkey", 1)
    found = samples(client)
    assert found["tilework_foreign_messages_total", frozenset({("queue", "search")})] == 7
    assert found["tilework_restarts_total", frozenset({("program", "web")})] == 2
    assert found["tilework_damaged_files_total", frozenset({("owner", "valkey")})] == 1
    assert found["tilework_quarantined_slices", frozenset()] == 0
    statistics = client.get("/api/v1/statistics").json
    assert (statistics["foreign_messages"], statistics["restarts"]) == (7, 2)


def test_queues_and_jobs_are_told_as_they_stand(client: FlaskClient, work: Work) -> None:
    client.post("/api/v1/jobs", json={"board": "1 2 3 4 5 6 0 7 8"})
    ready = ("tilework_slices", frozenset({("queue", "interactive"), ("state", "ready")}))
    assert samples(client)[ready] == 1
    work()
    found = samples(client)
    assert found[ready] == 0
    for name in ("nodes_per_second", "search_workers"):
        assert found[f"tilework_{name}", frozenset()] == 0


def test_searches_are_summed_up(client: FlaskClient, work: Work) -> None:
    client.post("/api/v1/jobs", json={"board": "8 6 7 2 5 4 3 0 1"})
    work()
    found = samples(client)
    assert found["tilework_nodes_total", frozenset()] > 0
    assert found["tilework_search_seconds_total", frozenset()] > 0


def test_the_clock_that_is_off_most_is_told(client: FlaskClient, services: Services) -> None:
    skew = ("tilework_clock_skew_seconds", frozenset())
    assert samples(client)[skew] == pytest.approx(0, abs=2)
    storage = services.storage
    with storage.writing() as session:
        session.workers.seen("ahead", storage.clock(), 20.0)
        session.workers.seen("behind", storage.clock(), -60.0)
    assert samples(client)[skew] == -60.0


def test_where_several_count_there_is_room_for_every_route(
    app: Flask, services: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "metrics"
    folder.mkdir()
    names = {f"{kind}_web-1.db" for kind in ("counter", "histogram")}
    for name in names:
        (folder / name).write_bytes(bytes(FILE_BYTES))
    monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", str(folder))
    monkeypatch.setattr(values, "ValueClass", values.ValueClass)
    count_as("web-1")

    def answer(environ, start_response):
        start_response(environ["status"], [])
        return ()

    counting = Flask("counting")
    counting.wsgi_app = answer  # type: ignore[method-assign]
    install_metrics(counting, services)
    for rule in app.url_map.iter_rules():
        for method in rule.methods or ():
            request = SimpleNamespace(url_rule=rule, method=method)
            for status in (200, 201, 202, 301, 304, 400, 404, 409, 422, 429, 500, 503):
                environ = {"werkzeug.request": request, "status": f"{status} SAID"}
                counting.wsgi_app(environ, lambda *_: None)  # type: ignore[arg-type]
    assert {file.name: file.stat().st_size for file in folder.iterdir()} == dict.fromkeys(
        names, FILE_BYTES
    )
    values.ValueClass.close_all_files()
