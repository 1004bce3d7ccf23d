"""The delay of a webhook while the receivers of another client hang.

One client's 500 jobs have ended, and no receiver answers their calls: they hang on another host
than the calls of a second client, and then on the same one. The second client measures how long
its calls take from the answer to its request.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from queue import Queue
from statistics import median
from typing import Final

from tools.benchmarks.harness.client import JOBS, Client
from tools.benchmarks.harness.report import Figure, run
from tools.benchmarks.harness.system import UNLIMITED, running_system, settle

DELAY_MS: Final = 2_000
BOARD: Final = [1, 2, 3, 4, 5, 6, 0, 7, 8]

_HANG: Final = "/hang"
_LIMIT_S: Final = 120.0


class Receiver:
    """Answers calls, except those to `_HANG`; ``arrivals`` has the times of the others."""

    def __init__(self) -> None:
        self.arrivals: Queue[float] = Queue()
        self.url = ""

    async def listen(self) -> None:
        server = await asyncio.start_server(self._receive, "127.0.0.1", 0, backlog=1_000)
        self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"

    async def _receive(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        _, path, *_ = (await reader.readline()).decode().split()
        if path.startswith(_HANG):
            await reader.read()  # until the service gives up
        else:
            self.arrivals.put(time.perf_counter())
            writer.write(b"HTTP/1.1 204 No Content\r\n\r\n")
        writer.close()


def measure(hanging: int, calls: int) -> Iterator[Figure]:
    with _running_receivers(2) as (receiver, other):
        for host, slow in (("another host", other), ("the same host", receiver)):
            hosts = f"{receiver.url} {other.url}"
            with running_system(
                **UNLIMITED, pdb_build=False, callback_hosts=hosts, callback_secret="benchmark"
            ) as system:
                settle(system, 3)
                hostile, client = system.client(), system.client()
                _measure_delays(client, receiver, 1)  # solves the board
                alone = _measure_delays(client, receiver, calls)
                label = f"delay of a webhook before others hang on {host}, median"
                yield Figure(label, median(alone), "ms")
                for number in range(hanging):
                    url = f"{slow.url}{_HANG}/{number}"
                    hostile.post(JOBS, {"board": BOARD, "callback_url": url})
                delays = _measure_delays(client, receiver, calls)
                label = f"delay of a webhook beside {hanging} that hang on {host}"
                yield Figure(f"{label}, median", median(delays), "ms", DELAY_MS)
                yield Figure(f"{label}, worst", max(delays), "ms", DELAY_MS)


def _measure_delays(client: Client, receiver: Receiver, calls: int) -> list[float]:
    delays = []
    for number in range(calls):
        body = {"board": BOARD, "callback_url": f"{receiver.url}/answer/{number}"}
        client.post(JOBS, body)
        answered = time.perf_counter()
        delays.append(1_000 * (receiver.arrivals.get(timeout=_LIMIT_S) - answered))
    return delays


@contextmanager
def _running_receivers(count: int) -> Iterator[list[Receiver]]:
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    receivers = [Receiver() for _ in range(count)]
    for receiver in receivers:
        asyncio.run_coroutine_threadsafe(receiver.listen(), loop).result()
    yield receivers
    loop.call_soon_threadsafe(loop.stop)
    thread.join()


if __name__ == "__main__":
    run(
        "webhooks",
        __doc__,
        {"": lambda o: measure(o.hanging, o.calls)},
        "The system, its clients and the receivers share the machine.",
        hanging=500,
        calls=20,
    )
