"""Histograms of the solution lengths and search times of a batch, drawn as SVG by a template."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Sequence
from itertools import pairwise
from statistics import fmean, median
from typing import Final, NamedTuple

from tilework.core.model.batches import BatchFigures
from tilework.web.i18n import format_decimal
from tilework.web.i18n import gettext as _
from tilework.web.pages.site import format_seconds

_MAX_BARS: Final = 24
_STEPS: Final = (1, 2, 5)
_MIN_VALUES: Final = 2  # needed for a histogram
_MIN_S: Final = 1e-5


class Bar(NamedTuple):
    """A range of values: its label, the jobs in it, and their share of the highest bar."""

    label: str
    jobs: int
    share: float


class Histogram(NamedTuple):
    name: str
    title: str
    jobs: int
    mean: str
    median: str
    minimum: str
    maximum: str
    bars: Sequence[Bar]


def make_histograms(figures: Sequence[BatchFigures], length_title: str) -> list[Histogram]:
    lengths = [job.upper_bound for job in figures if job.upper_bound is not None]
    # Boards that were answered without a search have no time.
    seconds = [job.seconds for job in figures if job.seconds]
    charts = []
    if len(lengths) >= _MIN_VALUES:
        format_value = format_decimal
        charts.append(
            _make_histogram("lengths", length_title, lengths, _integer_edges(lengths), format_value)
        )
    if len(seconds) >= _MIN_VALUES:
        edges = _round_edges(seconds)
        charts.append(_make_histogram("times", _("Search time"), seconds, edges, format_seconds))
    return charts


def _make_histogram(
    name: str,
    title: str,
    values: Sequence[float],
    edges: Sequence[float],
    format_value: Callable[[float], str],
) -> Histogram:
    values = sorted(values)
    counts = [high - low for low, high in pairwise(bisect_left(values, edge) for edge in edges)]
    highest = max(counts)
    bars = [
        Bar(_format_range(low, high, format_value), count, count / highest)
        for (low, high), count in zip(pairwise(edges), counts, strict=True)
    ]
    mean = fmean(values)
    return Histogram(
        name,
        title,
        len(values),
        format_value(mean) if format_value is format_seconds else format_decimal(mean, "#,##0.#"),
        format_value(median(values)),
        format_value(values[0]),
        format_value(values[-1]),
        bars,
    )


def _format_range(low: float, high: float, format_value: Callable[[float], str]) -> str:
    if isinstance(low, int):
        return (
            format_value(low)
            if high == low + 1
            else f"{format_value(low)}–{format_value(high - 1)}"
        )
    return f"{format_value(low)} – {format_value(high)}"


def _integer_edges(values: Sequence[int]) -> list[int]:
    """Return integer edges at equal distances that enclose all values."""
    low, high = min(values), max(values)
    width = max(1, math.ceil((high - low + 1) / _MAX_BARS))
    return list(range(low, high + width + 1, width))


def _round_edges(values: Sequence[float]) -> list[float]:
    """Return the edges 1, 2, 5, 10 … that enclose all values, which span orders of magnitude."""
    low, high = max(_MIN_S, min(values)), max(_MIN_S, *values)
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1
    edges = [step * 10.0**power for power in range(first, last + 1) for step in _STEPS]
    start = max(index for index, edge in enumerate(edges) if edge <= low)
    end = min(index for index, edge in enumerate(edges) if edge > high)
    return [min(edges[start], *values), *edges[start + 1 : end + 1]]
