"""Many clients in one process of their own, a thread each, which says what it took itself."""

from __future__ import annotations

import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing import get_context
from random import Random
from typing import Final, NamedTuple

from tilework.core.puzzle.board import Board
from tools.benchmarks.harness.boards import distinct_boards, goal_of, random_board
from tools.benchmarks.harness.client import Client, RefusedError
from tools.benchmarks.load.acts import Act, Known

_SEED: Final = 20261122
_RETURN_S: Final = 0.5


class _Shared:
    """Boards that are dealt out to the threads of a process; none comes twice."""

    def __init__(self) -> None:
        self._boards = distinct_boards(3, _SEED)
        self._lock = threading.Lock()

    def __iter__(self) -> Iterator[Board]:
        return self

    def __next__(self) -> Board:
        with self._lock:
            return next(self._boards)


_small: Final = _Shared()


class Crowd(NamedTuple):
    """So many connections, each a client of its own, for so long, with pauses of a mean length."""

    connections: int
    seconds: float
    pause_s: float = 0.0


@dataclass
class Tally:
    """What one process of clients saw: milliseconds by what was done, errors by what they were."""

    times: dict[str, list[float]] = field(default_factory=dict)
    errors: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    processor_s: float = 0.0


Mix = Mapping[str, tuple[Act, int]]
"""By its name what clients do, and how often beside the others."""


class Clients:
    """The process of clients of a server, as others see it."""

    def __init__(self, pool: ProcessPoolExecutor, server: str) -> None:
        self._pool = pool
        self._server = server

    def go(self, mix: Mix, crowd: Crowd) -> Future[Tally]:
        return self._pool.submit(_go, self._server, mix, crowd)

    def boards(self, count: int) -> list[list[int]]:
        """Return 3×3 boards that none of these clients has posted or will post."""
        return self._pool.submit(_take, count).result()


@contextmanager
def clients_of(server: str) -> Iterator[Clients]:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        yield Clients(pool, server)


def _take(count: int) -> list[list[int]]:
    return [board.cells.tolist() for board in islice(_small, count)]


def _new_client(server: str) -> Client:
    client = Client(server)
    client.submit(goal_of(3))  # brings the cookie
    return client


def _go(server: str, mix: Mix, crowd: Crowd) -> Tally:
    tally, times = Tally(), defaultdict(list)
    names, weights = list(mix), [weight for _, weight in mix.values()]
    clients = [_new_client(server) for _ in range(crowd.connections)]
    known = _known(clients[0])
    processor, began = time.process_time(), time.perf_counter()
    until = began + crowd.seconds

    def repeat(client: Client) -> None:
        while (now := time.perf_counter()) < until:
            [name] = known.random.choices(names, weights)
            try:
                mix[name][0](client, known)
                times[name].append(1_000 * (time.perf_counter() - now))
            except RefusedError as refused:
                tally.errors[str(refused)] += 1
            except OSError as error:
                tally.errors[f"connection lost: {error}"] += 1
                time.sleep(_RETURN_S)
            if crowd.pause_s:
                time.sleep(known.random.uniform(0, 2 * crowd.pause_s))

    with ThreadPoolExecutor(crowd.connections) as pool:
        list(pool.map(repeat, clients))
    tally.times = dict(times)
    tally.seconds = time.perf_counter() - began
    tally.processor_s = time.process_time() - processor
    for client in clients:
        client.close()
    return tally


def _known(client: Client) -> Known:
    board = random_board(4, _SEED)
    address = client.solve(board)["links"]["self"]
    etag = client.expect((200,), "GET", address).headers.get("etag", "")
    return Known(board, address, etag, _small, Random(_SEED))
