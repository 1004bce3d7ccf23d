"""Times as figures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from tools.benchmarks.report import Figure


def percentile(times: Sequence[float], percent: float) -> float:
    """Return a percentile of milliseconds."""
    return float(np.percentile(times, percent))


def quantiles(
    what: str, times: Sequence[float], p99_bar: float | None = None, worst_bar: float | None = None
) -> Iterator[Figure]:
    """Yield median, 99th percentile and worst of milliseconds; nothing where there are none."""
    if times:
        yield Figure(f"{what}: median", percentile(times, 50), "ms")
        yield Figure(f"{what}: p99", percentile(times, 99), "ms", p99_bar)
        yield Figure(f"{what}: worst of {len(times)}", max(times), "ms", worst_bar)
