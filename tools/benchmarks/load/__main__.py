"""The service under load, up to its limits and beyond.

``throughput``: cached posts, polls and single boards at increasing concurrency, up to the first p99
over 250 ms, error or growth of memory. ``beside``: 3×3 boards during the search of twenty
24-puzzles and batches of thousands of boards. ``streams``: a thousand open event streams. ``soak``:
a long mixed load, and the growth of each process's memory after the first third.

``--postgresql``, ``--workers`` and ``--web-processes`` measure another system; its rows name it.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

from tests.support.servers import run_postgres
from tools.benchmarks.harness.report import Figure, Part, run
from tools.benchmarks.harness.system import UNLIMITED, System, running_system, settle
from tools.benchmarks.load.client_pool import ClientPool, client_pool
from tools.benchmarks.load.parts import measure_mixed_load, measure_small_boards, measure_throughput
from tools.benchmarks.load.streams import SETTINGS as STREAM_SETTINGS
from tools.benchmarks.load.streams import measure_streams

Measure = Callable[[System, ClientPool, argparse.Namespace], Iterator[Figure]]


def make_part(name: str, measure: Measure, **settings: Any) -> Part:
    """Return a part with a new system; its figures have the part's name as a prefix."""

    def figures(options: argparse.Namespace) -> Iterator[Figure]:
        counts = {"workers": options.workers, "web_processes": options.web_processes}
        database: dict[str, Any] = {}
        label = name
        with ExitStack() as stack:
            if options.postgresql:
                database["database_url"] = stack.enter_context(run_postgres(durable=True))
                label += ", PostgreSQL"
            for what, count in counts.items():
                label += f", {count} {what.replace('_', ' ')}" if count else ""
            # Building databases would take a core for minutes.
            system = stack.enter_context(
                running_system(**UNLIMITED, pdb_build=False, **counts, **database, **settings)
            )
            clients = stack.enter_context(client_pool(system.server))
            settle(system, 3, 4, 5, 7)
            for figure in measure(system, clients, options):
                yield replace(figure, what=f"{label}: {figure.what}")

    return figures


if __name__ == "__main__":
    run(
        "load",
        __doc__,
        {
            "throughput": make_part(
                "throughput", lambda s, c, o: measure_throughput(s, c, o.seconds, o.connections)
            ),
            "beside": make_part(
                "beside", lambda s, c, o: measure_small_boards(s, c, o.seconds, o.batch)
            ),
            "streams": make_part(
                "streams", lambda s, _, o: measure_streams(s, o.seconds), **STREAM_SETTINGS
            ),
            "soak": make_part("soak", lambda s, c, o: measure_mixed_load(s, c, o.minutes)),
        },
        "One web process, a search worker for each core, and the clients share the machine, unless "
        "a row names others. There is no rate limit, and only the pattern databases that a worker "
        "builds when it starts.",
        seconds=10.0,
        connections=(1, 4, 16, 64, 256),
        minutes=30.0,
        batch=5_000,
        postgresql=False,
        workers=0,
        web_processes=0,
    )
