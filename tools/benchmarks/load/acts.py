"""What clients do: one thing after the other on each of their connections."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from tools.benchmarks.load.boards import random_board
from tools.benchmarks.load.wire import Caller, RefusedError

JOBS: Final = "/api/v1/jobs"
BATCHES: Final = "/api/v1/batches"
SOLVED: Final = (1, 2, 3, 4, 5, 6, 7, 8, 0)
SMALL: Final = "3×3, POST to optimal"

_LOOK_AGAIN_S: Final = 0.05


@dataclass
class Known:
    """What there is to ask for again: a board whose solution is stored, and the job that ended.

    Attributes
    ----------
    small : iterator of list of int
        3×3 boards that nobody has asked for.
    """

    board: list[int]
    job: str
    etag: str
    small: Iterator[list[int]]
    random: Random


Act = Callable[[Caller, Known], Awaitable[None]]


async def cached_post(caller: Caller, known: Known) -> None:
    """Post a 4×4 board whose solution is known."""
    began = time.perf_counter()
    await caller.expect((200,), "POST", JOBS, {"board": known.board})
    caller.note("cached POST", began)


async def poll(caller: Caller, known: Known) -> None:
    """Ask for a job that has ended."""
    began = time.perf_counter()
    await caller.expect((200,), "GET", known.job)
    caller.note("poll", began)


async def unchanged_poll(caller: Caller, known: Known) -> None:
    """Ask whether a job has changed that has ended."""
    began = time.perf_counter()
    await caller.expect((304,), "GET", known.job, etag=known.etag)
    caller.note("poll, If-None-Match", began)


async def small_job(caller: Caller, known: Known) -> None:
    """Post a 3×3 board that nobody has asked for, and wait for its end."""
    board = next(known.small)
    began = time.perf_counter()
    job = await ended(caller, {"board": board})
    caller.note(SMALL, began)
    if job["state"] != "optimal":
        raise RefusedError(f"a 3×3 board ended {job['state']}")


async def fifteen_job(caller: Caller, known: Known) -> None:
    began = time.perf_counter()
    job = await ended(caller, {"board": random_board(4, known.random), "time_limit_s": 20})
    caller.note("4×4, POST to end", began)
    if job["upper_bound"] is not None:  # else its time was over before anything was found
        await caller.expect((200,), "GET", job["links"]["solution"])


async def large_job(caller: Caller, known: Known) -> None:
    began = time.perf_counter()
    board = random_board(known.random.choice((5, 7)), known.random)
    await ended(caller, {"board": board, "time_limit_s": 1})
    caller.note("5×5 and 7×7 for a second", began)


async def cancelled_job(caller: Caller, known: Known) -> None:
    board = random_board(5, known.random)
    began = time.perf_counter()
    answer = await caller.expect((200, 202), "POST", JOBS, {"board": board})
    await caller.expect((200,), "DELETE", answer.document()["links"]["self"])
    caller.note("5×5, POST and DELETE", began)


async def small_batch(caller: Caller, known: Known) -> None:
    boards = [next(known.small) for _ in range(20)]
    began = time.perf_counter()
    answer = await caller.expect((200, 202), "POST", BATCHES, boards)
    while not (batch := answer.document())["finished"]:
        await asyncio.sleep(_LOOK_AGAIN_S)
        answer = await caller.expect((200,), "GET", batch["links"]["self"])
    caller.note("batch of 20 3×3, POST to end", began)


async def page(caller: Caller, known: Known) -> None:
    began = time.perf_counter()
    job = known.job.rpartition("/")[2]
    await caller.expect((200,), "GET", known.random.choice(("/", f"/jobs/{job}")))
    caller.note("page", began)


async def own_jobs(caller: Caller, _known: Known) -> None:
    began = time.perf_counter()
    await caller.expect((200,), "GET", f"{JOBS}?limit=20&brief=true")
    caller.note("list of jobs", began)


async def nonsense(caller: Caller, _known: Known) -> None:
    began = time.perf_counter()
    await caller.expect((422,), "POST", JOBS, {"board": "1 2 3 4 5 6 7 7 0"})
    caller.note("board that is none", began)


THROUGHPUT: Final[dict[str, Act]] = {
    "cached posts": cached_post,
    "polls of an ended job": poll,
    "polls with If-None-Match": unchanged_poll,
    "single 3×3 posts, each to its end": small_job,
}

MIXED: Final[dict[Act, int]] = {
    cached_post: 30,
    poll: 25,
    unchanged_poll: 10,
    small_job: 15,
    fifteen_job: 3,
    large_job: 1,
    cancelled_job: 2,
    small_batch: 2,
    page: 6,
    own_jobs: 4,
    nonsense: 2,
}
"""How often each is done in a long load."""


async def mixed(caller: Caller, known: Known) -> None:
    """Do one of the things above."""
    [act] = known.random.choices(list(MIXED), list(MIXED.values()))
    await act(caller, known)


async def ended(caller: Caller, request: dict[str, Any]) -> dict[str, Any]:
    """Post a job, wait for its end by long polls and return it."""
    answer = await caller.expect((200, 202), "POST", f"{JOBS}?brief=true", request)
    job: dict[str, Any] = answer.document()
    while job["finished_at"] is None:
        asked = time.perf_counter()
        path = f"{job['links']['self']}?wait=20&brief=true"
        job = (await caller.expect((200,), "GET", path)).document()
        if job["finished_at"] is None and time.perf_counter() - asked < _LOOK_AGAIN_S:
            # More wait than may: this is what the API asks of clients then.
            await asyncio.sleep(_LOOK_AGAIN_S)
    return job
