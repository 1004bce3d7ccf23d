from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler
from typing import NamedTuple

import httpx2
import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from tests.support.http_server import read_body, respond, serve
from tests.support.running_system import RunningSystem
from tests.support.waiting import wait_until


class Collector(NamedTuple):
    url: str
    spans: dict[str, tuple[str, Span]]


TRACE, PARENT = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"


@pytest.fixture
def collector() -> Iterator[Collector]:
    """A server that receives spans as an OpenTelemetry collector does (OTLP over HTTP)."""
    spans: dict[str, tuple[str, Span]] = {}

    def collect(request: BaseHTTPRequestHandler) -> None:
        assert request.path == "/v1/traces"
        for resource in ExportTraceServiceRequest.FromString(read_body(request)).resource_spans:
            names = {item.key: item.value.string_value for item in resource.resource.attributes}
            for scope in resource.scope_spans:
                spans.update((span.name, (names["service.name"], span)) for span in scope.spans)
        respond(request, 200)

    with serve(collect) as url:
        yield Collector(url, spans)


def test_trace_of_a_request_includes_its_work(
    start: Callable[..., RunningSystem], collector: Collector, site: str
) -> None:
    system = start(
        TILEWORK_TRACING="true",
        OTEL_EXPORTER_OTLP_ENDPOINT=collector.url,
        OTEL_BSP_SCHEDULE_DELAY="100",
    )  # after the site, which has compiled the kernels
    response = httpx2.post(
        f"{system.url}/api/v1/jobs",
        json={"board": "8 6 7 / 2 5 4 / 3 0 1"},
        headers={"traceparent": f"00-{TRACE}-{PARENT}-01"},
    )
    system.wait_until_optimal(response.json()["id"])
    names = ["POST /api/v1/jobs", "slice interactive"]
    wait_until(lambda: {*names} <= collector.spans.keys())
    (web, request), (worker, work) = (collector.spans[name] for name in names)
    assert (web, worker) == ("tilework-web", "tilework-worker")
    assert request.trace_id.hex() == work.trace_id.hex() == TRACE
    assert request.parent_span_id.hex() == PARENT
    assert work.parent_span_id == request.span_id
    assert request.start_time_unix_nano < work.start_time_unix_nano
    assert not any("healthz" in name for name in collector.spans)
