import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from flask import Flask
from flask.testing import FlaskClient
from prometheus_client.parser import text_string_to_metric_families
from structlog.testing import capture_logs

from tests.integration.web.conftest import EASY_3X3, FARTHEST_3X3, MakeApp
from tests.support.pending_work import make_worker
from tilework.core.assembly import Services
from tilework.core.model.states import CounterName
from tilework.core.settings import Settings

ROOT = Path(__file__).parents[3]
ALERTS: list[dict[str, Any]] = [
    rule
    for group in yaml.safe_load((ROOT / "deploy/alerts.yml").read_text())["groups"]
    for rule in group["rules"]
]
DASHBOARD: dict[str, Any] = json.loads((ROOT / "deploy/grafana.json").read_text())
QUERIES = [
    *(rule["expr"] for rule in ALERTS),
    *(target["expr"] for panel in DASHBOARD["panels"] for target in panel["targets"]),
]
METRIC = re.compile(r"\b(tilework_\w+)(?:\{([^}]*)\})?")
LABEL = re.compile(r"(\w+)\s*(?:=~|!~|!=|=)")


class Samples:
    def __init__(self, client: FlaskClient) -> None:
        response = client.get("/metrics")
        assert response.content_type.startswith("text/plain; version=")
        self.text = response.text
        families = text_string_to_metric_families(response.text)
        self.all = [sample for family in families for sample in family.samples]

    def __call__(self, name: str, **labels: str) -> float:
        key = (f"tilework_{name}", labels)
        [value] = [sample.value for sample in self.all if (sample.name, sample.labels) == key]
        return value


def test_requests_and_work_are_counted(make_app: MakeApp) -> None:
    app = make_app()
    services: Services = app.extensions["tilework"]

    def fail() -> str:
        raise RuntimeError("here")

    app.add_url_rule("/api/v1/broken", view_func=fail)
    client = app.test_client()
    job = client.post("/api/v1/jobs", json={"board": FARTHEST_3X3}).json
    for _ in range(3):
        client.get(job["links"]["self"], headers={"If-None-Match": f'"{job["version"]}"'})
    for path in ("/nowhere", "/elsewhere", "/api/v1/jobs/7"):
        client.get(path)
    with capture_logs():
        client.get("/api/v1/broken")
    samples = Samples(client)
    route = {"method": "GET", "route": "/api/v1/jobs/<uuid:job_id>"}
    assert samples("http_requests_total", **route, status="304") == 3
    assert samples("http_request_seconds_count", **route) == 3
    assert samples("http_requests_total", method="none", route="none", status="404") == 3
    labels = {"method": "GET", "route": "/api/v1/broken", "status": "500"}
    assert samples("http_requests_total", **labels) == 1
    assert job["id"] not in samples.text
    assert samples("slices", queue="interactive", state="ready") == 1
    make_worker(services)()
    services.read._statistics = None  # they are cached for a few seconds
    samples = Samples(client)
    assert samples("slices", queue="interactive", state="ready") == 0
    assert samples("nodes_per_second") == samples("search_workers") == 0
    assert samples("nodes_total") > 0
    assert samples("search_seconds_total") > 0
    check_queries(app, samples)


def check_queries(app: Flask, samples: Samples) -> None:
    labels_by_name: dict[str, set[str]] = {}
    for sample in samples.all:
        labels_by_name.setdefault(sample.name, set()).update(sample.labels)
    queried_names = set()
    for query in QUERIES:
        available_labels: set[str] = set()
        for name, selector in METRIC.findall(query):
            assert name in labels_by_name, query
            assert set(LABEL.findall(selector)) <= labels_by_name[name], query
            available_labels |= labels_by_name[name]
            queried_names.add(name)
        for labels in re.findall(r"\bby \(([^)]*)\)", query):
            assert {label.strip() for label in labels.split(",")} <= available_labels, query
    names = {name for name in labels_by_name if not name.endswith(("_created", "_sum", "_count"))}
    assert names - queried_names == set(), "exported, but neither shown nor alerted on"
    routes = {route for query in QUERIES for route in re.findall(r'route="([^"]*)"', query)}
    assert routes <= {rule.rule for rule in app.url_map.iter_rules()}
    [expr] = [rule["expr"] for rule in ALERTS if rule["alert"] == "TileworkQueueLong"]
    assert int(expr.rpartition(">")[2]) == Settings.model_fields["depth_cap"].default * 4 // 5


def test_recovered_faults_and_the_largest_clock_skew_are_reported(
    client: FlaskClient, services: Services
) -> None:
    storage = services.storage
    with storage.writing() as session:
        session.operation.add_to_counter(CounterName.FOREIGN_MESSAGES, "search", 7)
        session.operation.add_to_counter(CounterName.RESTARTS, "web", 2)
        session.workers.record_heartbeat("ahead", storage.clock(), 20.0)
        session.workers.record_heartbeat("behind", storage.clock(), -60.0)
    samples = Samples(client)
    assert samples("foreign_messages_total", queue="search") == 7
    assert samples("restarts_total", program="web") == 2
    assert samples("quarantined_slices") == 0
    assert samples("clock_skew_seconds") == -60.0
    statistics = client.get("/api/v1/statistics").json
    assert (statistics["foreign_messages"], statistics["restarts"]) == (7, 2)


REQUEST = {"board": EASY_3X3}


def test_system_is_ready_if_work_is_claimed_and_the_database_responds(
    client: FlaskClient, make_app: MakeApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    response = client.get("/readyz")
    assert response.status_code == 200
    assert response.json == {"ready": True, "reasons": [], "preparing_s": None}
    monkeypatch.setattr("tilework.core.services.health.UNCLAIMED_S", 60.0)
    app = make_app()
    unclaimed_client = app.test_client()
    unclaimed_client.post("/api/v1/jobs", json=REQUEST)
    assert unclaimed_client.get("/readyz").status_code == 200
    services = app.extensions["tilework"]
    late_time = services.storage.clock() + 61
    monkeypatch.setattr(services.health, "_clock", lambda: late_time)
    unreachable_client = make_app(database_url="postgresql://nobody@127.0.0.1:1/none").test_client()
    for unready_client in (unclaimed_client, unreachable_client):
        response = unready_client.get("/readyz")
        assert (response.status_code, response.json["ready"]) == (503, False)
        assert response.json["reasons"]
        assert unready_client.get("/healthz").json == {"status": "ok"}
