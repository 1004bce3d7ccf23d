"""Clients that mean ill: bodies that cost more than they seem to, and connections left waiting.

Usage: python -m tools.benchmarks.hostile [--parts bodies stalled] [--only WORD]
           [--connections 1000] [--seconds 30]

``bodies``: the processor time and memory of the web for the worst bodies (`hostile_bodies`), each
given to the application in a process of its own, without a server; the worst of the addresses that
read it counts. ``stalled``: what other clients notice of a thousand that let the server wait, and
what they cost; these come from one address of this machine and the others from another, and who is
cut off comes again. A third each: heads and bodies sent a byte a second, answers not taken.
"""

from __future__ import annotations

import gc
import io
import multiprocessing
import select
import socket
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from itertools import count
from multiprocessing.connection import Connection as Pipe
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, Final

from flask import Flask

from tilework.core.assembly import make_services
from tilework.core.services.ports import NoTickets
from tilework.core.settings import Settings
from tilework.core.storage.schema import upgrade
from tilework.web.app import create_app
from tools.benchmarks.harness.boards import random_board
from tools.benchmarks.harness.client import Client
from tools.benchmarks.harness.report import Figure, at_least, run
from tools.benchmarks.harness.system import UNLIMITED, System, running_system, settle
from tools.benchmarks.harness.timing import ms_of
from tools.benchmarks.hostile_bodies import HONEST, KINDS, Kind

BODY_MS: Final = 50
BODY_MB: Final = 50
TRIES: Final = 3

STALLED_MS: Final = 250
STALLED_MB: Final = 200
POLLERS: Final = 500
POLL_S: Final = 5
PAUSE_S: Final = 0.1
OTHER: Final = ("127.0.0.2", 0)
"""Where the clients come from that mean well."""

_DRIP_S: Final = 1.0
_SMALL_WINDOW: Final = 4_096
_PATIENCE_S: Final = 60.0
_GONE: Final = select.POLLHUP | select.POLLERR | select.POLLNVAL | select.POLLRDHUP


def bodies(only: str) -> Iterator[Figure]:
    with TemporaryDirectory() as folder:
        settings = Settings.model_validate({"data_dir": folder, "rate_limit": "1000000/second"})
        upgrade(settings.database)
        app = create_app(settings, make_services(settings, NoTickets()))
        client = app.test_client()
        for kind in (*KINDS, *HONEST):  # imports, and templates compiled
            client.post(kind.paths[0], data="1", content_type=kind.content_type)
        for kinds, bars in ((KINDS, (BODY_MS, BODY_MB)), (HONEST, (None, None))):
            for kind in kinds:
                if only in kind.name:
                    body = kind.make().encode()
                    costs = [_least_cost(app, path, kind, body) for path in kind.paths]
                    ms, megabytes = (max(values) for values in zip(*costs, strict=True))
                    yield Figure(kind.name, ms, "ms", bars[0])
                    yield Figure(f"{kind.name}: memory", megabytes, "MB", bars[1])


def _least_cost(app: Flask, path: str, kind: Kind, body: bytes) -> tuple[float, float]:
    """Return milliseconds and megabytes of a request: the least of some tries, until one is well.

    Others share the machine's caches, if not its processors.
    """
    fork, found = multiprocessing.get_context("fork"), []
    for _ in range(TRIES):
        ours, theirs = fork.Pipe(duplex=False)
        process = fork.Process(target=_request, args=(app, path, kind, body, theirs))
        process.start()
        found.append(ours.recv())
        process.join()
        if found[-1][0] <= BODY_MS:
            break
    return min(ms for ms, _ in found), min(megabytes for _, megabytes in found)


def _request(app: Flask, path: str, kind: Kind, body: bytes, pipe: Pipe) -> None:
    with app.test_request_context(
        path,
        method="POST",
        input_stream=io.BytesIO(body),
        content_type=kind.content_type,
        content_length=len(body),
        environ_base={"REMOTE_ADDR": "127.0.0.1"},
    ) as context:
        environ = context.request.environ
    gc.collect()
    Path("/proc/self/clear_refs").write_text("5")  # forget what was needed before
    before, began = _high_water(), time.process_time()
    for _ in app.wsgi_app(environ, lambda *_: lambda _: None):
        pass
    pipe.send((1_000 * (time.process_time() - began), (_high_water() - before) / 1e6))


def _high_water() -> int:
    """Return the most bytes of memory that this process has had."""
    lines = Path("/proc/self/status").read_text().splitlines()
    [line] = [line for line in lines if line.startswith("VmHWM")]
    return int(line.split()[1]) * 1_024


