"""The service under load, up to its limits, and small boards beside long searches."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from typing import Any, Final

import numpy as np

from tests.support.servers import run_postgres
from tools.benchmarks.boards import read_korf50
from tools.benchmarks.load_clients import THROUGHPUT, ClientPool, Tally, client_pool
from tools.benchmarks.programs import time_call
from tools.benchmarks.record import Figure, list_quantiles
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
SMALL: Final = "3×3, POST to optimal"
SMALL_MS: Final = 100
SMALL_BESIDE_BATCHES_MS: Final = 250
SEARCHES: Final = 20
_START_S: Final = 3.0
_SPARE_S: Final = 5.0
_PAUSE_S: Final = 0.1
CLIENTS: Final = [1, 4, 16, 64, 256]


def load(
    seconds: float = 10.0,
    connections: list[int] = CLIENTS,
    batch: int = 5_000,
    *,
    postgresql: bool = False,
    workers: int = 0,
    web_processes: int = 0,
) -> Iterator[Figure]:
    """Requests at increasing concurrency, and 3×3 boards beside long searches and large batches.

    One web process, a search worker for each core and the clients share the machine. --postgresql,
    --workers and --web-processes measure another system, and its rows name it. There is no rate
    limit, and only the pattern databases that a worker builds when it starts.
    """
    settings: dict[str, Any] = {**UNLIMITED, "pdb_build": False}
    variant = ", PostgreSQL" if postgresql else ""
    variant += f", {workers} workers" if workers else ""
    variant += f", {web_processes} web processes" if web_processes else ""
    with ExitStack() as stack:
        if postgresql:
            settings["database_url"] = stack.enter_context(run_postgres(durable=True))
        system = stack.enter_context(
            running_system(workers=workers, web_processes=web_processes, **settings)
        )
        clients = stack.enter_context(client_pool(system.server))
        settle(system, 3, 4, 5, 7)
        for label, figures in (
            ("throughput", measure_throughput(clients, seconds, connections)),
            ("beside", measure_beside(system, clients, seconds, batch)),
        ):
            for figure in figures:
                yield replace(figure, what=f"{label}{variant}: {figure.what}")


def measure_throughput(
    clients: ClientPool, seconds: float, connections: list[int]
) -> Iterator[Figure]:
    """Cached posts, polls and boards at increasing concurrency, up to an error or a high p99."""
    for label, action in THROUGHPUT.items():
        passed, highest = 0, 0.0
        for count in connections:
            tally = clients.start(action, count, seconds).result()
            times = tally.times
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


def measure_beside(
    system: System, clients: ClientPool, seconds: float, batch: int
) -> Iterator[Figure]:
    """3×3 boards during the search of twenty 24-puzzles, and during batches of thousands."""
    start = partial(clients.start, THROUGHPUT["single 3×3"], 4, seconds, _PAUSE_S)

    def solve_batch(boards: list[list[int]]) -> None:
        system.client().solve_batch(boards)  # an idle connection would be closed

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
    yield from list_quantiles(f"{SMALL}, {when}", tally.times, p99_bar=p99_bar)
    yield Figure(f"{SMALL}, {when}: errors", tally.errors.total(), "", 0)
