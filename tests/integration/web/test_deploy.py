"""Alerts and the dashboard ask for what ``/metrics`` serves, by labels that it has."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import pytest
import yaml
from flask.testing import FlaskClient
from prometheus_client.parser import text_string_to_metric_families

from tests.support.said import ROOT
from tilework.core.settings import Settings

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


@pytest.fixture
def served(client: FlaskClient, work: Callable[[], None]) -> dict[str, set[str]]:
    """Labels by the name of a series."""
    client.post("/api/v1/jobs", json={"board": "1 2 3 4 5 6 0 7 8"})
    work()
    client.get("/metrics")
    found: dict[str, set[str]] = defaultdict(set)
    for family in text_string_to_metric_families(client.get("/metrics").text):
        for sample in family.samples:
            found[sample.name] |= set(sample.labels)
    return found


def test_every_query_finds_what_it_asks_for(served: dict[str, set[str]]) -> None:
    asked = set()
    for query in QUERIES:
        there: set[str] = set()
        for name, selector in METRIC.findall(query):
            assert name in served, query
            assert set(LABEL.findall(selector)) <= served[name], query
            there |= served[name]
            asked.add(name)
        for labels in re.findall(r"\bby \(([^)]*)\)", query):
            assert {label.strip() for label in labels.split(",")} <= there, query
        assert query.count("(") == query.count(")"), query
        assert query.count("{") == query.count("}"), query
    whole = {name for name in served if not name.endswith(("_created", "_sum", "_count"))}
    # Whatever is measured is shown or watched.
    assert whole - asked == set()


def test_routes_that_are_named_are_served(app: Any) -> None:
    named = {route for query in QUERIES for route in re.findall(r'route="([^"]*)"', query)}
    assert named <= {rule.rule for rule in app.url_map.iter_rules()}


def test_each_alert_says_what_to_do() -> None:
    names = [rule["alert"] for rule in ALERTS]
    assert len(set(names)) == len(names) > 5
    for rule in ALERTS:
        assert rule["labels"]["severity"] in {"warning", "critical"}
        assert rule["annotations"]["summary"]
        assert rule["annotations"]["action"]
    words = (ROOT / "docs" / "operations.md").read_text()
    assert [name for name in names if f"`{name}`" not in words] == []


def test_thresholds_follow_the_settings() -> None:
    [expr] = [rule["expr"] for rule in ALERTS if rule["alert"] == "TileworkQueueLong"]
    assert int(expr.rpartition(">")[2]) == Settings.model_fields["depth_cap"].default * 4 // 5


def test_the_panels_have_their_places() -> None:
    ids = [panel["id"] for panel in DASHBOARD["panels"]]
    places = [(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in DASHBOARD["panels"]]
    assert len(set(ids)) == len(ids) == len(set(places))
