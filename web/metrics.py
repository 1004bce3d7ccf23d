"""``/metrics`` for Prometheus: requests by route, queues as they stand.

Routes are labelled by their template, never by an address, so that the series stay few.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Final

from flask import Flask, Response, g, request
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.registry import Collector

from core.assembly import Services

_BUCKETS_S: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 25)
_NO_ROUTE: Final = "none"


def install_metrics(app: Flask, services: Services) -> None:
    """Measure every request and serve the figures."""
    registry = CollectorRegistry()
    requests = _Requests(registry)
    registry.register(_Queues(services))
    app.before_request(_begin)
    app.after_request(requests.count)

    def metrics() -> Response:
        return Response(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)

    app.add_url_rule("/metrics", view_func=metrics)


def _begin() -> None:
    g.began = time.perf_counter()


class _Requests:
    """Counts of requests and their times; a long-poll's time is its waiting."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._counter = Counter(
            "tilework_http_requests",
            "Requests answered",
            ["method", "route", "status"],
            registry=registry,
        )
        self._seconds = Histogram(
            "tilework_http_request_seconds",
            "Time to answer",
            ["method", "route"],
            buckets=_BUCKETS_S,
            registry=registry,
        )
        # Finding a labelled series takes longer than adding to it, and a poll is short.
        self._series: dict[tuple[str, str, int], tuple[Counter, Histogram]] = {}

    def count(self, response: Response) -> Response:
        """Add one answered request."""
        route = request.url_rule.rule if request.url_rule else _NO_ROUTE
        key = (request.method, route, response.status_code)
        series = self._series.get(key)
        if series is None:
            method = request.method if request.url_rule else _NO_ROUTE
            series = self._series[key] = (
                self._counter.labels(method, route, response.status_code),
                self._seconds.labels(method, route),
            )
        series[0].inc()
        series[1].observe(time.perf_counter() - g.began)
        return response


class _Queues(Collector):
    """What waits, read from the database when Prometheus asks."""

    def __init__(self, services: Services) -> None:
        self._services = services

    def describe(self) -> Iterator[Metric]:
        """Tell the names without reading anything."""
        yield from ()

    def collect(self) -> Iterator[Metric]:
        """Read the queues and count the jobs."""
        slices = GaugeMetricFamily("tilework_slices", "Slices of search", labels=["queue", "state"])
        waits = GaugeMetricFamily(
            "tilework_oldest_wait_seconds", "Wait of the oldest ready slice", labels=["queue"]
        )
        for queue in self._services.read.queues():
            slices.add_metric([queue.name, "ready"], queue.ready)
            slices.add_metric([queue.name, "leased"], queue.leased)
            waits.add_metric([queue.name], queue.oldest_wait_s)
        jobs = GaugeMetricFamily("tilework_jobs", "Jobs ever submitted", labels=["state"])
        statistics = self._services.read.statistics()
        for state, count in statistics.jobs.items():
            jobs.add_metric([state], count)
        cached = GaugeMetricFamily(
            "tilework_cached_jobs", "Jobs answered out of the cache", statistics.cached_jobs
        )
        yield from (slices, waits, jobs, cached)
