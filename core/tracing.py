"""Spans of OpenTelemetry, which is imported only if `TILEWORK_TRACING` is set."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING, Final

from tilework.core.machine import require_extra
from tilework.core.settings import Settings

if TYPE_CHECKING:
    from opentelemetry.trace import Span, Tracer


@dataclass
class _Process:
    tracer: Tracer | None = None


_PROCESS: Final = _Process()


def check_tracing(settings: Settings) -> None:
    """Raise an error if the settings need libraries that are not installed."""
    if settings.tracing:
        require_extra("tracing")


def start_tracing(settings: Settings, service: str) -> None:
    """Send spans of this process over OTLP if the settings say so.

    The exporter, the sampler and the name of the service follow the variables ``OTEL_…``.
    """
    if not settings.tracing:
        return
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    os.environ.setdefault("OTEL_SERVICE_NAME", service)
    provider = TracerProvider()
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    _PROCESS.tracer = provider.get_tracer("tilework", version("tilework"))


@contextmanager
def span(
    name: str, kind: str, *, traceparent: str | None, **attributes: str
) -> Iterator[Span | None]:
    """Record a span until the end of the block; None if this process sends no spans.

    ``kind``: ``server`` or ``consumer``.
    ``traceparent``: its parent (W3C Trace Context); without a valid one, it starts a trace.
    ``attributes``: recorded with the prefix ``tilework.``.
    """
    if _PROCESS.tracer is None:
        yield None
        return
    from opentelemetry.context import Context
    from opentelemetry.trace import SpanKind
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    carrier = {"traceparent": traceparent or ""}
    with _PROCESS.tracer.start_as_current_span(
        name,
        context=TraceContextTextMapPropagator().extract(carrier, Context()),
        kind=SpanKind[kind.upper()],
        attributes={f"tilework.{key}": value for key, value in attributes.items()},
    ) as current:
        yield current


def current_traceparent() -> str | None:
    """Return the ``traceparent`` of work that the current span causes; None if there is none."""
    if _PROCESS.tracer is None:
        return None
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    carrier: dict[str, str] = {}
    TraceContextTextMapPropagator().inject(carrier)
    return carrier.get("traceparent")
