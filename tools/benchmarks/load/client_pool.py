"""Many clients, each in its own thread of one separate process."""

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
from tools.benchmarks.harness.boards import distinct_boards, random_board, square_goal
from tools.benchmarks.harness.client import Client, UnexpectedResponseError
from tools.benchmarks.load.client_actions import Action, Targets

_SEED: Final = 20261122
_RECONNECT_S: Final = 0.5


class _DistinctBoards:
    """Different 3×3 boards, for all threads of the process."""

    def __init__(self) -> None:
        self._boards = distinct_boards(3, _SEED)
        self._lock = threading.Lock()

    def __iter__(self) -> Iterator[Board]:
        return self

    def __next__(self) -> Board:
        with self._lock:
            return next(self._boards)


_boards_3x3: Final = _DistinctBoards()


class Load(NamedTuple):
    """The number of clients, each with one connection, their duration, and their mean pause."""

    connections: int
    seconds: float
    pause_s: float = 0.0


@dataclass
class Tally:
    """The milliseconds by action and the errors by message that all clients recorded."""

    times: dict[str, list[float]] = field(default_factory=dict)
    errors: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    processor_s: float = 0.0


Mix = Mapping[str, tuple[Action, int]]
"""Actions by name, with their weights."""


class ClientPool:
    """The process with the clients of a server."""

    def __init__(self, pool: ProcessPoolExecutor, server: str) -> None:
        self._pool = pool
        self._server = server

    def start(self, mix: Mix, load: Load) -> Future[Tally]:
        return self._pool.submit(_run_clients, self._server, mix, load)

    def take_boards(self, count: int) -> list[list[int]]:
        """Return 3×3 boards that no client posts."""
        return self._pool.submit(_take_boards, count).result()


@contextmanager
def client_pool(server: str) -> Iterator[ClientPool]:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        yield ClientPool(pool, server)


def _take_boards(count: int) -> list[list[int]]:
    return [board.cells.tolist() for board in islice(_boards_3x3, count)]


def _make_client(server: str) -> Client:
    client = Client(server)
    client.submit(square_goal(3))  # sets the cookie
    return client


def _run_clients(server: str, mix: Mix, load: Load) -> Tally:
    tally, times = Tally(), defaultdict(list)
    names, weights = list(mix), [weight for _, weight in mix.values()]
    clients = [_make_client(server) for _ in range(load.connections)]
    targets = _make_targets(clients[0])
    started_processor, started = time.process_time(), time.perf_counter()
    end = started + load.seconds

    def repeat(client: Client) -> None:
        while (now := time.perf_counter()) < end:
            [name] = targets.rng.choices(names, weights)
            try:
                mix[name][0](client, targets)
                times[name].append(1_000 * (time.perf_counter() - now))
            except UnexpectedResponseError as error:
                tally.errors[str(error)] += 1
            except OSError as error:
                tally.errors[f"connection lost: {error}"] += 1
                time.sleep(_RECONNECT_S)
            if load.pause_s:
                time.sleep(targets.rng.uniform(0, 2 * load.pause_s))

    with ThreadPoolExecutor(load.connections) as pool:
        list(pool.map(repeat, clients))
    tally.times = dict(times)
    tally.seconds = time.perf_counter() - started
    tally.processor_s = time.process_time() - started_processor
    for client in clients:
        client.close()
    return tally


def _make_targets(client: Client) -> Targets:
    board = random_board(4, _SEED)
    path = client.solve(board)["links"]["self"]
    etag = client.expect((200,), "GET", path).headers.get("etag", "")
    return Targets(board, path, etag, _boards_3x3, Random(_SEED))
