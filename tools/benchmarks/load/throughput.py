"""How much of one thing the service does a second, at rising concurrency, until it is too much."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import wait
from dataclasses import dataclass
from typing import Final

from tools.benchmarks.load.acts import THROUGHPUT, Act
from tools.benchmarks.load.crowd import Clients, Crowd
from tools.benchmarks.load.memory import Watch
from tools.benchmarks.load.quantiles import percentile, quantiles
from tools.benchmarks.load.wire import Tally
from tools.benchmarks.report import Figure
from tools.benchmarks.system import System

P99_BAR_MS: Final = 250.0
GROWTH_BAR_MB: Final = 32.0
"""Of any process, in the second half of one row: what fills caches is smaller, or comes before."""

CONNECTIONS_BAR: Final = 64
RATE_BARS: Final = {
    "cached posts": 600.0,
    "polls of an ended job": 1_500.0,
    "single 3×3 posts, each to its end": 200.0,
}


@dataclass(frozen=True)
class Ramp:
    """A system, its clients, how long a row takes, and the connections of one after the other."""

    system: System
    clients: Clients
    seconds: float
    connections: Sequence[int]


def throughput(ramp: Ramp) -> Iterator[Figure]:
    """Yield how much the system does of each thing, and where it is too much."""
    for what, act in THROUGHPUT.items():
        yield from _rising(ramp, what, act)


def _rising(ramp: Ramp, what: str, act: Act) -> Iterator[Figure]:
    well, most, processor, fault = 0, 0.0, 0.0, ""
    for count in ramp.connections:
        tally, grown = _row(ramp, act, count)
        times = next(iter(tally.times.values()), [])
        rate = len(times) / tally.seconds
        processor = max(processor, 100 * tally.processor_s / tally.seconds)
        name = f"{what}, {count} at a time"
        bar = P99_BAR_MS if count <= CONNECTIONS_BAR else None
        yield Figure(f"{name}: rate", rate, "/s")
        yield from quantiles(name, times, bar)
        fault = _fault(times, tally, grown)
        if fault:
            print(f"{name}: stops here: {fault}", flush=True)
            break
        well, most = count, max(most, rate)
    yield Figure(
        f"{what}: most a second, with p99 ≤ {P99_BAR_MS:g} ms and no error",
        most,
        "/s",
        RATE_BARS.get(what),
        at_most=False,
    )
    verdict = f" (at {count}: {fault})" if fault else ""
    yield Figure(
        f"{what}: most at a time with all well{verdict}",
        well,
        "",
        CONNECTIONS_BAR,
        at_most=False,
    )
    yield Figure(f"{what}: processor that the clients took, at most", processor, "% of a core")


def _row(ramp: Ramp, act: Act, connections: int) -> tuple[Tally, float]:
    """Return what clients saw, and by how much a process grew in the second half at most."""
    watch = Watch(ramp.system.pid)
    tally = ramp.clients.go(act, Crowd(connections, ramp.seconds))
    wait([tally], ramp.seconds / 2)
    before = watch.latest()
    found = tally.result()
    after = watch.latest()
    return found, max(after[who] - before[who] for who in after if who in before)


def _fault(times: Sequence[float], tally: Tally, grown: float) -> str:
    """Return why there is to be no row of more connections."""
    if tally.errors:
        error, count = tally.errors.most_common(1)[0]
        return f"{count} × {error}"
    if not times:
        return "nothing was done"
    if percentile(times, 99) > P99_BAR_MS:
        return f"p99 {percentile(times, 99):.0f} ms"
    if grown > GROWTH_BAR_MB:
        return f"a process grew by {grown:.0f} MB in {tally.seconds / 2:.0f} s"
    return ""
