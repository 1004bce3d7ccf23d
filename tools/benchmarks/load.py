"""The service under load, up to its limits and beyond."""

from __future__ import annotations

import time
from argparse import Namespace
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from concurrent.futures import wait
from contextlib import ExitStack, suppress
from dataclasses import replace
from functools import partial, wraps
from typing import Any, Final

import numpy as np
import psutil

from tests.support.servers import run_postgres
from tools.benchmarks.boards import read_korf50
from tools.benchmarks.load_clients import (
    MIXED,
    SMALL,
    THROUGHPUT,
    ClientPool,
    Load,
    Tally,
    client_pool,
    solve_small_board,
)
from tools.benchmarks.programs import time_call
from tools.benchmarks.record import Figure, list_quantiles, part
from tools.benchmarks.system import UNLIMITED, System, running_system, settle

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
SMALL_MS: Final = 100
SMALL_BESIDE_BATCHES_MS: Final = 250
SEARCHES: Final = 20
_START_S: Final = 3.0
_SPARE_S: Final = 5.0
SOAK_CLIENTS: Final = 8
GROWTH_MB: Final = 5
_SAMPLES: Final = 360


Measure = Callable[[System, ClientPool, Namespace], Iterator[Figure]]


def load_part(**defaults: Any) -> Callable[[Measure], Measure]:
    """Make a function a part that has a new system; its figures have its name as a prefix.

    One web process, a search worker for each core and the clients share the machine. --postgresql,
    --workers and --web-processes measure another system, and its rows name it. There is no rate
    limit, and only the pattern databases that a worker builds when it starts.
    """

    def register(measure: Measure) -> Measure:
        @wraps(measure)
        def figures(options: Namespace) -> Iterator[Figure]:
            counts = {"workers": options.workers, "web_processes": options.web_processes}
            label = f"{measure.__name__}, PostgreSQL" if options.postgresql else measure.__name__
            for what, count in counts.items():
                label += f", {count} {what.replace('_', ' ')}" if count else ""
            settings: dict[str, Any] = {**UNLIMITED, "pdb_build": False}
            with ExitStack() as stack:
                if options.postgresql:
                    settings["database_url"] = stack.enter_context(run_postgres(durable=True))
                system = stack.enter_context(running_system(**counts, **settings))
                clients = stack.enter_context(client_pool(system.server))
                settle(system, 3, 4, 5, 7)
                for figure in measure(system, clients, options):
                    yield replace(figure, what=f"{label}: {figure.what}")

        part("load", postgresql=False, workers=0, web_processes=0, **defaults)(figures)
        return measure

    return register


@load_part(seconds=10.0, connections=(1, 4, 16, 64, 256))
def throughput(_system: System, clients: ClientPool, options: Namespace) -> Iterator[Figure]:
    """Cached posts, polls and boards at increasing concurrency, up to an error or a high p99."""
    for label, action in THROUGHPUT.items():
        passed, highest = 0, 0.0
        for count in options.connections:
            tally = clients.start({label: (action, 1)}, Load(count, options.seconds)).result()
            times = tally.times[label]
            rate = len(times) / tally.seconds
            name = f"{label}, {count} at a time"
            yield Figure(f"{name}: rate", rate, "/s")
            median_bar = ALONE_MS.get(label) if count == 1 else None
            p99_bar = P99_MS if count <= CONNECTIONS else None
            yield from list_quantiles(name, times, median_bar, p99_bar)
            if tally.errors or not times or np.percentile(times, 99) > P99_MS:
                print(f"{name}: stops here", *tally.errors.most_common(1), flush=True)
                break
            passed, highest = count, max(highest, rate)
        name = f"{label}: highest rate, with p99 ≤ {P99_MS} ms and no error"
        yield Figure(name, highest, "/s", at_least=RATES.get(label))
        yield Figure(f"{label}: highest concurrency that passes", passed, at_least=CONNECTIONS)


