"""The clients of a load: threads in a process of their own, each repeating an action."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing import get_context
from random import Random
from typing import Final

from tilework.core.puzzle.board import Board
from tools.benchmarks.boards import distinct_boards, random_board, square_goal
from tools.benchmarks.client import JOBS, Client, UnexpectedResponseError

_SEED: Final = 20261122
_RECONNECT_S: Final = 0.5


_new_boards: Final = distinct_boards(3, _SEED)
_lock: Final = threading.Lock()


def _take_boards(count: int) -> list[list[int]]:
    """Return 3×3 boards that no thread of this process has taken."""
    with _lock:
        return [board.cells.tolist() for board in islice(_new_boards, count)]


class Targets:
    """The data of requests: a board whose solution is stored, and its job."""

    def __init__(self, client: Client) -> None:
        self.rng = Random(_SEED)
        board = random_board(4, _SEED)
        self.cached_board = board.cells.tolist()
        self.job_path = client.solve(board)["links"]["self"]
        self.etag = client.expect((200,), "GET", self.job_path).headers.get("etag", "")

    def draw_board(self, side: int) -> Board:
        return random_board(side, self.rng.getrandbits(32))


Action = Callable[[Client, Targets], object]


def post_cached_board(client: Client, targets: Targets) -> None:
    client.expect((200,), "POST", JOBS, {"board": targets.cached_board})


def poll_job(client: Client, targets: Targets) -> None:
    client.expect((200,), "GET", targets.job_path)


def poll_unchanged_job(client: Client, targets: Targets) -> None:
    client.expect((304,), "GET", targets.job_path, If_None_Match=targets.etag)


def solve_small_board(client: Client, _targets: Targets) -> None:
    [tiles] = _take_boards(1)
    job = client.solve(Board(tiles))
    if job["state"] != "optimal":
        raise UnexpectedResponseError(f"a 3×3 board ended {job['state']}")


def solve_15_puzzle(client: Client, targets: Targets) -> None:
    job = client.solve(targets.draw_board(4), time_limit_s=20)
    if job["upper_bound"] is not None:
        client.get(job["links"]["solution"])


THROUGHPUT: Final[dict[str, Action]] = {
    "cached posts": post_cached_board,
    "polls of an ended job": poll_job,
    "polls with If-None-Match": poll_unchanged_job,
    "single 3×3": solve_small_board,
    "single 4×4": solve_15_puzzle,
}


@dataclass
class Tally:
    """The milliseconds of an action and the errors by message that all clients recorded."""

    times: list[float] = field(default_factory=list)
    errors: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0


class ClientPool:
    """The process with the clients of a server."""

    def __init__(self, pool: ProcessPoolExecutor, server: str) -> None:
        self._pool = pool
        self._server = server

    def start(
        self, action: Action, connections: int, seconds: float, pause_s: float = 0.0
    ) -> Future[Tally]:
        """Let clients, each with one connection, repeat an action, with a mean pause."""
        return self._pool.submit(_run_clients, self._server, action, connections, seconds, pause_s)

    def take_boards(self, count: int) -> list[list[int]]:
        """Return 3×3 boards that no client posts."""
        return self._pool.submit(_take_boards, count).result()


@contextmanager
def client_pool(server: str) -> Iterator[ClientPool]:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        yield ClientPool(pool, server)


def _run_clients(
    server: str, action: Action, connections: int, seconds: float, pause_s: float
) -> Tally:
    tally = Tally()
    clients = [Client(server) for _ in range(connections)]
    for client in clients:
        client.submit(square_goal(3))  # sets the cookie
    targets = Targets(clients[0])
    started = time.perf_counter()
    end = started + seconds

    def repeat(client: Client) -> None:
        while (now := time.perf_counter()) < end:
            try:
                action(client, targets)
                tally.times.append(1_000 * (time.perf_counter() - now))
            except UnexpectedResponseError as error:
                tally.errors[str(error)] += 1
            except OSError as error:
                tally.errors[f"connection lost: {error}"] += 1
                time.sleep(_RECONNECT_S)
            if pause_s:
                time.sleep(targets.rng.uniform(0, 2 * pause_s))

    with ThreadPoolExecutor(connections) as pool:
        list(pool.map(repeat, clients))
    tally.seconds = time.perf_counter() - started
    for client in clients:
        client.close()
    return tally
