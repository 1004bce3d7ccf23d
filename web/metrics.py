"""``/metrics``, ``/healthz`` and ``/readyz``."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from http import HTTPStatus
from typing import Final

from flask import Blueprint, Flask, Response, jsonify
from prometheus_client import CollectorRegistry, generate_latest, values
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_LATEST
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from tilework.core.assembly import Services
from tilework.core.model.states import CounterName
from tilework.web.clients import services

_FOLDER_VARIABLE: Final = "PROMETHEUS_MULTIPROC_DIR"
"""Names the folder in which the processes that share a port combine their request counts."""


def name_metrics_file(name: str) -> None:
    """Name this process's files of metrics, so that a restarted process continues counting."""
    values.ValueClass = values.MultiProcessValue(lambda: name)  # type: ignore[no-untyped-call]


def install_metrics(app: Flask, services: Services) -> CollectorRegistry | None:
    """Add ``/metrics``. Return the registry for the metrics of this process alone, if any."""
    registry = CollectorRegistry()
    registry.register(_ServiceCollector(services))
    shared_folder = os.environ.get(_FOLDER_VARIABLE)
    if shared_folder:
        MultiProcessCollector(registry, shared_folder)  # type: ignore[no-untyped-call]

    def metrics() -> Response:
        return Response(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)

    app.add_url_rule("/metrics", view_func=metrics)
    # With a shared folder, the metrics of this process would be reported twice.
    return None if shared_folder else registry


_COUNTERS: Final = {
    CounterName.FOREIGN_MESSAGES: (
        "tilework_foreign_messages",
        "Messages in the broker that workers rejected",
        "queue",
    ),
    CounterName.RESTARTS: (
        "tilework_restarts",
        "Programs that exited unexpectedly and were restarted",
        "program",
    ),
}


def _counter_families(counters: Mapping[tuple[CounterName, str], int]) -> Iterator[Metric]:
    for counter, (name, description, label) in _COUNTERS.items():
        family = CounterMetricFamily(name, description, labels=[label])
        for (counter_name, value), count in counters.items():
            if counter_name is counter:
                family.add_metric([value], count)
        yield family


class _ServiceCollector(Collector):
    def __init__(self, services: Services) -> None:
        self._services = services

    def describe(self) -> Iterator[Metric]:
        """Yield nothing, because collecting would read the database at startup."""
        yield from ()

    def collect(self) -> Iterator[Metric]:
        slices = GaugeMetricFamily(
            "tilework_slices", "Search slices and lab runs", labels=["queue", "state"]
        )
        waits = GaugeMetricFamily(
            "tilework_oldest_wait_seconds",
            "Wait of the oldest slice that is ready",
            labels=["queue"],
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
            "Slices that are suspended because they crashed workers",
            statistics.quarantined,
        )
        yield from _counter_families(statistics.counters)
        free = self._services.health.free_bytes()
        if free is not None:
            yield GaugeMetricFamily(
                "tilework_free_disk_bytes",
                "Free disk space for a SQLite database, or for this host's data folder",
                free,
            )
        yield CounterMetricFamily(
            "tilework_nodes", "Nodes searched by all workers", statistics.nodes
        )
        yield CounterMetricFamily(
            "tilework_search_seconds", "Seconds that all workers have searched", statistics.seconds
        )
        yield GaugeMetricFamily(
            "tilework_nodes_per_second",
            "Nodes per second, summed over all long searches and workers",
            statistics.nodes_per_s,
        )
        yield GaugeMetricFamily(
            "tilework_search_workers", "Workers that take long searches", statistics.workers
        )
        yield GaugeMetricFamily(
            "tilework_clock_skew_seconds",
            "Offset of the least accurate host clock from the database's clock",
            self._services.read.clock_skew_s(),
        )
        yield CounterMetricFamily(
            "tilework_damaged_solves",
            "Solves that started again because their stored data was damaged",
            statistics.damaged_solves,
        )
        yield GaugeMetricFamily(
            "tilework_cached_jobs", "Jobs answered from the cache", statistics.cached_jobs
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
