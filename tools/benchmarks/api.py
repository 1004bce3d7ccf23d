"""The service as its clients see it: times of answers and throughput over HTTP.

By default a whole system is started for it; ``--server host:port`` measures one that runs (its
rate limit must allow some thousands of requests a minute).
"""

from __future__ import annotations

import argparse
import http.client
import json
import socket
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from itertools import islice
from multiprocessing import get_context
from typing import Any

import numpy as np

from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.canonical import canonicalize
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.scramble import scramble
from tools.benchmarks.report import Figure, record
from tools.benchmarks.system import running_system

SEED = 20260107
CACHED_POSTS = 1_000
SMALL_JOBS = 200
LARGE_JOBS = 100
THROUGHPUT_JOBS = 2_000
ROUNDS = 3
SUBMITTERS = 4
POLLERS = 2
POLL_CONNECTIONS = 4
POLL_SECONDS = 5.0
SETTLE_S = 10.0  # the first worker answers while the others still load

SMALL, LARGE = Size(3, 3), Size(4, 4)


class Client:
    """One kept connection; remembers its cookie."""

    def __init__(self, server: str) -> None:
        self._connection = http.client.HTTPConnection(server, timeout=60)
        self._headers = {"Content-Type": "application/json"}

    def post(self, board: Board, goal: Board | None = None) -> dict[str, Any]:
        """Submit a board; the goal has its blank last where none is given."""
        request = {"board": board.cells.tolist()}
        if goal is not None:
            request["goal"] = goal.cells.tolist()
        return self.ask("POST", "/api/v1/jobs", json.dumps(request))

    def end(self, job: dict[str, Any]) -> dict[str, Any]:
        """Long-poll a job until it has ended."""
        while job["finished_at"] is None:
            job = self.ask("GET", f"/api/v1/jobs/{job['id']}?wait=20")
        return job

    def look(self, job: dict[str, Any]) -> dict[str, Any]:
        """Return a job as it stands."""
        return self.ask("GET", f"/api/v1/jobs/{job['id']}")

    def cancel(self, job: dict[str, Any]) -> dict[str, Any]:
        """Cancel a job of this client."""
        return self.ask("DELETE", f"/api/v1/jobs/{job['id']}")

    def jobs(self) -> Iterator[dict[str, Any]]:
        """Yield all jobs of this client, newest first."""
        address: str | None = "/api/v1/jobs?limit=200"
        while address:
            page = self.ask("GET", address)
            yield from page["jobs"]
            address = page["next"]

    def post_batch(self, boards: Sequence[Board]) -> dict[str, Any]:
        """Submit many boards at once."""
        body = json.dumps([board.cells.tolist() for board in boards])
        return self.ask("POST", "/api/v1/batches", body)

    def end_of_batch(self, batch: dict[str, Any]) -> dict[str, Any]:
        """Poll a batch until it has ended."""
        while not batch["finished"]:
            time.sleep(0.05)
            batch = self.ask("GET", batch["links"]["self"])
        return batch

    def ask(self, method: str, path: str, body: str | None = None) -> dict[str, Any]:
        """Send a request and return the document of its answer; any error ends the program."""
        self._connection.request(method, path, body, self._headers)
        answer = self._connection.getresponse()
        words = answer.read()
        if answer.status not in (200, 202):
            raise SystemExit(f"{method} {path} was answered {answer.status}: {words!r}")
        cookie = answer.headers.get("Set-Cookie")
        if cookie:
            self._headers["Cookie"] = cookie.split(";")[0]
        found: dict[str, Any] = json.loads(words)
        return found


