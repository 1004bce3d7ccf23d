"""What visitors with 3×3 boards notice of twenty long searches and of batches of thousands."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any, Final

from tools.benchmarks.api import Client
from tools.benchmarks.instances import korf50
from tools.benchmarks.load.acts import BATCHES, JOBS, SMALL, small_job
from tools.benchmarks.load.crowd import Clients, Crowd
from tools.benchmarks.load.quantiles import quantiles
from tools.benchmarks.load.wire import Tally
from tools.benchmarks.report import Figure
from tools.benchmarks.system import System

SEARCHES: Final = 20
VISITORS: Final = 4
PAUSE_S: Final = 0.1
P99_BAR_MS: Final = 250.0
WORST_BAR_MS: Final = 1_000.0

_LEAST_BATCH_S: Final = 10.0
_LOOK_S: Final = 0.5
_BEGUN_S: Final = 3.0
_SPARE_S: Final = 5.0


def beside(system: System, clients: Clients, seconds: float, batch: int) -> Iterator[Figure]:
    """Yield the times of 3×3 boards without and with others' work beside them."""
    visitors = Crowd(VISITORS, seconds, PAUSE_S)
    yield from _told("beside nothing", clients.go(small_job, visitors).result())
    limit_s = _BEGUN_S + 2 * seconds + _SPARE_S
    searches = [_search(Client(system.server), place, limit_s) for place in range(SEARCHES)]
    time.sleep(_BEGUN_S)
    words = f"beside {SEARCHES} 24-puzzles"
    yield from _told(words, clients.go(small_job, visitors).result())
    batches = [clients.boards(batch) for _ in range(1 + int(seconds / _LEAST_BATCH_S))]
    going = clients.go(small_job, visitors)
    took = []
    while batches and not going.done():
        took.append(_batch_seconds(Client(system.server), batches.pop()))
    words += f" and batches of {batch:,} 3×3"
    yield from _told(words, going.result())
    yield Figure(f"{words}: a batch, POST to end, slowest of {len(took)}", max(took), "s")
    for job in searches:
        Client(system.server).end(job)


def _search(client: Client, place: int, seconds: float) -> dict[str, Any]:
    """Post a hard board, each as a client of its own."""
    board = korf50()[place].board.cells.tolist()
    request = {"board": board, "goal": "blank-first", "time_limit_s": seconds}
    return client.ask("POST", JOBS, json.dumps(request))


def _batch_seconds(client: Client, boards: list[list[int]]) -> float:
    """Post a batch and return the seconds to its end."""
    began = time.perf_counter()
    batch = client.ask("POST", BATCHES, json.dumps(boards))
    while not batch["finished"]:
        time.sleep(_LOOK_S)
        batch = client.ask("GET", batch["links"]["self"])
    if batch["states"] != {"optimal": len(boards)}:
        raise SystemExit(f"a batch ended {batch['states']}")
    return time.perf_counter() - began


def _told(beside: str, tally: Tally) -> Iterator[Figure]:
    what = f"{SMALL}, {beside}"
    yield from quantiles(what, tally.times[SMALL], P99_BAR_MS, WORST_BAR_MS)
    yield Figure(f"{what}: errors", tally.errors.total(), "", 0)
