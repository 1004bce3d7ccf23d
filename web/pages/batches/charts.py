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
_FEWEST: Final = 2  # values that make a distribution
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


def histograms(figures: Sequence[BatchFigures]) -> list[Histogram]:
    lengths = [job.upper_bound for job in figures if job.upper_bound is not None]
    # Boards that were answered without a search have no time.
    seconds = [job.seconds for job in figures if job.seconds]
    charts = []
    if len(lengths) >= _FEWEST:
        write = format_decimal
        charts.append(_histogram("lengths", _("Moves"), lengths, _whole_edges(lengths), write))
    if len(seconds) >= _FEWEST:
        edges = _round_edges(seconds)
        charts.append(_histogram("times", _("Search time"), seconds, edges, format_seconds))
    return charts


def _histogram(
    name: str,
    title: str,
    values: Sequence[float],
    edges: Sequence[float],
    write: Callable[[float], str],
) -> Histogram:
    values = sorted(values)
    counts = [high - low for low, high in pairwise(bisect_left(values, edge) for edge in edges)]
    highest = max(counts)
    bars = [
        Bar(_label(low, high, write), count, count / highest)
        for (low, high), count in zip(pairwise(edges), counts, strict=True)
    ]
    mean = fmean(values)
    return Histogram(
        name,
        title,
        len(values),
        write(mean) if write is format_seconds else format_decimal(mean, "#,##0.#"),
        write(median(values)),
        write(values[0]),
        write(values[-1]),
        bars,
    )


def _label(low: float, high: float, write: Callable[[float], str]) -> str:
    if isinstance(low, int):
        return write(low) if high == low + 1 else f"{write(low)}–{write(high - 1)}"
    return f"{write(low)} – {write(high)}"


def _whole_edges(values: Sequence[int]) -> list[int]:
    """Return whole edges at even distances around all values."""
    low, high = min(values), max(values)
    width = max(1, math.ceil((high - low + 1) / _MAX_BARS))
    return list(range(low, high + width + 1, width))


def _round_edges(values: Sequence[float]) -> list[float]:
    """Return the edges 1, 2, 5, 10 … around all values, which vary by orders of magnitude."""
    low, high = max(_MIN_S, min(values)), max(_MIN_S, *values)
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1
    edges = [step * 10.0**power for power in range(first, last + 1) for step in _STEPS]
    start = max(index for index, edge in enumerate(edges) if edge <= low)
    end = min(index for index, edge in enumerate(edges) if edge > high)
    return [min(edges[start], *values), *edges[start + 1 : end + 1]]