def main() -> None:
    """Measure everything and record it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--server", help="host:port of a running system")
    arguments = parser.parse_args()
    with _system(arguments.server) as server:
        figures = measure(server)
    record(
        "api",
        figures,
        notes="Client and the whole system share the machine; one web process. "
        "The rate limit is lifted, everything else is as `tilework up` has it.",
    )


@contextmanager
def _system(server: str | None) -> Iterator[str]:
    if server:
        yield server
    else:
        with running_system(rate_limit="1000000/minute") as started:
            yield started


def measure(server: str) -> list[Figure]:
    """Measure a system; boards are new to it where it has not been measured before."""
    client = Client(server)
    random = np.random.default_rng(SEED)
    small = iter(_distinct(SMALL, SMALL_JOBS + 2 * ROUNDS * THROUGHPUT_JOBS, random))
    waited = list(islice(small, SMALL_JOBS))
    for size in (SMALL, LARGE):  # a first board of each size may load tables
        client.end(client.post(scramble(size, blank_last(size), seed=1)))
    time.sleep(SETTLE_S)
    return [
        *_cached(client),
        *_uncached(client, waited, "3×3", 25, None),
        *_uncached(client, _distinct(LARGE, LARGE_JOBS, random), "4×4", 60, 3_000),
        _middle(lambda: _polling(server, client)),
        _middle(lambda: _throughput(server, list(islice(small, THROUGHPUT_JOBS)))),
        _middle(lambda: _batch(server, list(islice(small, THROUGHPUT_JOBS)))),
    ]


def _middle(measure_once: Callable[[], Figure]) -> Figure:
    """Measure a rate several times and return the median: it follows the machine's moods."""
    return sorted((measure_once() for _ in range(ROUNDS)), key=lambda one: one.value)[ROUNDS // 2]


def _cached(client: Client) -> list[Figure]:
    board = scramble(LARGE, blank_last(LARGE), seed=1)
    times = []
    for _ in range(CACHED_POSTS):
        began = time.perf_counter()
        job = client.post(board)
        times.append(_ms_since(began))
        if not job["cached"] or job["moves"] is None:
            raise SystemExit("a known board was not answered at once")
    return [
        Figure("cached 4×4, POST to 200, median", statistics.median(times), "ms", 6),
        Figure("cached 4×4, POST to 200, 99th percentile", _percentile(times, 99), "ms", 30),
    ]


def _uncached(
    client: Client, boards: Sequence[Board], name: str, bar: float, worst_bar: float | None
) -> list[Figure]:
    times = []
    for board in boards:
        began = time.perf_counter()
        job = client.end(client.post(board))
        times.append(_ms_since(began))
        if job["state"] != "optimal":
            raise SystemExit(f"{board!r} ended {job['state']}")
    what = f"uncached {name}, POST to optimal by long-poll"
    return [
        Figure(f"{what}, median of {len(times)}", statistics.median(times), "ms", bar),
        Figure(f"{what}, worst of {len(times)}", max(times), "ms", worst_bar),
    ]


def _polling(server: str, client: Client) -> Figure:
    board = scramble(LARGE, blank_last(LARGE), seed=1)
    path = f"/api/v1/jobs/{client.post(board)['id']}"
    with ProcessPoolExecutor(POLLERS, mp_context=get_context("spawn")) as pool:
        counts = list(pool.map(_poll, [server] * POLLERS, [path] * POLLERS))
    rate = sum(counts) / POLL_SECONDS
    return Figure("GET /jobs/{id}, one web process", rate, "requests/s", 1_500, at_most=False)


def _poll(server: str, path: str) -> int:
    """Ask over several connections in turn: each has a request under way all the time."""
    host, _, port = server.partition(":")
    connections = [socket.create_connection((host, int(port))) for _ in range(POLL_CONNECTIONS)]
    request = f"GET {path} HTTP/1.1\r\nHost: {server}\r\n\r\n".encode()
    length = _answer_length(connections[0], request)
    for connection in connections:
        connection.sendall(request)
    count = 0
    end = time.perf_counter() + POLL_SECONDS
    while time.perf_counter() < end:
        for connection in connections:
            _receive(connection, length)
            connection.sendall(request)
            count += 1
    for connection in connections:
        connection.close()
    return count


def _answer_length(connection: socket.socket, request: bytes) -> int:
    connection.sendall(request)
    answer = b""
    while b"\r\n\r\n" not in answer:
        answer += connection.recv(65_536)
    head, _, _ = answer.partition(b"\r\n\r\n")
    if not head.startswith(b"HTTP/1.1 200"):
        raise SystemExit(f"a poll was answered {head.splitlines()[0]!r}")
    body = next(
        int(line.split(b":")[1])
        for line in head.splitlines()
        if line.lower().startswith(b"content-length:")
    )
    length = len(head) + 4 + body
    _receive(connection, length - len(answer))
    return length


def _receive(connection: socket.socket, length: int) -> None:
    while length > 0:
        length -= len(connection.recv(65_536))


def _throughput(server: str, boards: Sequence[Board]) -> Figure:
    parts = [
        [board.cells.tolist() for board in boards[start::SUBMITTERS]] for start in range(SUBMITTERS)
    ]
    with ProcessPoolExecutor(SUBMITTERS, mp_context=get_context("spawn")) as pool:
        list(pool.map(_warm, [server] * SUBMITTERS))
        began = time.perf_counter()
        list(pool.map(_solve_all, [server] * SUBMITTERS, parts))
        seconds = time.perf_counter() - began
    what = f"{len(boards)} distinct 3×3 jobs, each its own POST, to the last optimum"
    return Figure(what, len(boards) / seconds, "jobs/s", 200, at_most=False)


def _batch(server: str, boards: Sequence[Board]) -> Figure:
    client = Client(server)
    began = time.perf_counter()
    batch = client.end_of_batch(client.post_batch(boards))
    seconds = time.perf_counter() - began
    if batch["states"] != {"optimal": len(boards)}:
        raise SystemExit(f"the batch ended {batch['states']}")
    what = f"{len(boards)} distinct 3×3 jobs in one batch, to the last optimum"
    return Figure(what, len(boards) / seconds, "jobs/s", 200, at_most=False)


def _warm(server: str) -> None:
    Client(server).post(blank_last(SMALL))


def _solve_all(server: str, boards: list[list[int]]) -> None:
    client = Client(server)
    for cells in boards:
        client.post(Board(cells))
    while not all(job["state"] == "optimal" for job in client.jobs()):
        time.sleep(0.05)


def _distinct(size: Size, count: int, random: np.random.Generator) -> list[Board]:
    """Random boards of which no two are the same puzzle."""
    goal = blank_last(size)
    found: dict[str, Board] = {}
    while len(found) < count:
        board = scramble(size, goal, seed=int(random.integers(2**32)))
        found.setdefault(canonicalize(board, goal).key, board)
    return list(found.values())


def _ms_since(began: float) -> float:
    return (time.perf_counter() - began) * 1_000


def _percentile(times: Sequence[float], percent: int) -> float:
    return float(np.percentile(times, percent))


if __name__ == "__main__":
    main()
