"""The first minute of a new user: what is answered when, while nothing is compiled or built yet.

Usage: python -m tools.benchmarks.first_minute [--starts 10] [--clone]

Each start has an empty cache and folder of its own; the second ones find what the first left.
Boards are posted as soon as the system says that it is ready, those of one start all at once, and
all times count from there. ``--clone`` also times ``make run`` in a bare clone, which installs
everything.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_first, blank_last
from tilework.core.puzzle.scramble import scramble
from tools.benchmarks.api import Client
from tools.benchmarks.instances import korf50
from tools.benchmarks.report import Figure, kept_figures, record
from tools.benchmarks.system import PROGRAM

ROOT = Path(__file__).parents[2]
RUNS = 3
COMMAND_RUNS = 7
POLL_S = 0.05

COMPILE = """
import time
from tilework.core.solver.kits import ALL_KITS, compile_kit
began = time.process_time()
for kit in ALL_KITS:
    compile_kit(kit)
print(time.process_time() - began)
"""


class Ready(NamedTuple):
    """A system that has just said that it is ready."""

    server: str
    at: float
    took: float


class Ended(NamedTuple):
    """A job: seconds until a look at it was the first to satisfy, and the last look."""

    satisfied: float | None
    job: dict[str, Any]


@contextmanager
def started(command: list[str], environment: Mapping[str, str], **options: Any) -> Iterator[Ready]:
    """Run a command that starts the system, until the end of the block."""
    began = time.perf_counter()
    with subprocess.Popen(
        command,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        process_group=0,
        **options,
    ) as system:
        assert system.stdout is not None
        line = next(line for line in system.stdout if line.startswith("Tilework is ready"))
        now = time.perf_counter()
        try:
            yield Ready(line.split("http://")[1].split()[0], now, now - began)
        finally:
            os.killpg(system.pid, signal.SIGINT)  # make hands no signal on
            system.wait(60)


@contextmanager
def up(folder: Path, *options: str) -> Iterator[Ready]:
    environment = os.environ | {
        "XDG_CACHE_HOME": str(folder / "cache"),
        "TILEWORK_DATA_DIR": str(folder / "data"),
    }
    environment.pop("NUMBA_CACHE_DIR", None)
    with started([sys.executable, "-c", PROGRAM, "up", *options], environment) as ready:
        yield ready


def watch(
    ready: Ready,
    board: Board,
    goal: Board,
    satisfies: Callable[[dict[str, Any]], bool],
    seconds: float | None = None,
) -> Ended:
    """Post a board and follow it until it has ended."""
    client = Client(ready.server)
    request = {"board": board.cells.tolist(), "goal": goal.cells.tolist(), "time_limit_s": seconds}
    job = client.ask("POST", "/api/v1/jobs", json.dumps(request))
    satisfied = None
    while True:
        if satisfied is None and satisfies(job):
            satisfied = time.perf_counter() - ready.at
        if job["finished_at"] is not None:
            return Ended(satisfied, job)
        time.sleep(POLL_S)
        job = client.look(job)


def random_board(side: int, seed: int) -> tuple[Board, Board]:
    goal = blank_last(Size(side, side))
    return scramble(goal.size, goal, seed=seed), goal


def boards_at_once(ready: Ready, seed: int) -> dict[str, float]:
    """Post a board of each kind; return by kind when it was answered well enough."""
    large, goal = random_board(10, seed)
    distance = large.manhattan(goal)

    def is_good(job: dict[str, Any]) -> bool:
        return job["upper_bound"] is not None and job["upper_bound"] <= 1.7 * distance

    def is_optimal(job: dict[str, Any]) -> bool:
        return bool(job["state"] == "optimal")

    with ThreadPoolExecutor(3) as pool:
        small = pool.submit(watch, ready, *random_board(3, seed), is_optimal)
        medium = pool.submit(watch, ready, *random_board(4, seed), is_optimal)
        best = pool.submit(watch, ready, large, goal, is_good, 30.0)
    return {
        "3×3": small.result().satisfied or float("inf"),
        "4×4": medium.result().satisfied or float("inf"),
        "10×10": best.result().satisfied or float("inf"),
        "end": best.result().job["upper_bound"] / distance,
    }


def improved(ready: Ready, side: int, seconds: float, seed: int) -> bool:
    """Whether a job of so many seconds ends with a better solution than its first."""
    board, goal = random_board(side, seed)
    job = watch(ready, board, goal, bool, seconds).job
    history = Client(ready.server).ask("GET", f"/api/v1/jobs/{job['id']}/history")["events"]
    found = [one["upper_bound"] for one in history if one["upper_bound"] is not None]
    return job["upper_bound"] is not None and len(set(found)) > 1


def with_databases(ready: Ready) -> float:
    """Return when a 24-puzzle is searched with pattern databases."""
    board = korf50()[0].board
    client = Client(ready.server)
    request = {"board": board.cells.tolist(), "goal": blank_first(board.size).cells.tolist()}
    job = client.ask("POST", "/api/v1/jobs", json.dumps(request))
    while not (job["engine"] or "").startswith("5x5 "):
        time.sleep(POLL_S)
        job = client.look(job)
    client.cancel(job)
    return time.perf_counter() - ready.at


def first_and_second_starts() -> list[Figure]:
    first: list[dict[str, float]] = []
    second: list[dict[str, float]] = []
    for seed in range(RUNS):
        with tempfile.TemporaryDirectory(prefix="tilework-") as name:
            folder = Path(name)
            with up(folder) as ready:
                first.append(boards_at_once(ready, seed))
            print(first[-1], flush=True)
            with up(folder) as ready:
                second.append(boards_at_once(ready, RUNS + seed))
            print(second[-1], flush=True)

    def median(runs: list[dict[str, float]], kind: str) -> float:
        return statistics.median(run[kind] for run in runs)

    return [
        Figure("ready to 3×3 optimal", median(first, "3×3"), "s", 1),
        Figure("ready to 4×4 optimal", median(first, "4×4"), "s", 8),
        Figure("ready to 10×10 at 1.7 × Manhattan", median(first, "10×10"), "s", 12),
        Figure("10×10 after its 30 s, times Manhattan", median(first, "end"), "", 1.46),
        Figure("second start, ready to 3×3 optimal", median(second, "3×3"), "s", 1),
        Figure("second start, ready to 4×4 optimal", median(second, "4×4"), "s", 1),
        Figure("second start, ready to 10×10 at 1.7", median(second, "10×10"), "s", 2),
        Figure("second start, 10×10 after its 30 s", median(second, "end"), "", 1.46),
    ]


def short_jobs(starts: int) -> list[Figure]:
    better = {7: 0, 6: 0}
    for seed in range(starts):
        for side, seconds in ((7, 12.0), (6, 4.0)):
            with (
                tempfile.TemporaryDirectory(prefix="tilework-") as folder,
                up(Path(folder), "--workers", "1") as ready,
            ):
                better[side] += improved(ready, side, seconds, seed)
        print(better, "of", seed + 1, flush=True)
    return [
        Figure(
            f"7×7 of 12 s, one worker, ended improved, of {starts}", better[7], "", starts, False
        ),
        Figure(
            f"6×6 of 4 s, one worker, ended improved, of {starts}", better[6], "", starts, False
        ),
    ]


def first_24_puzzle() -> Figure:
    times = []
    for _ in range(RUNS):
        with tempfile.TemporaryDirectory(prefix="tilework-") as folder, up(Path(folder)) as ready:
            times.append(with_databases(ready))
    what = "ready to a 24-puzzle searched with pattern databases"
    return Figure(what, statistics.median(times), "s", 25)


def compilation() -> Figure:
    with tempfile.TemporaryDirectory() as folder:
        environment = os.environ | {"NUMBA_CACHE_DIR": folder}
        done = subprocess.run(
            [sys.executable, "-c", COMPILE],
            env=environment,
            check=True,
            capture_output=True,
            text=True,
        )
    return Figure("processor time of all compilation", float(done.stdout), "s", 45)


def commands(program: Path) -> list[Figure]:
    """Time whole commands; what they need is compiled and built before."""

    environment = os.environ.copy()
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # else each call compiles the modules again

    def seconds(*arguments: str) -> float:
        times = []
        for _ in range(1 + COMMAND_RUNS):
            began = time.perf_counter()
            subprocess.run(
                [program, *arguments], env=environment, check=True, stdout=subprocess.DEVNULL
            )
            times.append(time.perf_counter() - began)
        return statistics.median(times[1:])

    return [
        Figure(
            "`tilework solve` of a 3×3 of 23 moves",
            seconds("solve", "2 7 6 5 8 3 4 0 1"),
            "s",
            0.35,
        ),
        Figure("`tilework solve` of one of 31", seconds("solve", "8 6 7 2 5 4 3 0 1"), "s", 0.35),
        Figure(
            "`tilework solve` of a 4×4",
            seconds("solve", "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3", "--goal", "blank-first"),
            "s",
            0.8,
        ),
        Figure("`tilework --help`", seconds("--help"), "s", 0.15),
    ]


def bare_clone() -> list[Figure]:
    """Time ``make run`` in a clone; then commands with what is installed there, no test tools."""
    with tempfile.TemporaryDirectory(prefix="tilework-") as name:
        clone = Path(name) / "clone"
        subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)
        environment = os.environ | {"XDG_CACHE_HOME": str(Path(name) / "cache")}
        with started(["make", "run"], environment, cwd=clone) as ready:
            took = ready.took
        shutil.rmtree(clone / "data", ignore_errors=True)
        return [
            Figure("`make run` in a bare clone, to ready", took, "s", 45),
            *commands(clone / ".venv" / "bin" / "tilework"),
        ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--starts", type=int, default=10, help="starts for each kind of short job")
    parser.add_argument("--clone", action="store_true", help="time make run in a bare clone, too")
    arguments = parser.parse_args()
    figures = bare_clone() if arguments.clone else []
    figures += [compilation(), *first_and_second_starts(), first_24_puzzle()]
    if arguments.starts:
        figures += short_jobs(arguments.starts)
    record("first_minute", kept_figures("first_minute", figures) + figures)


if __name__ == "__main__":
    main()
