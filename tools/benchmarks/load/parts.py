"""One action at increasing concurrency, small boards under other load, and a long mixed load."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import wait
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np

from tools.benchmarks.harness.boards import read_korf50
from tools.benchmarks.harness.report import Figure, at_least, quantiles
from tools.benchmarks.harness.system import System
from tools.benchmarks.harness.timing import measure_seconds
from tools.benchmarks.load.client_actions import MIXED, SMALL, THROUGHPUT, Action, solve_small_board
from tools.benchmarks.load.client_pool import ClientPool, Load, Tally
from tools.benchmarks.load.memory import MemorySamples, measure_hourly_growth

P99_MS: Final = 250

CONNECTIONS: Final = 64
"""The concurrency that each action must support."""
ALONE_MS: Final = {"cached posts": 6, "single 3×3": 10, "single 4×4": 60}
"""Median of one client alone."""
RATES: Final = {
    "cached posts": 500,
    "polls of an ended job": 1_500,
    "polls with If-None-Match": 2_500,
    "single 3×3": 150,
}
BATCH_S: Final = 10
SMALL_MS: Final = (100, 400)
"""The p99 and the maximum of small boards."""
SMALL_BESIDE_BATCHES_MS: Final = (250, 800)
GROWTH_MB: Final = 32
"""Of any process in the second half of a row; filling caches takes less or happens earlier."""

SEARCHES: Final = 20
SMALL_CLIENTS: Final = Load(4, 0.0, 0.1)
_MIN_BATCH_S: Final = 10.0
_START_S: Final = 3.0
_SPARE_S: Final = 5.0

SOAK_CLIENTS: Final = Load(8, 0.0, 0.25)
HOURLY_MB: Final = 5
_SAMPLES: Final = 360
_MIN_PAUSE_S: Final = 0.2


def measure_throughput(
    system: System, clients: ClientPool, seconds: float, connections: Sequence[int]
) -> Iterator[Figure]:
    """Measure each action at increasing concurrency, until the service cannot keep up."""
    for label, action in THROUGHPUT.items():
        passed, highest, processor = 0, 0.0, 0.0
        for count in connections:
            tally, growth_mb = _measure_action(system, clients, action, Load(count, seconds))
            times = next(iter(tally.times.values()), [])
            rate = len(times) / tally.seconds
            processor = max(processor, 100 * tally.processor_s / tally.seconds)
            name = f"{label}, {count} at a time"
            yield Figure(f"{name}: rate", rate, "/s")
            median_bar = ALONE_MS.get(label) if count == 1 else None
            yield from quantiles(
                name, times, P99_MS if count <= CONNECTIONS else None, None, median_bar
            )
            if reason := _find_stop_reason(times, tally, growth_mb):
                print(f"{name}: stops here: {reason}", flush=True)
                break
            passed, highest = count, max(highest, rate)
        name = f"{label}: highest rate, with p99 ≤ {P99_MS} ms and no error"
        yield at_least(name, highest, "/s", RATES.get(label))
        yield at_least(f"{label}: highest concurrency that passes", passed, "", CONNECTIONS)
        yield Figure(f"{label}: processor time of the clients, at most", processor, "% of a core")


def _measure_action(
    system: System, clients: ClientPool, action: Action, load: Load
) -> tuple[Tally, float]:
    """Return the tally, and the greatest growth of any process in the second half."""
    memory = MemorySamples(system)
    tally = clients.start({"": (action, 1)}, load)
    wait([tally], load.seconds / 2)
    sizes = memory.take_samples()
    result = tally.result()
    end_sizes = memory.take_samples()
    return result, max(end_sizes[key] - sizes[key] for key in end_sizes if key in sizes)


def _find_stop_reason(times: Sequence[float], tally: Tally, growth_mb: float) -> str:
    """Return the reason not to measure higher concurrency, if there is one."""
    if tally.errors:
        error, count = tally.errors.most_common(1)[0]
        return f"{count} × {error}"
    if not times:
        return "no action was completed"
    p99 = float(np.percentile(times, 99))
    if p99 > P99_MS:
        return f"p99 {p99:.0f} ms"
    if growth_mb > GROWTH_MB:
        return f"a process grew by {growth_mb:.0f} MB in {tally.seconds / 2:.0f} s"
    return ""


def measure_small_boards(
    system: System, clients: ClientPool, seconds: float, batch: int
) -> Iterator[Figure]:
    """Measure clients with 3×3 boards during twenty long searches, and during batches."""
    posts, load = {SMALL: (solve_small_board, 1)}, SMALL_CLIENTS._replace(seconds=seconds)
    boards = clients.take_boards(batch)
    batch_s = measure_seconds(partial(system.client().solve_batch, boards))
    yield Figure(f"a batch of {batch:,} 3×3, alone, POST to end", batch_s, "s", BATCH_S)
    yield from _list_small_figures("alone", SMALL_MS, clients.start(posts, load).result())
    limit_s = _START_S + 2 * seconds + _SPARE_S
    instances = list(read_korf50().values())[:SEARCHES]
    # Each search has its own client.
    searches = [
        system.client().submit(instance.board, instance.goal, time_limit_s=limit_s)
        for instance in instances
    ]
    time.sleep(_START_S)
    when = f"during {SEARCHES} 24-puzzles"
    yield from _list_small_figures(when, SMALL_MS, clients.start(posts, load).result())
    batches = [clients.take_boards(batch) for _ in range(1 + int(seconds / _MIN_BATCH_S))]
    running = clients.start(posts, load)
    durations = []
    while batches and not running.done():
        durations.append(measure_seconds(partial(system.client().solve_batch, batches.pop())))
    when += f" and batches of {batch:,} 3×3"
    yield from _list_small_figures(when, SMALL_BESIDE_BATCHES_MS, running.result())
    yield Figure(f"{when}: a batch, POST to end, slowest", max(durations), "s")
    for job in searches:
        system.client().wait(job)


def _list_small_figures(when: str, bars: tuple[int, int], tally: Tally) -> Iterator[Figure]:
    label = f"{SMALL}, {when}"
    yield from quantiles(label, tally.times.get(SMALL, []), *bars)
    yield Figure(f"{label}: errors", tally.errors.total(), "", 0)


def measure_mixed_load(system: System, clients: ClientPool, minutes: float) -> Iterator[Figure]:
    """Measure a long mixed load, and the growth of memory and files during it."""
    seconds = 60 * minutes
    memory = MemorySamples(system)
    running = clients.start(MIXED, SOAK_CLIENTS._replace(seconds=seconds))
    database, log = system.folder / "tilework.sqlite", system.folder / "tilework.sqlite-wal"
    initial_size, log_sizes = _measure_megabytes(database), []
    while not running.done():
        memory.take_samples()
        log_sizes.append(_measure_megabytes(log))
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
    yield from _list_growth_figures(name, memory)
    yield Figure(f"{name}: database before", initial_size, "MB")
    yield Figure(f"{name}: database after", _measure_megabytes(database), "MB")
    yield Figure(f"{name}: write-ahead log, maximum", max(log_sizes), "MB")


def _list_growth_figures(name: str, memory: MemorySamples) -> Iterator[Figure]:
    processes = memory.select_lasting()
    for (process, pid), samples in sorted(processes.items()):
        label = f"{name}: {process}"
        if sum(other == process for other, _ in processes) > 1:
            label += f", process {pid}"
        yield Figure(
            f"{label}, growth",
            measure_hourly_growth(samples, lambda sample: sample.proportional),
            "MB/h",
            HOURLY_MB,
        )
        yield Figure(
            f"{label}, growth without mapped files",
            measure_hourly_growth(samples, lambda sample: sample.anonymous),
            "MB/h",
        )
        yield Figure(f"{label}, at the end", samples[-1].proportional, "MB")
    others = len(memory.samples) - len(processes)
    yield Figure(f"{name}: processes that started or ended", others, "", 0)


def _measure_megabytes(file: Path) -> float:
    return file.stat().st_size / 1e6 if file.exists() else 0.0