def stalled(connections: int, seconds: float) -> Iterator[Figure]:
    with running_system(**UNLIMITED, pdb_build=False) as system:
        settle(system, 3)
        client, seeds = Client(system.server, source=OTHER), count(1)
        large = client.solve(random_board(90, 1), time_limit_s=5)
        whom = "nobody stalls"
        healthz, solves = _times(client, seconds / 3, seeds)
        yield Figure(f"/healthz, {whom}, worst", max(healthz), "ms")
        yield Figure(f"3×3, POST to optimal, {whom}, worst", max(solves), "ms")
        before = _memory(system)
        yield Figure("memory of the web before", before, "MB")
        whom = f"beside {connections} stalled connections"
        with _stalling(system, f"/api/v1/jobs/{large['id']}/solution", connections) as open_now:
            healthz, solves = _times(client, seconds, seeds)
            polled = _polls(system)
            yield Figure(f"/healthz {whom}, median", median(healthz), "ms", STALLED_MS)
            yield Figure(f"/healthz {whom}, worst", max(healthz), "ms", STALLED_MS)
            yield Figure(f"3×3, POST to optimal, {whom}, worst", max(solves), "ms", STALLED_MS)
            what = "stalled connections open at the end"
            yield at_least(what, open_now(), "", 0.9 * connections)
            what = f"long polls of {POLLERS} clients {whom}, answered"
            yield at_least(what, polled, "", POLLERS)
            yield Figure(f"memory of the web {whom}", _memory(system), "MB", before + STALLED_MB)


def _times(client: Client, seconds: float, seeds: Iterator[int]) -> tuple[list[float], list[float]]:
    healthz: list[float] = []
    solves: list[float] = []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        healthz.append(ms_of(lambda: client.get("/healthz")))
        board = random_board(3, next(seeds))
        solves.append(ms_of(lambda: client.solve(board)))  # noqa: B023
        time.sleep(PAUSE_S)
    return healthz, solves


def _polls(system: System) -> int:
    """Return how many of the clients that wait for a job at once are answered."""
    job = Client(system.server, source=OTHER).submit(random_board(5, 1), time_limit_s=60)

    def poll(_number: int) -> bool:
        with suppress(OSError), closing(Client(system.server, source=OTHER)) as client:
            return bool(client.get(f"{job['links']['self']}?wait={POLL_S}")["id"] == job["id"])
        return False

    with ThreadPoolExecutor(POLLERS) as pool:
        return sum(pool.map(poll, range(POLLERS)))


def _memory(system: System) -> float:
    web = [process.memory_info().rss for name, process in system.processes() if name == "web"]
    return float(sum(web)) / 1e6


@contextmanager
def _stalling(system: System, unread: str, wanted: int) -> Iterator[Callable[[], int]]:
    """Keep connections stalled, from a process of its own; yield what says how many are open."""
    spawn = multiprocessing.get_context("spawn")
    still_open = spawn.Value("i", 0)
    process = spawn.Process(target=_stall, args=(system.server, unread, wanted, still_open))
    process.start()
    deadline = time.monotonic() + _PATIENCE_S
    while still_open.value < 0.9 * wanted and time.monotonic() < deadline:
        time.sleep(PAUSE_S)
    try:
        yield lambda: still_open.value
    finally:
        process.terminate()
        process.join()


def _stall(server: str, unread: str, wanted: int, still_open: Any) -> None:
    """Stall for ever, and say after each round how many connections are open."""
    host, _, port = server.partition(":")
    starts = (
        f"GET /healthz HTTP/1.1\r\nHost: {server}\r\nX-Slow: ",
        f"POST /api/v1/jobs HTTP/1.1\r\nHost: {server}\r\nContent-Type: application/json\r\n"
        'Content-Length: 1000000\r\n\r\n{"board": "1 2 3 4 5 6 7 8 0',
        f"GET {unread} HTTP/1.1\r\nHost: {server}\r\n\r\n",
    )
    poll, kinds, dripped = select.poll(), count(), time.monotonic()
    connections: dict[int, tuple[socket.socket, bytes]] = {}
    while True:
        while len(connections) < wanted:
            kind, made = next(kinds) % 3, socket.socket()
            made.settimeout(5.0)
            if kind == 2:
                made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _SMALL_WINDOW)
            try:
                made.connect((host, int(port)))
                made.sendall(starts[kind].encode())
            except OSError:
                made.close()
                break
            made.setblocking(False)
            connections[made.fileno()] = made, b"x" if kind < 2 else b""
            poll.register(made.fileno(), select.POLLRDHUP)
        for descriptor, what in poll.poll(1_000 * PAUSE_S):
            if what & _GONE:
                poll.unregister(descriptor)
                connections.pop(descriptor)[0].close()
        if time.monotonic() - dripped > _DRIP_S:
            dripped = time.monotonic()
            for made, drip in connections.values():
                with suppress(OSError):
                    made.send(drip)
        still_open.value = len(connections)


if __name__ == "__main__":
    run(
        "hostile",
        __doc__,
        {
            "bodies": lambda o: bodies(o.only),
            "stalled": lambda o: stalled(o.connections, o.seconds),
        },
        f"Bodies: processor time, the least of up to {TRIES}, and memory beyond the body itself, "
        "which is up to 8 MiB; honest bodies take what their boards take. Stalled: the server, its "
        "workers and all clients share the machine.",
        only="",
        connections=1_000,
        seconds=30.0,
    )
