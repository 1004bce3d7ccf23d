"""One thing at rising concurrency, small boards beside much else, and a mixed load for long."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import wait
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np

from tools.benchmarks.harness.boards import korf50
from tools.benchmarks.harness.report import Figure, at_least, quantiles
from tools.benchmarks.harness.system import System
from tools.benchmarks.harness.timing import seconds_of
from tools.benchmarks.load.acts import MIXED, SMALL, THROUGHPUT, Act, small_job
from tools.benchmarks.load.crowd import Clients, Crowd, Tally
from tools.benchmarks.load.memory import Watch, hourly

P99_MS: Final = 250
WORST_MS: Final = 1_000

CONNECTIONS: Final = 64
"""At which each thing is to be well."""
ALONE_MS: Final = {"cached posts": 6, "single 3×3": 25, "single 4×4": 60}
"""Medians of one client that does nothing else."""
RATES: Final = {"cached posts": 600, "polls of an ended job": 1_500, "single 3×3": 200}
BATCH_RATE: Final = 200
GROWTH_MB: Final = 32
"""Of any process, in the second half of one row: what fills caches is smaller, or comes before."""

SEARCHES: Final = 20
VISITORS: Final = Crowd(4, 0.0, 0.1)
_LEAST_BATCH_S: Final = 10.0
_BEGUN_S: Final = 3.0
_SPARE_S: Final = 5.0

SOAKERS: Final = Crowd(8, 0.0, 0.25)
HOURLY_MB: Final = 1
_LOOKS: Final = 360
_LEAST_PAUSE_S: Final = 0.2


def throughput(
    system: System, clients: Clients, seconds: float, connections: Sequence[int]
) -> Iterator[Figure]:
    """Yield how much the system does of each thing, up to where it is too much."""
    for what, act in THROUGHPUT.items():
        well, most, processor = 0, 0.0, 0.0
        for count in connections:
            tally, grown = _row(system, clients, act, Crowd(count, seconds))
            times = next(iter(tally.times.values()), [])
            rate = len(times) / tally.seconds
            processor = max(processor, 100 * tally.processor_s / tally.seconds)
            name = f"{what}, {count} at a time"
            yield Figure(f"{name}: rate", rate, "/s")
            median_bar = ALONE_MS.get(what) if count == 1 else None
            yield from quantiles(
                name, times, P99_MS if count <= CONNECTIONS else None, None, median_bar
            )
            if fault := _fault(times, tally, grown):
                print(f"{name}: stops here: {fault}", flush=True)
                break
            well, most = count, max(most, rate)
        name = f"{what}: most a second, with p99 ≤ {P99_MS} ms and no error"
        yield at_least(name, most, "/s", RATES.get(what))
        yield at_least(f"{what}: most at a time with all well", well, "", CONNECTIONS)
        yield Figure(f"{what}: processor that the clients took, at most", processor, "% of a core")


def _row(system: System, clients: Clients, act: Act, crowd: Crowd) -> tuple[Tally, float]:
    """Return what clients saw, and by how much a process grew in the second half at most."""
    watch = Watch(system)
    tally = clients.go({"": (act, 1)}, crowd)
    wait([tally], crowd.seconds / 2)
    before = watch.look()
    found = tally.result()
    after = watch.look()
    return found, max(after[who] - before[who] for who in after if who in before)


def _fault(times: Sequence[float], tally: Tally, grown: float) -> str:
    """Return why there is to be no row of more connections."""
    if tally.errors:
        error, count = tally.errors.most_common(1)[0]
        return f"{count} × {error}"
    if not times:
        return "nothing was done"
    p99 = float(np.percentile(times, 99))
    if p99 > P99_MS:
        return f"p99 {p99:.0f} ms"
    if grown > GROWTH_MB:
        return f"a process grew by {grown:.0f} MB in {tally.seconds / 2:.0f} s"
    return ""


def beside(system: System, clients: Clients, seconds: float, batch: int) -> Iterator[Figure]:
    """Yield what visitors with 3×3 boards notice of twenty long searches, and of batches."""
    posts, visitors = {SMALL: (small_job, 1)}, VISITORS._replace(seconds=seconds)
    boards = clients.boards(batch)
    alone = seconds_of(partial(system.client().solve_batch, boards))
    yield at_least(f"a batch of {batch:,} 3×3, beside nothing", batch / alone, "/s", BATCH_RATE)
    yield from _noticed("beside nothing", clients.go(posts, visitors).result())
    limit_s = _BEGUN_S + 2 * seconds + _SPARE_S
    hard = list(korf50().values())[:SEARCHES]
    # Each as a client of its own.
    searches = [system.client().submit(one.board, one.goal, time_limit_s=limit_s) for one in hard]
    time.sleep(_BEGUN_S)
    words = f"beside {SEARCHES} 24-puzzles"
    yield from _noticed(words, clients.go(posts, visitors).result())
    batches = [clients.boards(batch) for _ in range(1 + int(seconds / _LEAST_BATCH_S))]
    going = clients.go(posts, visitors)
    took = []
    while batches and not going.done():
        took.append(seconds_of(partial(system.client().solve_batch, batches.pop())))
    words += f" and batches of {batch:,} 3×3"
    yield from _noticed(words, going.result())
    yield Figure(f"{words}: a batch, POST to end, slowest", max(took), "s")
    for job in searches:
        system.client().end(job)


def _noticed(beside: str, tally: Tally) -> Iterator[Figure]:
    what = f"{SMALL}, {beside}"
    yield from quantiles(what, tally.times.get(SMALL, []), P99_MS, WORST_MS)
    yield Figure(f"{what}: errors", tally.errors.total(), "", 0)


def soak(system: System, clients: Clients, minutes: float) -> Iterator[Figure]:
    """Yield what a mixed load for long was, and what grew of it that should not."""
    seconds = 60 * minutes
    watch = Watch(system)
    going = clients.go(MIXED, SOAKERS._replace(seconds=seconds))
    database, log = system.folder / "tilework.sqlite", system.folder / "tilework.sqlite-wal"
    before, log_sizes = _megabytes(database), []
    while not going.done():
        watch.look()
        log_sizes.append(_megabytes(log))
        wait([going], max(_LEAST_PAUSE_S, seconds / _LOOKS))
    name, tally = f"mixed load, {SOAKERS.connections} clients, {minutes:g} min", going.result()
    for error, count in tally.errors.items():
        print(f"{name}: {count} × {error}", flush=True)
    done = sum(map(len, tally.times.values()))
    processor = 100 * tally.processor_s / tally.seconds
    yield Figure(f"{name}: things done", done / tally.seconds, "/s")
    yield Figure(f"{name}: errors", tally.errors.total(), "", 0)
    yield Figure(f"{name}: processor that the clients took", processor, "% of a core")
    for what, times in sorted(tally.times.items()):
        p99 = float(np.percentile(times, 99))
        yield Figure(f"{name}: {what}, p99", p99, "ms", P99_MS if what == SMALL else None)
    yield from _growth(name, watch)
    yield Figure(f"{name}: database before", before, "MB")
    yield Figure(f"{name}: database after", _megabytes(database), "MB")
    yield Figure(f"{name}: write-ahead log, most", max(log_sizes), "MB")


def _growth(name: str, watch: Watch) -> Iterator[Figure]:
    lasting = watch.lasting()
    for (process, pid), samples in sorted(lasting.items()):
        which = f"{name}: {process}"
        if sum(other == process for other, _ in lasting) > 1:
            which += f", process {pid}"
        yield Figure(f"{which}, growth", hourly(samples, "proportional"), "MB/h", HOURLY_MB)
        yield Figure(f"{which}, growth of what no file is behind", hourly(samples, "own"), "MB/h")
        yield Figure(f"{which}, at the end", samples[-1].proportional, "MB")
    others = len(watch.samples) - len(lasting)
    yield Figure(f"{name}: processes that began or ended meanwhile", others, "", 0)


def _megabytes(file: Path) -> float:
    return file.stat().st_size / 1e6 if file.exists() else 0.0
