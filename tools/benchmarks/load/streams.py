"""Many event streams of waiting jobs, and what they cost the web process."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from typing import BinaryIO, Final

from tilework.core.model.states import Queue
from tools.benchmarks.harness.boards import random_board
from tools.benchmarks.harness.report import Figure, quantiles
from tools.benchmarks.harness.system import System
from tools.benchmarks.harness.timing import measure_ms

STREAMS: Final = 1_000
_TOKEN: Final = "benchmark"
SETTINGS: Final = {
    "operator_token": _TOKEN,
    "max_streams": 2 * STREAMS,
    "max_streams_per_client": 2 * STREAMS,
    "max_streams_of_one": 2 * STREAMS,
    "max_connections_of_one": 2 * STREAMS,
}
_JOBS: Final = 50
_POLLS: Final = 200


def measure_streams(system: System, seconds: float) -> Iterator[Figure]:
    client = system.client()
    operator = system.client()
    operator.expect((303,), "GET", f"/operator?token={_TOKEN}")
    operator.expect((204,), "PUT", f"/api/v1/operator/suspensions/queue/{Queue.INTERACTIVE}")
    jobs = [client.submit(random_board(4, seed)) for seed in range(_JOBS)]
    [web] = [process for name, process in system.processes() if name == "web"]
    polls = [measure_ms(lambda: client.read(jobs[0])) for _ in range(_POLLS)]
    yield from quantiles("poll, without streams", polls)
    initial_bytes = web.memory_info().rss
    when = f"with {STREAMS:,} streams of {_JOBS} waiting jobs"
    with ExitStack() as stack:
        started = time.perf_counter()
        streams = [
            stack.enter_context(_open_stream(system.server, jobs[number % _JOBS]["id"]))
            for number in range(STREAMS)
        ]
        yield Figure("opening a stream", 1_000 * (time.perf_counter() - started) / STREAMS, "ms")
        times = web.cpu_times()
        time.sleep(seconds)
        new_times = web.cpu_times()
        processor_s = new_times.user + new_times.system - times.user - times.system
        yield Figure(f"web process {when}", 100 * processor_s / seconds, "% of a core")
        megabytes = (web.memory_info().rss - initial_bytes) / 1e6
        yield Figure(f"memory of the web process {when}, more", megabytes, "MB")
        polls = [measure_ms(lambda: client.read(jobs[0])) for _ in range(_POLLS)]
        yield from quantiles(f"poll, {when}", polls)
        client.cancel(jobs[0])
        delay_ms = measure_ms(lambda: _read_events(streams[::_JOBS]))
        yield Figure("the end of a job, until all its streams report it", delay_ms, "ms")


def _open_stream(server: str, job_id: str) -> BinaryIO:
    """Return a stream whose first event has been read."""
    host, _, port = server.partition(":")
    with socket.create_connection((host, int(port))) as connection:
        path = f"/api/v1/jobs/{job_id}/events?brief=true"
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: {server}\r\n\r\n".encode())
        stream = connection.makefile("rb")
    _read_events([stream])
    return stream


def _read_events(streams: Sequence[BinaryIO]) -> None:
    """Read one event of each stream."""
    for stream in streams:
        while not (line := stream.readline()).startswith(b"id: "):
            if not line:
                raise SystemExit("a stream ended without an event")