@load_part(seconds=10.0, batch=5_000)
def beside(system: System, clients: ClientPool, options: Namespace) -> Iterator[Figure]:
    """3×3 boards during the search of twenty 24-puzzles, and during batches of thousands."""
    seconds, batch = options.seconds, options.batch
    start = partial(clients.start, {SMALL: (solve_small_board, 1)}, Load(4, seconds, 0.1))
    solve_batch = system.client().solve_batch
    batch_s = time_call(partial(solve_batch, clients.take_boards(batch)))[1]
    yield Figure(f"a batch of {batch:,} 3×3, alone, POST to end", batch_s, "s", BATCH_S)
    yield from _list_small_figures("alone", SMALL_MS, start().result())
    limit_s = _START_S + 2 * seconds + _SPARE_S
    # Each search has its own client.
    searches = [
        system.client().submit(instance.board, instance.goal, time_limit_s=limit_s)
        for instance in list(read_korf50().values())[:SEARCHES]
    ]
    time.sleep(_START_S)
    when = f"during {SEARCHES} 24-puzzles"
    yield from _list_small_figures(when, SMALL_MS, start().result())
    batches = [clients.take_boards(batch) for _ in range(1 + int(seconds / BATCH_S))]
    running = start()
    while batches and not running.done():
        solve_batch(batches.pop())
    when += f" and batches of {batch:,} 3×3"
    yield from _list_small_figures(when, SMALL_BESIDE_BATCHES_MS, running.result())
    for job in searches:
        system.client().wait(job)


def _list_small_figures(when: str, p99_bar: float, tally: Tally) -> Iterator[Figure]:
    yield from list_quantiles(f"{SMALL}, {when}", tally.times[SMALL], p99_bar=p99_bar)
    yield Figure(f"{SMALL}, {when}: errors", tally.errors.total(), "", 0)


@load_part(minutes=30.0)
def soak(system: System, clients: ClientPool, options: Namespace) -> Iterator[Figure]:
    """A long mixed load, and the growth of each process's memory in its last third."""
    minutes = options.minutes
    running = clients.start(MIXED, Load(SOAK_CLIENTS, 60 * minutes, 0.25))
    samples: dict[str, list[float]] = defaultdict(list)
    log = system.folder / "tilework.sqlite-wal"
    log_mb = 0.0
    while not running.done():
        for role, megabytes in _measure_memory(system).items():
            samples[role].append(megabytes)
        log_mb = max(log_mb, log.stat().st_size / 1e6 if log.exists() else 0.0)
        wait([running], 60 * minutes / _SAMPLES)
    name, tally = f"mixed load, {SOAK_CLIENTS} clients, {minutes:g} min", running.result()
    for error, count in tally.errors.items():
        print(f"{name}: {count} × {error}", flush=True)
    yield Figure(f"{name}: actions", sum(map(len, tally.times.values())) / tally.seconds, "/s")
    yield Figure(f"{name}: errors", tally.errors.total(), "", 0)
    for label, times in sorted(tally.times.items()):
        p99 = float(np.percentile(times, 99))
        yield Figure(f"{name}: {label}, p99", p99, "ms", P99_MS if label == SMALL else None)
    for role, sizes in sorted(samples.items()):
        # A running search temporarily needs more, so that minima are compared.
        third = max(1, len(sizes) // 3)
        growth = min(sizes[-third:]) - min(sizes[third : 2 * third] or sizes)
        yield Figure(f"{name}: {role}, growth", growth, "MB", GROWTH_MB)
        yield Figure(f"{name}: {role}, at the end", sizes[-1], "MB")
    yield Figure(f"{name}: write-ahead log, maximum", log_mb, "MB")


def _measure_memory(system: System) -> Counter[str]:
    """Return the megabytes of each role, of which shared pages count in proportion."""
    sizes = Counter[str]()
    for role, process in system.processes():
        with suppress(psutil.Error, OSError):  # it has just exited
            sizes[role] += process.memory_full_info().pss // 1_000_000
    return sizes
