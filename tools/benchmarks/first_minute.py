"""The first minute of a new user, before anything is compiled or built.

``clone`` times ``make run`` in a bare clone, and commands there. ``starts``: a first start has an
empty cache and folder, and second starts reuse them; boards are posted as soon as the system is
ready, which is when the clock starts.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from math import inf
from pathlib import Path
from statistics import median

from tilework.core.puzzle.board import Board
from tools.benchmarks.boards import random_board
from tools.benchmarks.programs import TILEWORK, run_program
from tools.benchmarks.record import Figure, run
from tools.benchmarks.system import System, start_system

ROOT = Path(__file__).parents[2]
COMMAND_RUNS = 7
POLL_S = 0.05
GOOD_RATIO = 1.7
SIDES = (3, 4, 10)
BARS_S = {
    "first start": {"3×3": 1.0, "4×4": 8.0, "10×10": 12.0},
    "second start": {"3×3": 1.0, "4×4": 1.0, "10×10": 2.0},
}
EASY_4X4 = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3"
COMMANDS: tuple[tuple[str, float, tuple[str, ...]], ...] = (
    ("`tilework solve` of a 3×3 of 31 moves", 0.35, ("solve", "8 6 7 2 5 4 3 0 1")),
    ("`tilework solve` of a 4×4", 0.8, ("solve", EASY_4X4, "--goal", "blank-first")),
    ("`tilework --help`", 0.15, ("--help",)),
)


@contextmanager
def run_system(folder: Path) -> Iterator[System]:
    """Run a system that uses a folder for its cache and data."""
    environment = os.environ | {
        "XDG_CACHE_HOME": str(folder / "cache"),
        "TILEWORK_DATA_DIR": str(folder / "data"),
    }
    environment.pop("NUMBA_CACHE_DIR", None)
    with start_system([TILEWORK, "up"], environment, folder) as system:
        yield system


def measure_starts(runs: int) -> Iterator[Figure]:
    times: dict[tuple[str, str], list[float]] = defaultdict(list)
    for seed in range(runs):
        with tempfile.TemporaryDirectory(prefix="tilework-") as folder:
            for number, start in enumerate(BARS_S):
                with run_system(Path(folder)) as system, ThreadPoolExecutor(3) as pool:
                    boards = {
                        f"{side}×{side}": random_board(side, 2 * seed + number) for side in SIDES
                    }
                    solved = {
                        name: pool.submit(wait_for_answer, system, board)
                        for name, board in boards.items()
                    }
                    for name, future in solved.items():
                        times[start, name].append(future.result())
    for (start, name), seconds in times.items():
        yield Figure(f"{start}, ready to answer, {name}", median(seconds), "s", BARS_S[start][name])


def wait_for_answer(system: System, board: Board) -> float:
    """Return the seconds from the start to a proof, or to a solution that is good for its size."""
    client = system.client()
    job = client.submit(board, time_limit_s=60)
    while job["finished_at"] is None and not (
        board.width > 4 and (job["upper_bound"] or inf) <= GOOD_RATIO * board.manhattan()
    ):
        time.sleep(POLL_S)
        job = client.read(job)
    return time.perf_counter() - system.ready_at


def measure_clone() -> Iterator[Figure]:
    """Time ``make run`` in a clone, then commands of the program that it installs."""
    with tempfile.TemporaryDirectory(prefix="tilework-") as name:
        folder, clone = Path(name), Path(name, "clone")
        subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)
        environment = os.environ | {"XDG_CACHE_HOME": str(folder / "cache")}
        with start_system(["make", "run"], environment, folder, cwd=clone) as system:
            yield Figure("`make run` in a bare clone, to ready", system.start_s, "s", 45)
        shutil.rmtree(clone / "data", ignore_errors=True)
        program = str(clone / ".venv" / "bin" / "tilework")
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        for label, bar, arguments in COMMANDS:
            runs = [
                run_program([program, *arguments], environment) for _ in range(1 + COMMAND_RUNS)
            ][1:]
            yield Figure(label, median(one.seconds for one in runs), "s", bar)
            processor_s = median(one.processor_s for one in runs)
            yield Figure(f"{label}, processor time", processor_s, "s")


if __name__ == "__main__":
    run(
        "first_minute",
        __doc__,
        {
            "clone": lambda _: measure_clone(),
            "starts": lambda o: measure_starts(o.runs),
        },
        runs=3,
    )
