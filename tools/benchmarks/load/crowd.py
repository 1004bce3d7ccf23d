"""Many clients in one process of their own, which says what it took itself."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from multiprocessing import get_context
from random import Random
from typing import Final

import uvloop

from tools.benchmarks.load.acts import SOLVED, Act, Known, ended
from tools.benchmarks.load.boards import random_board, small_boards
from tools.benchmarks.load.wire import Caller, RefusedError, Tally, opened

_SEED: Final = 20261122
_RETURN_S: Final = 0.5

# Of the process of clients, which lasts: no board comes twice.
_small: Final = small_boards(Random(_SEED))


@dataclass(frozen=True)
class Crowd:
    """So many connections, each a client of its own, for so long.

    Attributes
    ----------
    pause_s : float
        Mean pause of a client between two things it does.
    """

    connections: int
    seconds: float
    pause_s: float = 0.0


class Clients:
    """The process of clients, as others see it.

    Parameters
    ----------
    server : str
        ``host:port``.
    """

    def __init__(self, pool: ProcessPoolExecutor, server: str) -> None:
        self._pool = pool
        self._server = server

    def go(self, act: Act, crowd: Crowd) -> Future[Tally]:
        """Have clients do something again and again."""
        return self._pool.submit(_go, self._server, act, crowd)

    def boards(self, count: int) -> list[list[int]]:
        """Return 3×3 boards that none of these clients has posted or will post."""
        return self._pool.submit(_take, count).result()


@contextmanager
def clients_of(server: str) -> Iterator[Clients]:
    """Start the process and end it."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        yield Clients(pool, server)


def _take(count: int) -> list[list[int]]:
    return list(islice(_small, count))


def _go(server: str, act: Act, crowd: Crowd) -> Tally:
    return uvloop.run(_crowded(server, act, crowd))


async def _crowded(server: str, act: Act, crowd: Crowd) -> Tally:
    tally = Tally()
    first = await _opened(server, tally)
    known = await _known(first)
    callers = [first, *[await _opened(server, tally) for _ in range(crowd.connections - 1)]]
    processor, began = time.process_time(), time.perf_counter()
    until = began + crowd.seconds
    await asyncio.gather(
        *(_repeated(caller, act, known, until, crowd.pause_s) for caller in callers)
    )
    tally.seconds = time.perf_counter() - began
    tally.processor_s = time.process_time() - processor
    for caller in callers:
        caller.connection.close()
    return tally


async def _opened(server: str, tally: Tally) -> Caller:
    caller = await opened(server, tally)
    await ended(caller, {"board": SOLVED})  # brings the cookie
    return caller


async def _known(caller: Caller) -> Known:
    random = Random(_SEED)
    board = random_board(4, random)
    job = await ended(caller, {"board": board})
    address = job["links"]["self"]
    answer = await caller.expect((200,), "GET", address)
    return Known(board, address, answer.header("ETag") or "", _small, random)


async def _repeated(caller: Caller, act: Act, known: Known, until: float, pause_s: float) -> None:
    while time.perf_counter() < until:
        try:
            await act(caller, known)
        except RefusedError as refused:
            caller.tally.errors[str(refused)] += 1
        except OSError as error:
            caller.tally.errors[f"connection lost: {error}"] += 1
            await asyncio.sleep(_RETURN_S)
            caller.connection = (await opened(caller.server, caller.tally)).connection
        if pause_s:
            await asyncio.sleep(known.random.uniform(0, 2 * pause_s))
