"""The parts of `tools.benchmarks.improving`, each on a system that runs."""

from __future__ import annotations

import json
import os
import random
import signal
import statistics
import time
from collections.abc import Iterator
from typing import Any

import psutil

from tilework.core.machine import usable_processors
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.scramble import scramble
from tilework.core.search.limits import Limits
from tilework.core.solver.solve import solve
from tools.benchmarks.api import SETTLE_S, Client
from tools.benchmarks.killing import search_workers
from tools.benchmarks.large_boards import random_boards
from tools.benchmarks.report import Figure
from tools.benchmarks.system import System

FIRST_BARS_S = {10: 0.5, 32: 0.7, 100: 2.0, 256: 6.0}
AGAINST_SIDES = (10, 16, 32)
CLIENTS = 20
SMALL_S = 40.0
POLL_S = 0.2


def square(side: int) -> Size:
    """Return the size of a square board."""
    return Size(side, side)


def post(client: Client, board: Board, seconds: float) -> dict[str, Any]:
    """Submit a board for so many seconds."""
    request = {"board": board.cells.tolist(), "time_limit_s": seconds}
    return client.ask("POST", "/api/v1/jobs", json.dumps(request))


def ratio(job: dict[str, Any], board: Board) -> float:
    """Return how many times the distance of all tiles a job's solution has."""
    return float(job["upper_bound"]) / board.manhattan()


def settled(system: System) -> Client:
    """Return a client of a system whose workers have loaded all that they need."""
    client = Client(system.server)
    for side, seconds in ((10, 12.0), (32, 8.0)):
        client.end(post(client, scramble(square(side), blank_last(square(side)), seed=1), seconds))
    time.sleep(SETTLE_S)
    return client


def first_answers(system: System, client: Client) -> Iterator[Figure]:
    """Time the first solution of boards of some sizes; each job is then cancelled."""
    for side, bar in FIRST_BARS_S.items():
        times = []
        for board in random_boards(square(side), 23)[20:]:
            began = time.monotonic()
            job = post(client, board, 60.0)
            while job["upper_bound"] is None:
                time.sleep(0.02)
                job = client.ask("GET", f"/api/v1/jobs/{job['id']}?brief=true")
            times.append(time.monotonic() - began)
            client.cancel(job)
            time.sleep(3.0)
        yield Figure(f"first answer, {side}×{side}", statistics.median(times), "s", bar)


def against_solve(system: System, seconds: float, count: int) -> Iterator[Figure]:
    """Compare jobs with `solve` in this process, one after the other."""
    for side in AGAINST_SIDES:
        served, alone = [], []
        for board in random_boards(square(side), count):
            # A new one each time: an idle connection is closed.
            client = Client(system.server)
            served.append(ratio(client.end(post(client, board, seconds)), board))
            time.sleep(2.0)
            limits = Limits(seconds=seconds)
            found = solve(board, blank_last(board.size), limits=limits, threads=usable_processors())
            alone.append((found.upper_bound or 0) / board.manhattan())
            print(f"  {side}: job {served[-1]:.3f}, solve {alone[-1]:.3f}", flush=True)
        worse = statistics.mean(served) - statistics.mean(alone)
        yield Figure(
            f"{side}×{side}, {seconds:g} s, mean ratio of jobs", statistics.mean(served), ""
        )
        yield Figure(f"{side}×{side}, job worse than solve by", worse, "", 0.01)


def steady(client: Client) -> Iterator[Figure]:
    """Follow one job of 10×10 for 30 s."""
    board = random_boards(square(10), 41)[40]
    began = time.monotonic()
    job = post(client, board, 30.0)
    seen = set()
    while job["finished_at"] is None:
        time.sleep(POLL_S)
        job = client.look(job)
        seen.add(job["upper_bound"])
    yield Figure("10×10, 30 s: solutions shown", len(seen - {None}), "", 5, at_most=False)
    yield Figure("10×10, 30 s: ends off by", abs(time.monotonic() - began - 30.0), "s", 2.0)
    yield Figure(
        "10×10, 30 s: ends bounded", float(job["state"] == "bounded"), "", 1, at_most=False
    )


