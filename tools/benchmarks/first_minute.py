"""The first minute of a new user, while nothing is compiled or built yet.

Each start has an empty cache and folder; the second starts find what the first have left. Boards
are posted as soon as the system is ready, and times are from then. ``clone`` times ``make run`` in
a bare clone, and commands there; ``short`` counts short jobs that end improved, each in a new
system with one worker; ``first-24`` times `tilework solve` of Korf24 #38 without databases.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

from tilework.core.puzzle.board import Board
from tools.benchmarks.harness.boards import korf50, random_board
from tools.benchmarks.harness.report import Figure, at_least, run
from tools.benchmarks.harness.system import System, started
from tools.benchmarks.harness.timing import TILEWORK, Ran, measure_median, run_program

ROOT = Path(__file__).parents[2]
COMMAND_RUNS = 7
POLL_S = 0.05
EASY_4 = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3"
COMPILE = """
import time
from tilework.core.solver.kernel_sets import KERNEL_SETS, compile_kernel_set
began = time.process_time()
for kernel_set in KERNEL_SETS:
    compile_kernel_set(kernel_set)
print(time.process_time() - began)
"""

Job = dict[str, Any]


@contextmanager
def new_folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="tilework-") as name:
        yield Path(name)


@contextmanager
def up(folder: Path, *options: str) -> Iterator[System]:
    """Run a system with an empty cache."""
    environment = os.environ | {
        "XDG_CACHE_HOME": str(folder / "cache"),
        "TILEWORK_DATA_DIR": str(folder / "data"),
    }
    environment.pop("NUMBA_CACHE_DIR", None)
    with started([TILEWORK, "up", *options], environment, folder) as system:
        yield system


def watch(
    system: System, board: Board, satisfies: Callable[[Job], bool], seconds: float | None = None
) -> tuple[float, Job]:
    """Post a board and poll it; return when it first satisfied the condition, and the ended job."""
    client = system.client()
    job = client.submit(board, time_limit_s=seconds)
    satisfied = float("inf")
    while True:
        if satisfies(job):
            satisfied = min(satisfied, time.perf_counter() - system.ready_at)
        if job["finished_at"] is not None:
            return satisfied, job
        time.sleep(POLL_S)
        job = client.read(job)


def boards_at_once(system: System, seed: int) -> dict[str, float]:
    """Post a board of each size; return the seconds to a good answer of each."""
    large = random_board(10, seed)
    distance = large.manhattan()

    def is_good(job: Job) -> bool:
        return job["upper_bound"] is not None and job["upper_bound"] <= 1.7 * distance

    def is_optimal(job: Job) -> bool:
        return bool(job["state"] == "optimal")

    with ThreadPoolExecutor(3) as pool:
        small = pool.submit(watch, system, random_board(3, seed), is_optimal)
        medium = pool.submit(watch, system, random_board(4, seed), is_optimal)
        best = pool.submit(watch, system, large, is_good, 30.0)
    good, job = best.result()
    seconds = {"3×3": small.result()[0], "4×4": medium.result()[0], "10×10": good}
    return seconds | {"end": job["upper_bound"] / distance}


def first_and_second_starts(runs: int) -> Iterator[Figure]:
    first: list[dict[str, float]] = []
    second: list[dict[str, float]] = []
    for seed in range(runs):
        with new_folder() as folder:
            for starts, which in ((first, seed), (second, runs + seed)):
                with up(folder) as system:
                    starts.append(boards_at_once(system, which))
                print(starts[-1], flush=True)
    for start, all_runs, bars in (("", first, (1, 8, 12)), ("second start, ", second, (1, 1, 2))):
        medians = {kind: median(run[kind] for run in all_runs) for kind in all_runs[0]}
        yield Figure(f"{start}ready to 3×3 optimal", medians["3×3"], "s", bars[0])
        yield Figure(f"{start}ready to 4×4 optimal", medians["4×4"], "s", bars[1])
        yield Figure(f"{start}ready to 10×10 at 1.7 × Manhattan", medians["10×10"], "s", bars[2])
        yield Figure(f"{start}10×10 after its 30 s, times Manhattan", medians["end"], "", 1.46)


def short_jobs(starts: int) -> Iterator[Figure]:
    """Count the short jobs that end with a better solution than their first."""
    for side, seconds in ((7, 12.0), (6, 4.0)):
        better = sum(_improved(side, seconds, seed) for seed in range(starts))
        label = f"{side}×{side} of {seconds:g} s, one worker: improved solutions, of {starts}"
        yield at_least(label, better, "", starts)


def _improved(side: int, seconds: float, seed: int) -> bool:
    with new_folder() as folder, up(folder, "--workers", "1") as system:
        _, job = watch(system, random_board(side, seed), bool, seconds)
        history = system.client().get(f"/api/v1/jobs/{job['id']}/history")["events"]
    return len({event["upper_bound"] for event in history} - {None}) > 1


def with_databases(runs: int) -> Iterator[Figure]:
    """Time until a 24-puzzle is searched with pattern databases."""
    korf, times = korf50()[1], []
    for _ in range(runs):
        with new_folder() as folder, up(folder) as system:
            client = system.client()
            job = client.submit(korf.board, korf.goal)
            while not (job["engine"] or "").startswith("5x5 "):
                time.sleep(POLL_S)
                job = client.read(job)
            times.append(time.perf_counter() - system.ready_at)
            client.cancel(job)
    yield Figure("ready to a 24-puzzle searched with pattern databases", median(times), "s", 25)


def compilation() -> Iterator[Figure]:
    with new_folder() as folder:
        environment = os.environ | {"NUMBA_CACHE_DIR": str(folder)}
        result = run_program([sys.executable, "-c", COMPILE], environment)
    yield Figure("processor time of all compilation", float(result.output), "s", 45)


def commands(program: Path) -> Iterator[Figure]:
    """Time whole commands, with everything compiled and built."""
    environment = os.environ.copy()
    environment.pop("PYTHONDONTWRITEBYTECODE", None)

    def seconds(*words: str) -> float:
        run_program([str(program), *words], environment)
        return measure_median(
            COMMAND_RUNS, lambda: run_program([str(program), *words], environment)
        )

    for label, bar, *words in (
        ("`tilework solve` of a 3×3 of 23 moves", 0.35, "solve", "2 7 6 5 8 3 4 0 1"),
        ("`tilework solve` of a 3×3 of 31 moves", 0.35, "solve", "8 6 7 2 5 4 3 0 1"),
        ("`tilework solve` of a 4×4", 0.8, "solve", EASY_4, "--goal", "blank-first"),
        ("`tilework --help`", 0.15, "--help"),
    ):
        yield Figure(str(label), seconds(*map(str, words)), "s", float(bar))


def bare_clone() -> Iterator[Figure]:
    """Time ``make run`` in a clone, then commands with what it has installed."""
    with new_folder() as folder:
        clone = folder / "clone"
        subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)
        environment = os.environ | {"XDG_CACHE_HOME": str(folder / "cache")}
        with started(["make", "run"], environment, folder, cwd=clone) as system:
            yield Figure("`make run` in a bare clone, to ready", system.start_s, "s", 45)
        shutil.rmtree(clone / "data", ignore_errors=True)
        yield from commands(clone / ".venv" / "bin" / "tilework")


def first_24_puzzle(runs: int) -> Iterator[Figure]:
    """Time `tilework solve` without databases, and at last without compiled kernels too."""
    ran = [_solve_38(compiled=True) for _ in range(runs)]
    yield Figure(
        "Korf24 #38, no databases, median", median(search.seconds for search in ran), "s", 75
    )
    yield Figure(
        "Korf24 #38, no databases and nothing compiled", _solve_38(compiled=False).seconds, "s"
    )


def _solve_38(*, compiled: bool) -> Ran:
    korf = korf50()[38]
    board = " ".join(map(str, korf.board.cells.tolist()))
    with new_folder() as folder:
        environment = os.environ | {"XDG_CACHE_HOME": str(folder), "TILEWORK_PDB_BUILD": "true"}
        if not compiled:
            environment["NUMBA_CACHE_DIR"] = str(folder / "numba")
        ran = run_program([TILEWORK, "solve", board, "--goal", "blank-first"], environment)
    if len(ran.output.strip()) != korf.length:
        raise SystemExit(f"{korf.name} has {korf.length} moves, not {ran.output!r}")
    return ran


if __name__ == "__main__":
    run(
        "first_minute",
        __doc__,
        {
            "clone": lambda _: bare_clone(),
            "compilation": lambda _: compilation(),
            "starts": lambda o: first_and_second_starts(o.runs),
            "databases": lambda o: with_databases(o.runs),
            "short": lambda o: short_jobs(o.starts),
            "first-24": lambda o: first_24_puzzle(o.runs),
        },
        runs=3,
        starts=10,
    )
