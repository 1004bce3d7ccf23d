"""The actions of clients, which are run one after another on each connection."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Final

from tilework.core.puzzle.board import Board
from tools.benchmarks.harness.boards import random_board
from tools.benchmarks.harness.client import JOBS, Client, UnexpectedResponseError

SMALL: Final = "3×3, POST to optimal"


@dataclass
class Targets:
    """The data of requests: a board whose solution is stored, its job, and new 3×3 boards."""

    cached_board: Board
    job_path: str
    etag: str
    new_boards: Iterator[Board]
    rng: Random

    def make_random_board(self, side: int) -> Board:
        return random_board(side, self.rng.getrandbits(32))


Action = Callable[[Client, Targets], None]


def post_cached_board(client: Client, targets: Targets) -> None:
    client.expect((200,), "POST", JOBS, {"board": targets.cached_board.cells.tolist()})


def poll_job(client: Client, targets: Targets) -> None:
    client.expect((200,), "GET", targets.job_path)


def poll_unchanged_job(client: Client, targets: Targets) -> None:
    client.expect((304,), "GET", targets.job_path, If_None_Match=targets.etag)


def solve_small_board(client: Client, targets: Targets) -> None:
    job = client.solve(next(targets.new_boards))
    if job["state"] != "optimal":
        raise UnexpectedResponseError(f"a 3×3 board ended {job['state']}")


def solve_15_puzzle(client: Client, targets: Targets) -> None:
    job = client.solve(targets.make_random_board(4), time_limit_s=20)
    if job["upper_bound"] is not None:
        client.get(job["links"]["solution"])


def solve_large_board(client: Client, targets: Targets) -> None:
    client.solve(targets.make_random_board(targets.rng.choice((5, 7))), time_limit_s=1)


def cancel_job(client: Client, targets: Targets) -> None:
    client.cancel(client.submit(targets.make_random_board(5)))


def solve_small_batch(client: Client, targets: Targets) -> None:
    client.solve_batch([next(targets.new_boards).cells.tolist() for _ in range(20)])


def open_page(client: Client, targets: Targets) -> None:
    client.expect(
        (200,), "GET", targets.rng.choice(("/", targets.job_path.removeprefix("/api/v1")))
    )


def list_jobs(client: Client, _targets: Targets) -> None:
    client.get(f"{JOBS}?limit=20&brief=true")


def post_invalid_board(client: Client, _targets: Targets) -> None:
    client.expect((422,), "POST", JOBS, {"board": "1 2 3 4 5 6 7 7 0"})


THROUGHPUT: Final[dict[str, Action]] = {
    "cached posts": post_cached_board,
    "polls of an ended job": poll_job,
    "polls with If-None-Match": poll_unchanged_job,
    "single 3×3": solve_small_board,
    "single 4×4": solve_15_puzzle,
}

MIXED: Final[dict[str, tuple[Action, int]]] = {
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
    "invalid board": (post_invalid_board, 2),
}
"""The actions of a long load by name, with their weights."""
