"""What the service bears, and what it does when that is too much.

Usage: python -m tools.benchmarks.load [--parts throughput pressure beside soak] [--seconds 10]
    [--connections 1 4 16 64 256] [--minutes 30] [--batch 5000]
       python -m tools.benchmarks.load --brief

``throughput``: cached posts, polls and single 3×3 boards at rising concurrency, to the first p99
over 250 ms, error or growth of memory. ``pressure``: which limit answers first when it is too much.
``beside``: 3×3 boards while twenty 24-puzzles and a batch of thousands are searched. ``soak``: a
mixed load for long, and the slope of each process's memory after the first third. ``--brief`` only
shows that all of it runs, in some seconds, and keeps nothing.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

from tools.benchmarks.api import SETTLE_S, Client
from tools.benchmarks.load import pressure
from tools.benchmarks.load.acts import JOBS
from tools.benchmarks.load.beside import beside
from tools.benchmarks.load.boards import random_board
from tools.benchmarks.load.crowd import clients_of
from tools.benchmarks.load.soak import soak
from tools.benchmarks.load.throughput import Ramp, throughput
from tools.benchmarks.report import Figure, kept_figures, record
from tools.benchmarks.system import started_system

NAME = "load"
PARTS = ("throughput", "pressure", "beside", "soak")
WARM_SIDES = (3, 4, 5, 7)
WARM_S = 5.0
# Building files would take a core for minutes.
LIFTED = {"rate_limit": "1000000/minute", "pdb_build": False}


def main() -> None:
    """Measure and record."""
    options = _options()
    figures = []
    for part in options.parts:
        for figure in _measured(part, options):
            named = replace(figure, what=f"{part}: {figure.what}")
            print(named.row(), flush=True)
            figures.append(named)
    if options.brief:
        return
    kept = kept_figures(NAME, figures)
    record(
        NAME,
        [
            figure
            for part in PARTS
            for figure in (*kept, *figures)
            if figure.what.startswith(f"{part}: ")
            and (figure in figures or part not in options.parts)
        ],
        notes="One web process, a search worker for each core, and the clients share the machine. "
        "The rate limit is lifted, but for `pressure`; of the pattern databases there are only "
        "those that a worker builds at its start.",
    )


def _measured(part: str, options: argparse.Namespace) -> Iterator[Figure]:
    """Measure a part, each with a system of its own, so that none has what another left behind."""
    settings: dict[str, Any] = pressure.LIMITS if part == "pressure" else LIFTED
    with started_system(**settings) as system, clients_of(system.server) as clients:
        _warm(system.server, options.warm)
        time.sleep(options.settle)
        match part:
            case "throughput":
                yield from throughput(Ramp(system, clients, options.seconds, options.connections))
            case "pressure":
                yield from pressure.pressure(system)
            case "beside":
                yield from beside(system, clients, options.seconds, options.batch)
            case "soak":
                yield from soak(system, clients, options.minutes)


def _warm(server: str, seconds: float) -> None:
    """Have boards of each kind solved: a kernel's first use may compile it."""
    client = Client(server)
    for side in WARM_SIDES:
        request = {"board": random_board(side, Random(1)), "time_limit_s": seconds}
        client.end(client.ask("POST", JOBS, json.dumps(request)))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tools.benchmarks.load", description=__doc__)
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--seconds", type=float, default=10.0, help="of each row")
    parser.add_argument("--connections", type=int, nargs="+", default=(1, 4, 16, 64, 256))
    parser.add_argument("--minutes", type=float, default=30.0, help="of the mixed load")
    parser.add_argument("--batch", type=int, default=5_000, help="boards in a batch")
    parser.add_argument("--brief", action="store_true", help="show that it runs, keep nothing")
    options = parser.parse_args()
    options.warm, options.settle = WARM_S, SETTLE_S
    if options.brief:
        options.seconds, options.connections, options.minutes = 0.5, (1, 2), 0.05
        options.batch, options.warm, options.settle = 20, 0.5, 0.0
    return options


if __name__ == "__main__":
    main()
