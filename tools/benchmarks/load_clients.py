"""The clients of a load: threads in a process of their own, each repeating actions by weight."""

from __future__ import annotations

import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing import get_context
from random import Random
from typing import Final, NamedTuple

from tilework.core.puzzle.board import Board
from tools.benchmarks.boards import distinct_boards, random_board, square_goal
from tools.benchmarks.client import JOBS, Client, UnexpectedResponseError

SMALL: Final = "3×3, POST to optimal"
_SEED: Final = 20261122
_RECONNECT_S: Final = 0.5


class _DistinctBoards:
    """Different 3×3 boards, for all threads of the process."""

    def __init__(self) -> None:
        self._boards = distinct_boards(3, _SEED)
        self._lock = threading.Lock()

    def take(self, count: int) -> list[list[int]]:
        with self._lock:
            return [board.cells.tolist() for board in islice(self._boards, count)]


_new_boards: Final = _DistinctBoards()


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
Mix = Mapping[str, tuple[Action, int]]
"""Actions by name, with their weights."""


def post_cached_board(client: Client, targets: Targets) -> None:
    client.expect((200,), "POST", JOBS, {"board": targets.cached_board})


def poll_job(client: Client, targets: Targets) -> None:
    client.expect((200,), "GET", targets.job_path)


def poll_unchanged_job(client: Client, targets: Targets) -> None:
    client.expect((304,), "GET", targets.job_path, If_None_Match=targets.etag)


def solve_small_board(client: Client, _targets: Targets) -> None:
    [tiles] = _new_boards.take(1)
    job = client.solve(Board(tiles))
    if job["state"] != "optimal":
        raise UnexpectedResponseError(f"a 3×3 board ended {job['state']}")


def solve_15_puzzle(client: Client, targets: Targets) -> None:
    job = client.solve(targets.draw_board(4), time_limit_s=20)
    if job["upper_bound"] is not None:
        client.get(job["links"]["solution"])


def solve_large_board(client: Client, targets: Targets) -> None:
    client.solve(targets.draw_board(targets.rng.choice((5, 7))), time_limit_s=1)


def cancel_job(client: Client, targets: Targets) -> None:
    client.cancel(client.submit(targets.draw_board(5)))


def solve_small_batch(client: Client, _targets: Targets) -> None:
    client.solve_batch(_new_boards.take(20))


def list_jobs(client: Client, _targets: Targets) -> None:
    client.get(f"{JOBS}?limit=20&brief=true")


def open_page(client: Client, targets: Targets) -> None:
    path = targets.rng.choice(("/", targets.job_path.removeprefix("/api/v1")))
    client.expect((200,), "GET", path)


THROUGHPUT: Final[dict[str, Action]] = {
    "cached posts": post_cached_board,
    "polls of an ended job": poll_job,
    "polls with If-None-Match": poll_unchanged_job,
    "single 3×3": solve_small_board,
    "single 4×4": solve_15_puzzle,
}

MIXED: Final[Mix] = {
    "cached POST": (post_cached_board, 30),
    "poll": (poll_job, 25),
    "poll, If-None-Match": (poll_unchanged_job, 10),
    SMALL: (solve_small_board, 15),
    "4×4, POST to end and solution": (solve_15_puzzle, 3),
    "5×5 and 7×7 for a second": (solve_large_board, 1),
    "5×5, POST and DELETE": (cancel_job, 2),
    "batch of 20 3×3, POST to end": (solve_small_batch, 2),
    "page": (open_page, 6),
    "list of jobs": (list_jobs, 4),
}
"""The actions of a long load by name, with their weights."""


class Load(NamedTuple):
    """The number of clients, each with one connection, their duration, and their mean pause."""

    connections: int
    seconds: float
    pause_s: float = 0.0


@dataclass
class Tally:
    """The milliseconds by action and the errors by message that all clients recorded."""

    times: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    errors: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0


class ClientPool:
    """The process with the clients of a server."""

    def __init__(self, pool: ProcessPoolExecutor, server: str) -> None:
        self._pool = pool
        self._server = server

    def start(self, mix: Mix, load: Load) -> Future[Tally]:
        return self._pool.submit(_run_clients, self._server, mix, load)

    def take_boards(self, count: int) -> list[list[int]]:
        """Return 3×3 boards that no client posts."""
        return self._pool.submit(_new_boards.take, count).result()


@contextmanager
def client_pool(server: str) -> Iterator[ClientPool]:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        yield ClientPool(pool, server)


def _make_client(server: str) -> Client:
    client = Client(server)
    client.submit(square_goal(3))  # sets the cookie
    return client


def _run_clients(server: str, mix: Mix, load: Load) -> Tally:
    tally = Tally()
    names, weights = list(mix), [weight for _, weight in mix.values()]
    clients = [_make_client(server) for _ in range(load.connections)]
    targets = Targets(clients[0])
    started = time.perf_counter()
    end = started + load.seconds

    def repeat(client: Client) -> None:
        while (now := time.perf_counter()) < end:
            [name] = targets.rng.choices(names, weights)
            try:
                mix[name][0](client, targets)
                tally.times[name].append(1_000 * (time.perf_counter() - now))
            except UnexpectedResponseError as error:
                tally.errors[str(error)] += 1
            except OSError as error:
                tally.errors[f"connection lost: {error}"] += 1
                time.sleep(_RECONNECT_S)
            if load.pause_s:
                time.sleep(targets.rng.uniform(0, 2 * load.pause_s))

    with ThreadPoolExecutor(load.connections) as pool:
        list(pool.map(repeat, clients))
    tally.seconds = time.perf_counter() - started
    for client in clients:
        client.close()
    return tally
