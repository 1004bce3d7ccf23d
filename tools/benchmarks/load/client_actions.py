"""The actions of clients, one after another on each connection."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Final

from tilework.core.puzzle.board import Board
from tools.benchmarks.harness.boards import random_board
from tools.benchmarks.harness.client import JOBS, Client, RefusedError

SMALL: Final = "3×3, POST to optimal"


@dataclass
class Targets:
    """What requests refer to: a board whose solution is stored, its job, new 3×3 boards."""

    board: Board
    job: str
    etag: str
    small: Iterator[Board]
    random: Random

    def any_board(self, side: int) -> Board:
        return random_board(side, self.random.getrandbits(32))


Action = Callable[[Client, Targets], None]


def cached_post(client: Client, targets: Targets) -> None:
    client.expect((200,), "POST", JOBS, {"board": targets.board.cells.tolist()})


def poll(client: Client, targets: Targets) -> None:
    client.expect((200,), "GET", targets.job)


def unchanged_poll(client: Client, targets: Targets) -> None:
    client.expect((304,), "GET", targets.job, If_None_Match=targets.etag)


def small_job(client: Client, targets: Targets) -> None:
    job = client.solve(next(targets.small))
    if job["state"] != "optimal":
        raise RefusedError(f"a 3×3 board ended {job['state']}")


def fifteen_job(client: Client, targets: Targets) -> None:
    job = client.solve(targets.any_board(4), time_limit_s=20)
    if job["upper_bound"] is not None:
        client.get(job["links"]["solution"])


def large_job(client: Client, targets: Targets) -> None:
    client.solve(targets.any_board(targets.random.choice((5, 7))), time_limit_s=1)


def cancelled_job(client: Client, targets: Targets) -> None:
    client.cancel(client.submit(targets.any_board(5)))


def small_batch(client: Client, targets: Targets) -> None:
    client.solve_batch([next(targets.small).cells.tolist() for _ in range(20)])


def page(client: Client, targets: Targets) -> None:
    client.expect((200,), "GET", targets.random.choice(("/", targets.job.removeprefix("/api/v1"))))


def list_jobs(client: Client, _targets: Targets) -> None:
    client.get(f"{JOBS}?limit=20&brief=true")


def invalid_board(client: Client, _targets: Targets) -> None:
    client.expect((422,), "POST", JOBS, {"board": "1 2 3 4 5 6 7 7 0"})


THROUGHPUT: Final[dict[str, Action]] = {
    "cached posts": cached_post,
    "polls of an ended job": poll,
    "polls with If-None-Match": unchanged_poll,
    "single 3×3": small_job,
    "single 4×4": fifteen_job,
}

MIXED: Final[dict[str, tuple[Action, int]]] = {
    "cached POST": (cached_post, 30),
    "poll": (poll, 25),
    "poll, If-None-Match": (unchanged_poll, 10),
    SMALL: (small_job, 15),
    "4×4, POST to end and solution": (fifteen_job, 3),
    "5×5 and 7×7 for a second": (large_job, 1),
    "5×5, POST and DELETE": (cancelled_job, 2),
    "batch of 20 3×3, POST to end": (small_batch, 2),
    "page": (page, 6),
    "list of jobs": (list_jobs, 4),
    "invalid board": (invalid_board, 2),
}
"""The actions of a long load by name, and their weights."""
