"""A mixed load for long: what grows that should not."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import wait
from pathlib import Path
from typing import Final

from tools.benchmarks.load.acts import SMALL, mixed
from tools.benchmarks.load.crowd import Clients, Crowd
from tools.benchmarks.load.memory import Watch, hourly
from tools.benchmarks.load.quantiles import percentile
from tools.benchmarks.load.wire import Tally
from tools.benchmarks.report import Figure
from tools.benchmarks.system import System

CONNECTIONS: Final = 8
PAUSE_S: Final = 0.25
GROWTH_BAR: Final = 1.0
P99_BAR_MS: Final = 250.0

_LOOKS: Final = 360
_LEAST_PAUSE_S: Final = 0.2


def soak(system: System, clients: Clients, minutes: float) -> Iterator[Figure]:
    """Yield what the load was, and the slope of every process's memory after the warm-up."""
    seconds = 60 * minutes
    watch = Watch(system.pid)
    going = clients.go(mixed, Crowd(CONNECTIONS, seconds, PAUSE_S))
    database, log = system.folder / "tilework.sqlite", system.folder / "tilework.sqlite-wal"
    before, log_sizes = _megabytes(database), []
    while not going.done():
        watch.look()
        log_sizes.append(_megabytes(log))
        wait([going], max(_LEAST_PAUSE_S, seconds / _LOOKS))
    name = f"mixed load, {CONNECTIONS} clients, {minutes:g} min"
    yield from _load(name, going.result())
    yield from _growth(name, watch)
    yield Figure(f"{name}: database before", before, "MB")
    yield Figure(f"{name}: database after", _megabytes(database), "MB")
    yield Figure(f"{name}: write-ahead log, most", max(log_sizes), "MB")


def _load(name: str, tally: Tally) -> Iterator[Figure]:
    for error, count in tally.errors.items():
        print(f"{name}: {count} × {error}", flush=True)
    done = sum(map(len, tally.times.values()))
    yield Figure(f"{name}: things done", done / tally.seconds, "/s")
    yield Figure(f"{name}: errors", tally.errors.total(), "", 0)
    yield Figure(
        f"{name}: processor that the clients took",
        100 * tally.processor_s / tally.seconds,
        "% of a core",
    )
    for what, times in sorted(tally.times.items()):
        bar = P99_BAR_MS if what == SMALL else None
        yield Figure(f"{name}: {what}, p99 of {len(times)}", percentile(times, 99), "ms", bar)


def _growth(name: str, watch: Watch) -> Iterator[Figure]:
    lasting = watch.lasting()
    for (process, pid), samples in sorted(lasting.items()):
        which = f"{name}: {process}"
        if sum(other == process for other, _ in lasting) > 1:
            which += f", process {pid}"
        yield Figure(f"{which}, growth", hourly(samples, "proportional"), "MB/h", GROWTH_BAR)
        yield Figure(f"{which}, growth of what no file is behind", hourly(samples, "own"), "MB/h")
        yield Figure(f"{which}, at the end", samples[-1].proportional, "MB")
    others = len(watch.samples) - len(lasting)
    yield Figure(f"{name}: processes that began or ended meanwhile", others, "", 0)


def _megabytes(file: Path) -> float:
    return file.stat().st_size / 1e6 if file.exists() else 0.0