def kills(system: System, client: Client, seconds: float, every: float | None) -> float:
    """Return the ratio of a 16×16 board while workers are killed, or left alone."""
    board = random_boards(square(16), 4)[3]
    choose = random.Random(1)
    job = post(client, board, seconds)
    next_kill = time.monotonic() + (every or 1e9)
    while job["finished_at"] is None:
        time.sleep(POLL_S)
        if time.monotonic() >= next_kill:
            next_kill += every or 1e9
            victims = search_workers(system)
            if victims:
                os.kill(choose.choice(victims), signal.SIGKILL)
        job = client.look(job)
    return ratio(job, board)


def beside(system: System, client: Client) -> Iterator[Figure]:
    """Time small boards of another client while a large board is improved."""
    post(client, random_boards(square(16), 5)[4], SMALL_S + 20.0)
    time.sleep(8.0)
    other, times, seed = Client(system.server), [], 0
    end = time.monotonic() + SMALL_S
    while time.monotonic() < end:
        seed += 1
        size = square(3 + seed % 2)
        began = time.monotonic()
        other.end(other.post(scramble(size, blank_last(size), seed=70_000 + seed)))
        times.append(time.monotonic() - began)
        time.sleep(0.1)
    times.sort()
    yield Figure("3×3 and 4×4 beside 16×16, median", statistics.median(times), "s")
    yield Figure("3×3 and 4×4 beside 16×16, p99", times[int(0.99 * len(times))], "s", 0.25)


def many(system: System, seconds: float) -> Iterator[Figure]:
    """Let many clients have a large board each improved."""
    boards = random_boards(square(12), CLIENTS)
    clients = [Client(system.server) for _ in boards]
    jobs = [post(client, board, seconds) for client, board in zip(clients, boards, strict=True)]
    first: dict[str, int] = {}
    effort: list[float] = []
    gains: list[int] = []
    while any(job["finished_at"] is None for job in jobs):
        time.sleep(1.0)
        jobs = [client.look(job) for client, job in zip(clients, jobs, strict=True)]
        for job in jobs:
            if job["upper_bound"] is not None:
                first.setdefault(job["id"], job["upper_bound"])
    for job in jobs:
        effort.append(job["nodes"])
        gains.append(first[job["id"]] - job["upper_bound"])
    share = min(effort) / statistics.mean(effort)
    yield Figure(
        f"{CLIENTS} clients: boards improved",
        sum(gain > 0 for gain in gains),
        "",
        CLIENTS,
        at_most=False,
    )
    yield Figure(f"{CLIENTS} clients: least effort, of a fair share", share, "", 0.5, at_most=False)


def memory(system: System, client: Client, seconds: float) -> Iterator[Figure]:
    """Watch the processes of a system while it solves 256×256."""
    job = post(client, random_boards(square(256), 1)[0], seconds)
    most: dict[str, float] = {}
    while job["finished_at"] is None:
        time.sleep(POLL_S)
        for process in psutil.Process(system.pid).children(recursive=True):
            try:
                words = process.cmdline()
                kinds = {"tilework.worker": "worker", "tilework.web.server": "web"}
                kind = next((kinds[word] for word in words if word in kinds), "")
                most[kind] = max(most.get(kind, 0.0), process.memory_info().rss / 1e6)
            except psutil.Error:  # it has just ended
                continue
        job = client.ask("GET", f"/api/v1/jobs/{job['id']}?brief=true")
    yield Figure("256×256, most memory of a worker", most["worker"], "MB", 1_500)
    yield Figure("256×256, most memory of the web", most["web"], "MB", 500)


def again(server: str, client: Client) -> Iterator[Figure]:
    """Ask for a board, then for its mirror image as another client."""
    board = random_boards(square(12), 30)[29]
    before = client.end(post(client, board, 15.0))
    mirrored = _transposed(board)
    other = Client(server)
    job = post(other, mirrored, 15.0)
    yield Figure(
        "again, mirrored: moves more at once", job["upper_bound"] - before["upper_bound"], "", 0
    )
    after = other.end(job)
    yield Figure(
        "again, mirrored: moves fewer after 15 s more",
        before["upper_bound"] - after["upper_bound"],
        "",
    )


def _transposed(board: Board) -> Board:
    """Return the board mirrored along its diagonal, its tiles renamed for the same goal."""
    side = board.width
    names = [0] * board.size.cells
    for tile in range(1, board.size.cells):
        row, column = divmod(tile - 1, side)
        names[tile] = column * side + row + 1
    cells = board.cells.reshape(side, side).T.reshape(-1)
    return Board([names[tile] for tile in cells.tolist()], side, side)
