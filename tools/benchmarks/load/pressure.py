"""What the service answers when it is asked too much: which limit speaks first, and how.

With limits small enough to reach one after the other: a client that posts too fast hears of the
rate, one that has too much unfinished of his quota, and all hear of the depth when the service is
full. Each refusal is a problem of its own, and says when to come again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, field
from http import HTTPStatus
from random import Random
from typing import Final

from tools.benchmarks.load.acts import JOBS, SOLVED, ended
from tools.benchmarks.load.boards import random_board
from tools.benchmarks.load.wire import Answer, Caller, Tally, opened
from tools.benchmarks.report import Figure
from tools.benchmarks.system import System

RATE: Final = 12
WINDOW_S: Final = 6
QUOTA: Final = 4
DEPTH: Final = 6

LIMITS: Final = {
    "rate_limit": f"{RATE}/{WINDOW_S}seconds",
    "jobs_per_client": QUOTA,
    "depth_cap": DEPTH,
    "pdb_build": False,
}
"""Settings of the system for it."""

_MEDIA_TYPE: Final = "application/problem+json"
_MOST_POSTS: Final = 1_000


@dataclass
class Heard:
    """What refusals said, and what of it was wrong."""

    problems: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def refusal(self, answer: Answer, name: str, status: int) -> int:
        """Look at an answer that is to be this refusal; return the seconds it says to wait."""
        document = answer.document()
        kind = str(document.get("type", "")).rpartition(":")[2]
        self.problems.append(f"{answer.status} {kind}")
        if (answer.status, document.get("status"), kind) != (status, status, name):
            self.faults.append(f"{answer.status} {kind} instead of {status} {name}")
        if answer.header("Content-Type") != _MEDIA_TYPE:
            self.faults.append(f"{name}: is {answer.header('Content-Type')}")
        wait = answer.header("Retry-After") or ""
        if not wait.isdecimal() or int(wait) < 1:
            self.faults.append(f"{name}: Retry-After is {wait!r}")
            return 1
        return int(wait)

    def taken(self, answer: Answer, name: str) -> None:
        """Look at the answer to who came again as long after a refusal as it said."""
        if answer.status >= HTTPStatus.BAD_REQUEST:
            self.faults.append(f"{answer.status} after {name} and its Retry-After")

    def counted(self, jobs: int, limit: int, name: str) -> None:
        """Look at how many jobs were taken before a refusal."""
        if jobs != limit:
            self.faults.append(f"{name}: {jobs} jobs were taken, not {limit}")


def pressure(system: System) -> Iterator[Figure]:
    """Yield how many requests passed before each refusal, and what was wrong with those."""
    yield from asyncio.run(_pressed(system.server))


async def _pressed(server: str) -> list[Figure]:
    heard = Heard()
    first, second = [await opened(server, Tally()) for _ in range(2)]
    for caller in (first, second):
        await ended(caller, {"board": SOLVED})  # brings the cookie
    fast, answer = await _until_refused(first, {"board": SOLVED})
    await asyncio.sleep(heard.refusal(answer, "rate", 429))
    mine, answer = await _until_refused(first, _long_search(1))
    heard.refusal(answer, "quota", 429)
    # Over his quota, and then too fast as well: the rate is looked at first.
    while (answer := await first.ask("POST", JOBS, _long_search(1))).status == 429:
        if "rate" in answer.document()["type"]:
            break
    rate_wait = heard.refusal(answer, "rate", 429)
    others, answer = await _until_refused(second, _long_search(2))
    full_wait = heard.refusal(answer, "overload", 503)
    await asyncio.sleep(rate_wait)
    # The service is full, and he has too much of it: he is told what he can do something about.
    heard.refusal(await first.ask("POST", JOBS, _long_search(3)), "quota", 429)
    for job in (await first.ask("GET", f"{JOBS}?brief=true")).document()["jobs"]:
        if job["finished_at"] is None:
            await first.expect((200,), "DELETE", job["links"]["self"])
    await asyncio.sleep(full_wait)
    heard.taken(await second.ask("POST", JOBS, _long_search(4)), "overload")
    for caller in (first, second):
        caller.connection.close()
    heard.counted(mine, QUOTA, "quota")
    heard.counted(mine + others, DEPTH, "overload")
    for fault in heard.faults:
        print(f"back-pressure: {fault}", flush=True)
    return [
        Figure(f"posts of a client before 429 rate, at {RATE} in {WINDOW_S} s", fast, ""),
        Figure(f"unfinished jobs of a client before 429 quota, at {QUOTA}", mine, ""),
        Figure(f"unfinished jobs of all before 503 overload, at {DEPTH}", mine + others, ""),
        Figure(
            f"refusals ({', '.join(heard.problems)}) that were not due, without Retry-After, "
            "no problem details, or repeated to who came again when told",
            len(heard.faults),
            "",
            0,
        ),
    ]


async def _until_refused(caller: Caller, request: dict[str, object]) -> tuple[int, Answer]:
    """Post again and again; return how many posts were accepted, and the first refusal."""
    for accepted in range(_MOST_POSTS):
        answer = await caller.ask("POST", JOBS, request)
        if answer.status >= HTTPStatus.BAD_REQUEST:
            return accepted, answer
    raise SystemExit(f"{_MOST_POSTS} posts were all accepted, with the limits {LIMITS}")


def _long_search(seed: int) -> dict[str, object]:
    return {"board": random_board(5, Random(seed)), "time_limit_s": 600}
