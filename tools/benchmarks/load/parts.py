"""One action at rising concurrency, small boards under other load, and a long mixed load."""

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
from tools.benchmarks.harness.timing import measure_seconds
from tools.benchmarks.load.client_actions import MIXED, SMALL, THROUGHPUT, Action, small_job
from tools.benchmarks.load.client_pool import ClientPool, Load, Tally
from tools.benchmarks.load.memory import MemorySamples, hourly_growth

P99_MS: Final = 250
WORST_MS: Final = 1_000

CONNECTIONS: Final = 64
"""The concurrency that each action must support."""
ALONE_MS: Final = {"cached posts": 6, "single 3×3": 25, "single 4×4": 60}
"""Median of one client alone."""
RATES: Final = {"cached posts": 600, "polls of an ended job": 1_500, "single 3×3": 200}
BATCH_RATE: Final = 200
GROWTH_MB: Final = 32
"""Of any process in the second half of a row; filling caches takes less, or happens before."""

SEARCHES: Final = 20
SMALL_CLIENTS: Final = Load(4, 0.0, 0.1)
_MIN_BATCH_S: Final = 10.0
_START_S: Final = 3.0
_SPARE_S: Final = 5.0

SOAK_CLIENTS: Final = Load(8, 0.0, 0.25)
HOURLY_MB: Final = 1
_SAMPLES: Final = 360
_MIN_PAUSE_S: Final = 0.2


def throughput(
    system: System, clients: ClientPool, seconds: float, connections: Sequence[int]
) -> Iterator[Figure]:
    """Measure each action at rising concurrency, until the service cannot keep up."""
    for label, act in THROUGHPUT.items():
        passed, highest, processor = 0, 0.0, 0.0
        for count in connections:
            tally, grown = _row(system, clients, act, Load(count, seconds))
            times = next(iter(tally.times.values()), [])
            rate = len(times) / tally.seconds
            processor = max(processor, 100 * tally.processor_s / tally.seconds)
            name = f"{label}, {count} at a time"
            yield Figure(f"{name}: rate", rate, "/s")
            median_bar = ALONE_MS.get(label) if count == 1 else None
            yield from quantiles(
                name, times, P99_MS if count <= CONNECTIONS else None, None, median_bar
            )
            if fault := _fault(times, tally, grown):
                print(f"{name}: stops here: {fault}", flush=True)
                break
            passed, highest = count, max(highest, rate)
        name = f"{label}: highest rate, with p99 ≤ {P99_MS} ms and no error"
        yield at_least(name, highest, "/s", RATES.get(label))
        yield at_least(f"{label}: highest concurrency that passes", passed, "", CONNECTIONS)
        yield Figure(f"{label}: processor time of the clients, at most", processor, "% of a core")


def _row(system: System, clients: ClientPool, act: Action, load: Load) -> tuple[Tally, float]:
    """Return the tally, and the greatest growth of a process in the second half."""
    memory = MemorySamples(system)
    tally = clients.start({"": (act, 1)}, load)
    wait([tally], load.seconds / 2)
    before = memory.take()
    result = tally.result()
    after = memory.take()
    return result, max(after[who] - before[who] for who in after if who in before)


def _fault(times: Sequence[float], tally: Tally, grown: float) -> str:
    """Return why higher concurrency is not measured, if there is a reason."""
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


def beside(system: System, clients: ClientPool, seconds: float, batch: int) -> Iterator[Figure]:
    """Measure clients with 3×3 boards during twenty long searches, and during batches."""
    posts, load = {SMALL: (small_job, 1)}, SMALL_CLIENTS._replace(seconds=seconds)
    boards = clients.boards(batch)
    alone = measure_seconds(partial(system.client().solve_batch, boards))
    yield at_least(f"a batch of {batch:,} 3×3, alone", batch / alone, "/s", BATCH_RATE)
    yield from _small_figures("alone", clients.start(posts, load).result())
    limit_s = _START_S + 2 * seconds + _SPARE_S
    hard = list(korf50().values())[:SEARCHES]
    # A client for each.
    searches = [
        system.client().submit(instance.board, instance.goal, time_limit_s=limit_s)
        for instance in hard
    ]
    time.sleep(_START_S)
    when = f"during {SEARCHES} 24-puzzles"
    yield from _small_figures(when, clients.start(posts, load).result())
    batches = [clients.boards(batch) for _ in range(1 + int(seconds / _MIN_BATCH_S))]
    running = clients.start(posts, load)
    took = []
    while batches and not running.done():
        took.append(measure_seconds(partial(system.client().solve_batch, batches.pop())))
    when += f" and batches of {batch:,} 3×3"
    yield from _small_figures(when, running.result())
    yield Figure(f"{when}: a batch, POST to end, slowest", max(took), "s")
    for job in searches:
        system.client().wait(job)


def _small_figures(when: str, tally: Tally) -> Iterator[Figure]:
    label = f"{SMALL}, {when}"
    yield from quantiles(label, tally.times.get(SMALL, []), P99_MS, WORST_MS)
    yield Figure(f"{label}: errors", tally.errors.total(), "", 0)


def soak(system: System, clients: ClientPool, minutes: float) -> Iterator[Figure]:
    """Measure a long mixed load, and what grows during it."""
    seconds = 60 * minutes
    memory = MemorySamples(system)
    running = clients.start(MIXED, SOAK_CLIENTS._replace(seconds=seconds))
    database, log = system.folder / "tilework.sqlite", system.folder / "tilework.sqlite-wal"
    before, log_sizes = _megabytes(database), []
    while not running.done():
        memory.take()
        log_sizes.append(_megabytes(log))
        wait([running], max(_MIN_PAUSE_S, seconds / _SAMPLES))
    name, tally = (
        f"mixed load, {SOAK_CLIENTS.connections} clients, {minutes:g} min",
        running.result(),
    )
    for error, count in tally.errors.items():
        print(f"{name}: {count} × {error}", flush=True)
    requests = sum(map(len, tally.times.values()))
    processor = 100 * tally.processor_s / tally.seconds
    yield Figure(f"{name}: actions", requests / tally.seconds, "/s")
    yield Figure(f"{name}: errors", tally.errors.total(), "", 0)
    yield Figure(f"{name}: processor time of the clients", processor, "% of a core")
    for label, times in sorted(tally.times.items()):
        p99 = float(np.percentile(times, 99))
        yield Figure(f"{name}: {label}, p99", p99, "ms", P99_MS if label == SMALL else None)
    yield from _growth(name, memory)
    yield Figure(f"{name}: database before", before, "MB")
    yield Figure(f"{name}: database after", _megabytes(database), "MB")
    yield Figure(f"{name}: write-ahead log, maximum", max(log_sizes), "MB")


def _growth(name: str, memory: MemorySamples) -> Iterator[Figure]:
    lasting = memory.lasting()
    for (process, pid), samples in sorted(lasting.items()):
        which = f"{name}: {process}"
        if sum(other == process for other, _ in lasting) > 1:
            which += f", process {pid}"
        yield Figure(f"{which}, growth", hourly_growth(samples, "proportional"), "MB/h", HOURLY_MB)
        yield Figure(f"{which}, growth without mapped files", hourly_growth(samples, "own"), "MB/h")
        yield Figure(f"{which}, at the end", samples[-1].proportional, "MB")
    others = len(memory.samples) - len(lasting)
    yield Figure(f"{name}: processes that started or ended", others, "", 0)


def _megabytes(file: Path) -> float:
    return file.stat().st_size / 1e6 if file.exists() else 0.0
