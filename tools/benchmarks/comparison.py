"""A comparison of the ten default methods on the hardest 3×3, as a client of the service sees it.

Usage: python -m tools.benchmarks.comparison

A whole system is started for it. The first comparison comes while its workers still load and build
their databases; the others when all are ready. Each has another limit of nodes, since the same runs
are never done twice.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from typing import Any, NamedTuple

from tilework.core.model.states import RunState
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.scramble import scramble
from tools.benchmarks.api import LARGE, SETTLE_S, Client
from tools.benchmarks.lab import HARDEST
from tools.benchmarks.report import Figure, record
from tools.benchmarks.system import running_system

ROUNDS = 5
NODE_LIMIT = 2_000_000


class Round(NamedTuple):
    """Seconds from the request on, until a first row has its figures and until all have."""

    first: float
    last: float


def main() -> None:
    """Measure everything and record it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    options = parser.parse_args()
    with running_system(rate_limit="1000000/minute") as server:
        client = Client(server)
        cold = compare(client, NODE_LIMIT)
        client.end(client.post(scramble(LARGE, blank_last(LARGE), seed=1)))
        time.sleep(SETTLE_S)
        rounds = [compare(client, NODE_LIMIT - 1 - number) for number in range(options.rounds)]
        known = [compare(client, NODE_LIMIT) for _ in range(options.rounds)]
    what = "ten methods on the hardest 3×3"
    record(
        "comparison",
        [
            Figure(f"{what}, first row", statistics.median(one.first for one in rounds), "s", 1),
            Figure(f"{what}, all rows", statistics.median(one.last for one in rounds), "s", 15),
            Figure(f"{what}, first row, workers just started", cold.first, "s"),
            Figure(f"{what}, all rows, workers just started", cold.last, "s"),
            Figure(f"{what}, known already", statistics.median(one.last for one in known), "s"),
        ],
        notes="Client and the whole system share the machine.",
    )


def compare(client: Client, node_limit: int) -> Round:
    """Ask for a comparison, and wait until it has ended."""
    request = {"board": HARDEST[0].cells.tolist(), "node_limit": node_limit}
    began = time.perf_counter()
    comparison = client.ask("POST", "/api/v1/comparisons", json.dumps(request))
    first = None
    while True:
        seconds = time.perf_counter() - began
        if first is None and any(RunState(run["state"]).ended for run in comparison["runs"]):
            first = seconds
        if comparison["unfinished"] == 0:
            _check(comparison)
            return Round(seconds if first is None else first, seconds)
        path = f"{comparison['links']['self']}?wait=20&since={comparison['version']}"
        comparison = client.ask("GET", path)


def _check(comparison: dict[str, Any]) -> None:
    for run in comparison["runs"]:
        if run["state"] != "done" or run["length"] is None or run["length"] < 31:
            raise SystemExit(f"{run['method']} ended {run['state']}: {run['message']}")
        if run["optimal"] and run["length"] != 31:
            raise SystemExit(f"{run['method']} says that {run['length']} moves are the optimum")


if __name__ == "__main__":
    main()
