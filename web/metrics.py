"""What operators ask: ``/metrics``, ``/healthz`` and ``/readyz``.

Routes are labelled by their template, so that series stay few.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Mapping
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

from flask import Blueprint, Flask, Response, jsonify
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest, values
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from tilework.core.assembly import Services
from tilework.core.model.states import Tally
from tilework.web.clients import services

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment


_BUCKETS_S: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 25)
_NONE: Final = "none"

_FOLDER: Final = "PROMETHEUS_MULTIPROC_DIR"
"""Where processes that share a port count their requests, so that each can tell of all."""


def count_as(name: str) -> None:
    """Count under a name that a restart keeps; the library's own files are named by process."""
    values.ValueClass = values.MultiProcessValue(lambda: name)  # type: ignore[no-untyped-call]


def install_metrics(app: Flask, services: Services) -> None:
    registry = CollectorRegistry()
    registry.register(_Farm(services))
    shared = os.environ.get(_FOLDER)
    if shared:
        MultiProcessCollector(registry, shared)  # type: ignore[no-untyped-call]
    # Otherwise those of this process would be served twice.
    own = None if shared else registry
    app.wsgi_app = _Requests(app.wsgi_app, own)  # type: ignore[method-assign]

    def metrics() -> Response:
        return Response(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)

    app.add_url_rule("/metrics", view_func=metrics)


class _Requests:
    """Counts requests and their times below Flask; a long-poll's time is its waiting."""

    def __init__(self, app: WSGIApplication, registry: CollectorRegistry | None) -> None:
        self._app = app
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
        self._series: dict[tuple[str, str, str], tuple[Counter, Histogram]] = {}

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        began = time.perf_counter()
        method = route = _NONE
        status = "500"

        def start(line: str, headers: list[tuple[str, str]], *error: Any) -> Any:
            nonlocal method, route, status
            status = line[:3]
            # Werkzeug leaves the request here, with the rule that matched it.
            request = environ.get("werkzeug.request")
            if request is not None and request.url_rule is not None:
                method, route = request.method, request.url_rule.rule
            return start_response(line, headers, *error)

        try:
            return self._app(environ, start)
        finally:
            self._count(method, route, status, began)

    def _count(self, method: str, route: str, status: str, began: float) -> None:
        series = self._series.get((method, route, status))
        if series is None:
            series = self._series[method, route, status] = (
                self._counter.labels(method, route, status),
                self._seconds.labels(method, route),
            )
        series[0].inc()
        series[1].observe(time.perf_counter() - began)


_TALLIES: Final = {
    Tally.FOREIGN_MESSAGES: (
        "tilework_foreign_messages",
        "Messages in the broker that workers refused",
        "queue",
    ),
    Tally.RESTARTS: (
        "tilework_restarts",
        "Programs that ended by themselves and were started again",
        "program",
    ),
    Tally.DAMAGED_FILES: ("tilework_damaged_files", "Files that were set aside", "owner"),
}


def _tallies(tallies: Mapping[tuple[Tally, str], int]) -> Iterator[Metric]:
    for tally, (name, words, label) in _TALLIES.items():
        family = CounterMetricFamily(name, words, labels=[label])
        for (counted, what), count in tallies.items():
            if counted is tally:
                family.add_metric([what], count)
        yield family


class _Farm(Collector):
    def __init__(self, services: Services) -> None:
        self._services = services

    def describe(self) -> Iterator[Metric]:
        """Describe nothing in advance: that would read the database while the app is made."""
        yield from ()

    def collect(self) -> Iterator[Metric]:
        slices = GaugeMetricFamily(
            "tilework_slices", "Slices of search and runs of the lab", labels=["queue", "state"]
        )
        waits = GaugeMetricFamily(
            "tilework_oldest_wait_seconds", "Wait of the oldest that is ready", labels=["queue"]
        )
        for queue in self._services.read.queues():
            slices.add_metric([queue.name, "ready"], queue.ready)
            slices.add_metric([queue.name, "leased"], queue.leased)
            waits.add_metric([queue.name], queue.oldest_wait_s)
        statistics = self._services.read.statistics()
        jobs = GaugeMetricFamily("tilework_jobs", "Jobs submitted", labels=["state"])
        for state, count in statistics.jobs.items():
            jobs.add_metric([state], count)
        yield from (slices, waits, jobs)
        yield GaugeMetricFamily(
            "tilework_quarantined_slices",
            "Slices that no worker takes for a while",
            statistics.quarantined,
        )
        yield from _tallies(statistics.tallies)
        free = self._services.health.free_bytes()
        if free is not None:
            yield GaugeMetricFamily(
                "tilework_free_disk_bytes", "Room on the disk of this host's data folder", free
            )
        yield CounterMetricFamily(
            "tilework_nodes", "Nodes searched by all workers", statistics.nodes
        )
        yield CounterMetricFamily(
            "tilework_search_seconds", "Seconds of search, of all workers", statistics.seconds
        )
        yield GaugeMetricFamily(
            "tilework_nodes_per_second",
            "Nodes a second of all long searches and all workers",
            statistics.nodes_per_s,
        )
        yield GaugeMetricFamily(
            "tilework_search_workers", "Workers that take long searches", statistics.workers
        )
        yield GaugeMetricFamily(
            "tilework_clock_skew_seconds",
            "How far the host's clock that is off most is ahead of the database's",
            self._services.read.clock_skew_s(),
        )
        yield CounterMetricFamily(
            "tilework_rows_set_aside",
            "Rows that were found damaged, set aside and made anew",
            statistics.set_aside,
        )
        yield GaugeMetricFamily(
            "tilework_cached_jobs", "Jobs answered out of the cache", statistics.cached_jobs
        )


health = Blueprint("health", __name__)


@health.get("/healthz")
def healthz() -> Response:
    return jsonify(status="ok")


@health.get("/readyz")
def readyz() -> tuple[Response, HTTPStatus]:
    view = services().health.check()
    status = HTTPStatus.OK if view.ready else HTTPStatus.SERVICE_UNAVAILABLE
    return jsonify(ready=view.ready, reasons=view.reasons, preparing_s=view.preparing_s), status
