"""What other clients notice of a thousand that let the server wait, and what they cost.

Usage: python -m tools.benchmarks.stalled_clients [--connections N] [--seconds S]

They come from one address of this machine and the others from another; who is cut off comes again.
"""

from __future__ import annotations

import argparse
import http.client
import json
import multiprocessing
import statistics
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import count
from typing import Any, Final

import psutil

from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.scramble import scramble
from tools.benchmarks.report import Figure, record
from tools.benchmarks.stalling import stall
from tools.benchmarks.system import System, started_system

BAR_MS: Final = 250
LARGE: Final = Size(90, 90)
SMALL: Final = Size(3, 3)
POLLERS: Final = 500
POLL_S: Final = 5
PAUSE_S: Final = 0.1
SETTLE_S: Final = 20.0
OTHER: Final = ("127.0.0.2", 0)


def main() -> None:
    """Measure and record."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--connections", type=int, default=1_000)
    parser.add_argument("--seconds", type=float, default=30.0)
    arguments = parser.parse_args()
    with started_system(rate_limit="1000000/minute", pdb_build=False) as system:
        figures = measure(system, arguments.connections, arguments.seconds)
    record(
        "stalled_clients",
        figures,
        notes="A third each: heads and bodies sent a byte a second, long answers that nobody "
        "takes. The server, its workers and all clients share the machine.",
    )


def measure(system: System, connections: int, seconds: float) -> list[Figure]:
    """Measure a system without and with stalled clients."""
    seeds = count(1)
    time.sleep(SETTLE_S)  # the first worker answers while the others still load
    large = _solved(system, LARGE, next(seeds), time_limit_s=5)
    _solved(system, SMALL, next(seeds))
    quiet, quiet_solves = _times(system, seconds / 3, seeds)
    before = _memory(system)
    with _stalled(system, f"/api/v1/jobs/{large['id']}/solution", connections) as open_now:
        healthz, solves = _times(system, seconds, seeds)
        polled = _polls(system)
        stalled = open_now()
        after = _memory(system)
    whom = f"beside {connections} stalled connections"
    return [
        Figure("/healthz, nobody stalls, worst", max(quiet), "ms"),
        Figure("3×3, POST to optimal, nobody stalls, worst", max(quiet_solves), "ms"),
        Figure(f"/healthz {whom}, median", statistics.median(healthz), "ms", BAR_MS),
        Figure(f"/healthz {whom}, worst of {len(healthz)}", max(healthz), "ms", BAR_MS),
        Figure(f"3×3, POST to optimal, {whom}, worst of {len(solves)}", max(solves), "ms", BAR_MS),
        Figure(
            "stalled connections open at the end", stalled, "", 0.9 * connections, at_most=False
        ),
        Figure(f"long polls of {POLLERS} clients {whom}, answered", polled, "", POLLERS, False),
        Figure("memory of the web before", before, "MB"),
        Figure(f"memory of the web {whom}", after, "MB", before + 200),
    ]


@contextmanager
def _stalled(system: System, unread: str, connections: int) -> Iterator[Any]:
    context = multiprocessing.get_context("spawn")
    host, _, port = system.server.partition(":")
    ended = context.Event()
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(
        target=stall, args=((host, int(port)), unread, connections, ended, theirs)
    )
    process.start()
    latest = 0

    def open_now() -> int:
        nonlocal latest
        while ours.poll():
            latest = ours.recv()
        return latest

    try:
        deadline = time.monotonic() + 60
        while open_now() < 0.9 * connections and time.monotonic() < deadline:
            time.sleep(PAUSE_S)
        yield open_now
    finally:
        ended.set()
        # A full pipe would keep it.
        while process.is_alive():
            open_now()
            process.join(PAUSE_S)


def _times(system: System, seconds: float, seeds: Iterator[int]) -> tuple[list[float], list[float]]:
    healthz: list[float] = []
    solves: list[float] = []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        began = time.perf_counter()
        _ask(system, "GET", "/healthz")
        healthz.append((time.perf_counter() - began) * 1_000)
        began = time.perf_counter()
        _solved(system, SMALL, next(seeds))
        solves.append((time.perf_counter() - began) * 1_000)
        time.sleep(PAUSE_S)
    return healthz, solves


def _polls(system: System) -> int:
    """Return how many of the clients that wait for a job at once are answered."""
    job = _post(system, Size(5, 5), 1, time_limit_s=60)

    def poll(_number: int) -> bool:
        try:
            return _ask(system, "GET", f"/api/v1/jobs/{job['id']}?wait={POLL_S}")["id"] == job["id"]
        except (OSError, http.client.HTTPException):
            return False

    with ThreadPoolExecutor(POLLERS) as pool:
        return sum(pool.map(poll, range(POLLERS)))


def _solved(system: System, size: Size, seed: int, **options: object) -> dict[str, Any]:
    job = _post(system, size, seed, **options)
    while not job.get("finished_at"):
        job = _ask(system, "GET", f"/api/v1/jobs/{job['id']}?wait=20&brief=true")
    return job


def _post(system: System, size: Size, seed: int, **options: object) -> dict[str, Any]:
    board = scramble(size, blank_last(size), seed=seed).cells.tolist()
    body = json.dumps({"board": board, **options})
    return _ask(system, "POST", "/api/v1/jobs", body)


def _ask(system: System, method: str, path: str, body: str | None = None) -> dict[str, Any]:
    connection = http.client.HTTPConnection(system.server, timeout=60, source_address=OTHER)
    try:
        connection.request(method, path, body, {"Content-Type": "application/json"} if body else {})
        answer = connection.getresponse()
        text = answer.read()
        if answer.status >= http.client.BAD_REQUEST:
            raise SystemExit(f"{method} {path} was answered {answer.status}: {text!r}")
        found: dict[str, Any] = json.loads(text)
        return found
    finally:
        connection.close()


def _memory(system: System) -> float:
    """Return the megabytes of the web's processes."""
    total = 0
    for process in psutil.Process(system.pid).children(recursive=True):
        if "tilework.web.server" in process.cmdline():
            total += process.memory_info().rss
    return total / 1e6


if __name__ == "__main__":
    main()
