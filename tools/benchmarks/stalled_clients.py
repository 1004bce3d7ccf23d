"""The response times of the service while a thousand connections are stalled.

A third of the connections send headers at one byte per second, a third send a body at this speed,
and a third request a large solution and do not read it. Connections that the server closes are
opened again. Meanwhile, other clients measure how long they wait.
"""

from __future__ import annotations

import multiprocessing
import select
import socket
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from itertools import count
from statistics import median
from typing import Any, Final

from tools.benchmarks.harness.boards import random_board
from tools.benchmarks.harness.client import Client
from tools.benchmarks.harness.report import Figure, at_least, run
from tools.benchmarks.harness.system import UNLIMITED, System, running_system, settle
from tools.benchmarks.harness.timing import measure_ms

HEALTHZ_MS: Final = 100
SMALL_MS: Final = 300
GROWTH_MB: Final = 200
POLLERS: Final = 500
POLL_S: Final = 5
PAUSE_S: Final = 0.1
OTHER_ADDRESS: Final = ("127.0.0.2", 0)
"""Address of the clients that measure; the stalled ones share another, which has a limit."""

_DRIP_INTERVAL_S: Final = 1.0
_SMALL_WINDOW: Final = 4_096
_START_S: Final = 60.0
_CLOSED: Final = select.POLLHUP | select.POLLERR | select.POLLNVAL | select.POLLRDHUP


def measure(connections: int, seconds: float) -> Iterator[Figure]:
    with running_system(**UNLIMITED, pdb_build=False) as system:
        settle(system, 3)
        client, seeds = Client(system.server, source=OTHER_ADDRESS), count(1)
        large = client.solve(random_board(90, 1), time_limit_s=5)
        healthz, solves = _measure_times(client, seconds / 3, seeds)
        yield Figure("/healthz, without stalled connections, worst", max(healthz), "ms")
        yield Figure("3×3, POST to optimal, without stalled connections, worst", max(solves), "ms")
        initial_mb = _measure_web_megabytes(system)
        yield Figure("memory of the web process before", initial_mb, "MB")
        when = f"with {connections} stalled connections"
        solution_path = f"/api/v1/jobs/{large['id']}/solution"
        with _stalled_connections(system.server, solution_path, connections) as count_open:
            healthz, solves = _measure_times(client, seconds, seeds)
            answered = _count_answered_polls(system.server)
            yield Figure(f"/healthz {when}, median", median(healthz), "ms", HEALTHZ_MS)
            yield Figure(f"/healthz {when}, worst", max(healthz), "ms", HEALTHZ_MS)
            yield Figure(f"3×3, POST to optimal, {when}, worst", max(solves), "ms", SMALL_MS)
            label = "stalled connections open at the end"
            yield at_least(label, count_open(), "", 0.9 * connections)
            label = f"long polls of {POLLERS} clients {when}, answered"
            yield at_least(label, answered, "", POLLERS)
            megabytes = _measure_web_megabytes(system)
            yield Figure(
                f"memory of the web process {when}", megabytes, "MB", initial_mb + GROWTH_MB
            )


def _measure_times(
    client: Client, seconds: float, seeds: Iterator[int]
) -> tuple[list[float], list[float]]:
    healthz: list[float] = []
    solves: list[float] = []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        healthz.append(measure_ms(lambda: client.get("/healthz")))
        board = random_board(3, next(seeds))
        solves.append(measure_ms(lambda: client.solve(board)))  # noqa: B023
        time.sleep(PAUSE_S)
    return healthz, solves


def _count_answered_polls(server: str) -> int:
    """Long-poll one job from many clients at the same time; return how many are answered."""
    job = Client(server, source=OTHER_ADDRESS).submit(random_board(5, 1), time_limit_s=60)

    def poll(_number: int) -> bool:
        with suppress(OSError), closing(Client(server, source=OTHER_ADDRESS)) as client:
            return bool(client.get(f"{job['links']['self']}?wait={POLL_S}")["id"] == job["id"])
        return False

    with ThreadPoolExecutor(POLLERS) as pool:
        return sum(pool.map(poll, range(POLLERS)))


def _measure_web_megabytes(system: System) -> float:
    web = [process.memory_info().rss for name, process in system.processes() if name == "web"]
    return float(sum(web)) / 1e6


@contextmanager
def _stalled_connections(
    server: str, solution_path: str, count: int
) -> Iterator[Callable[[], int]]:
    """Run a process with stalled connections; yield a function that counts the open ones."""
    spawn = multiprocessing.get_context("spawn")
    open_count = spawn.Value("i", 0)
    process = spawn.Process(target=_stall, args=(server, solution_path, count, open_count))
    process.start()
    deadline = time.monotonic() + _START_S
    while open_count.value < 0.9 * count and time.monotonic() < deadline:
        time.sleep(PAUSE_S)
    try:
        yield lambda: open_count.value
    finally:
        process.terminate()
        process.join()


def _stall(server: str, solution_path: str, target: int, open_count: Any) -> None:
    """Keep connections stalled until the process is terminated, and store how many are open."""
    host, _, port = server.partition(":")
    starts = (
        f"GET /healthz HTTP/1.1\r\nHost: {server}\r\nX-Slow: ",
        f"POST /api/v1/jobs HTTP/1.1\r\nHost: {server}\r\nContent-Type: application/json\r\n"
        'Content-Length: 1000000\r\n\r\n{"board": "1 2 3 4 5 6 7 8 0',
        f"GET {solution_path} HTTP/1.1\r\nHost: {server}\r\n\r\n",
    )
    poll, kinds, last_drip = select.poll(), count(), time.monotonic()
    connections: dict[int, tuple[socket.socket, bytes]] = {}
    while True:
        while len(connections) < target:
            kind, connection = next(kinds) % 3, socket.socket()
            connection.settimeout(5.0)
            if kind == 2:
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _SMALL_WINDOW)
            try:
                connection.connect((host, int(port)))
                connection.sendall(starts[kind].encode())
            except OSError:
                connection.close()
                break
            connection.setblocking(False)
            connections[connection.fileno()] = connection, b"x" if kind < 2 else b""
            poll.register(connection.fileno(), select.POLLRDHUP)
        for descriptor, events in poll.poll(1_000 * PAUSE_S):
            if events & _CLOSED:
                poll.unregister(descriptor)
                connections.pop(descriptor)[0].close()
        if time.monotonic() - last_drip > _DRIP_INTERVAL_S:
            last_drip = time.monotonic()
            for connection, drip in connections.values():
                with suppress(OSError):
                    connection.send(drip)
        open_count.value = len(connections)


if __name__ == "__main__":
    run(
        "stalled_clients",
        __doc__,
        {"": lambda o: measure(o.connections, o.seconds)},
        "The server, its workers and all clients share the machine.",
        connections=1_000,
        seconds=30.0,
    )
