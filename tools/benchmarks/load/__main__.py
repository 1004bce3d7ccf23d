"""What the service bears, and what it does when that is too much.

Usage: python -m tools.benchmarks.load [--parts throughput beside soak] [--seconds 10]
    [--connections 1 4 16 64 256] [--minutes 30] [--batch 5000]

``throughput``: cached posts, polls and single boards at rising concurrency, to the first p99 over
250 ms, error or growth of memory. ``beside``: 3×3 boards while twenty 24-puzzles and a batch of
thousands are searched. ``soak``: a mixed load for long, and the slope of each process's memory
after the first third.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from dataclasses import replace

from tools.benchmarks.harness.report import Figure, Part, run
from tools.benchmarks.harness.system import UNLIMITED, System, running_system, settle
from tools.benchmarks.load.crowd import Clients, clients_of
from tools.benchmarks.load.parts import beside, soak, throughput

Measure = Callable[[System, Clients, argparse.Namespace], Iterator[Figure]]


def part(name: str, measure: Measure) -> Part:
    """Measure with a system of its own, which finds nothing that another part left behind."""

    def figures(options: argparse.Namespace) -> Iterator[Figure]:
        # Building files would take a core for minutes.
        with (
            running_system(**UNLIMITED, pdb_build=False) as system,
            clients_of(system.server) as clients,
        ):
            settle(system, 3, 4, 5, 7)
            for figure in measure(system, clients, options):
                yield replace(figure, what=f"{name}: {figure.what}")

    return figures


if __name__ == "__main__":
    run(
        "load",
        __doc__,
        {
            "throughput": part(
                "throughput", lambda s, c, o: throughput(s, c, o.seconds, o.connections)
            ),
            "beside": part("beside", lambda s, c, o: beside(s, c, o.seconds, o.batch)),
            "soak": part("soak", lambda s, c, o: soak(s, c, o.minutes)),
        },
        "One web process, a search worker for each core, and the clients share the machine. The "
        "rate limit is lifted; of the pattern databases there are only those that a worker builds "
        "at its start.",
        seconds=10.0,
        connections=(1, 4, 16, 64, 256),
        minutes=30.0,
        batch=5_000,
    )
