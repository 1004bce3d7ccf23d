"""The first minute of a new user, before anything is compiled or built.

Each first start has an empty cache and folder; second starts reuse them. Boards are posted as soon
as the system is ready, which is when the clock starts. ``clone`` times ``make run`` in a bare
clone, and commands there; ``short`` counts short jobs whose first solution is improved, each in a
new system with one worker; ``first-24`` times `tilework solve` for Korf24 #38 without databases.
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
from tools.benchmarks.harness.boards import random_board, read_korf50
from tools.benchmarks.harness.report import Figure, at_least, run
from tools.benchmarks.harness.system import System, start_system
from tools.benchmarks.harness.timing import TILEWORK, ProgramResult, measure_median, run_program

ROOT = Path(__file__).parents[2]
COMMAND_RUNS = 7
POLL_S = 0.05
EASY_4X4 = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3"
COMPILE = """
import time
from tilework.core.solver.kernel_sets import KERNEL_SETS, compile_kernel_set
started = time.process_time()
for kernel_set in KERNEL_SETS:
    compile_kernel_set(kernel_set)
print(time.process_time() - started)
"""

Job = dict[str, Any]


@contextmanager
def new_folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="tilework-") as name:
        yield Path(name)


@contextmanager
def run_system(folder: Path, *options: str) -> Iterator[System]:
    """Run a system that uses a folder for its cache and data."""
    environment = os.environ | {
        "XDG_CACHE_HOME": str(folder / "cache"),
        "TILEWORK_DATA_DIR": str(folder / "data"),
    }
    environment.pop("NUMBA_CACHE_DIR", None)
    with start_system([TILEWORK, "up", *options], environment, folder) as system:
        yield system


def watch(
    system: System, board: Board, satisfies: Callable[[Job], bool], seconds: float | None = None
) -> tuple[float, Job]:
    """Post a board and poll it; return when it first met the condition, and the ended job."""
    client = system.client()
    job = client.submit(board, time_limit_s=seconds)
    satisfied_s = float("inf")
    while True:
        if satisfies(job):
            satisfied_s = min(satisfied_s, time.perf_counter() - system.ready_at)
        if job["finished_at"] is not None:
            return satisfied_s, job
        time.sleep(POLL_S)
        job = client.read(job)


def solve_boards_at_once(system: System, seed: int) -> dict[str, float]:
    """Post a board of each size; return the seconds until each has a good answer."""
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
    good_s, job = best.result()
    seconds = {"3×3": small.result()[0], "4×4": medium.result()[0], "10×10": good_s}
    return seconds | {"end": job["upper_bound"] / distance}


def measure_starts(runs: int) -> Iterator[Figure]:
    first: list[dict[str, float]] = []
    second: list[dict[str, float]] = []
    for seed in range(runs):
        with new_folder() as folder:
            for starts, board_seed in ((first, seed), (second, runs + seed)):
                with run_system(folder) as system:
                    starts.append(solve_boards_at_once(system, board_seed))
                print(starts[-1], flush=True)
    for start, all_runs, bars in (("", first, (1, 8, 12)), ("second start, ", second, (1, 1, 2))):
        medians = {kind: median(run[kind] for run in all_runs) for kind in all_runs[0]}
        yield Figure(f"{start}ready to 3×3 optimal", medians["3×3"], "s", bars[0])
        yield Figure(f"{start}ready to 4×4 optimal", medians["4×4"], "s", bars[1])
        yield Figure(f"{start}ready to 10×10 at 1.7 × Manhattan", medians["10×10"], "s", bars[2])
        yield Figure(f"{start}10×10 after its 30 s, times Manhattan", medians["end"], "", 1.46)


def measure_short_jobs(starts: int) -> Iterator[Figure]:
    """Count the short jobs whose last solution is better than their first."""
    for side, seconds in ((7, 12.0), (6, 4.0)):
        improved = sum(_is_improved(side, seconds, seed) for seed in range(starts))
        label = f"{side}×{side} of {seconds:g} s, one worker: improved solutions, of {starts}"
        yield at_least(label, improved, "", starts)


def _is_improved(side: int, seconds: float, seed: int) -> bool:
    with new_folder() as folder, run_system(folder, "--workers", "1") as system:
        _, job = watch(system, random_board(side, seed), bool, seconds)
        history = system.client().get(f"/api/v1/jobs/{job['id']}/history")["events"]
    return len({event["upper_bound"] for event in history} - {None}) > 1


def measure_database_builds(runs: int) -> Iterator[Figure]:
    """Measure the time until a 24-puzzle is searched with pattern databases."""
    korf, times = read_korf50()[1], []
    for _ in range(runs):
        with new_folder() as folder, run_system(folder) as system:
            client = system.client()
            job = client.submit(korf.board, korf.goal)
            activity = f"/api/v1/jobs/{job['id']}/activity"
            while not (client.get(activity)["engine"] or "").startswith("5x5 "):
                time.sleep(POLL_S)
            times.append(time.perf_counter() - system.ready_at)
            client.cancel(job)
    yield Figure("ready to a 24-puzzle searched with pattern databases", median(times), "s", 25)


def measure_compilation() -> Iterator[Figure]:
    with new_folder() as folder:
        environment = os.environ | {"NUMBA_CACHE_DIR": str(folder)}
        result = run_program([sys.executable, "-c", COMPILE], environment)
    yield Figure("processor time of all compilation", float(result.output), "s", 45)


def measure_commands(program: Path) -> Iterator[Figure]:
    """Time whole commands, with everything compiled and built."""
    environment = os.environ.copy()
    environment.pop("PYTHONDONTWRITEBYTECODE", None)

    def measure_seconds(*arguments: str) -> float:
        run_program([str(program), *arguments], environment)
        return measure_median(
            COMMAND_RUNS, lambda: run_program([str(program), *arguments], environment)
        )

    for label, bar, *arguments in (
        ("`tilework solve` of a 3×3 of 23 moves", 0.35, "solve", "2 7 6 5 8 3 4 0 1"),
        ("`tilework solve` of a 3×3 of 31 moves", 0.35, "solve", "8 6 7 2 5 4 3 0 1"),
        ("`tilework solve` of a 4×4", 0.8, "solve", EASY_4X4, "--goal", "blank-first"),
        ("`tilework --help`", 0.15, "--help"),
    ):
        yield Figure(str(label), measure_seconds(*map(str, arguments)), "s", float(bar))


def measure_bare_clone() -> Iterator[Figure]:
    """Time ``make run`` in a clone, then commands of the program that it installs."""
    with new_folder() as folder:
        clone = folder / "clone"
        subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)
        environment = os.environ | {"XDG_CACHE_HOME": str(folder / "cache")}
        with start_system(["make", "run"], environment, folder, cwd=clone) as system:
            yield Figure("`make run` in a bare clone, to ready", system.start_s, "s", 45)
        shutil.rmtree(clone / "data", ignore_errors=True)
        yield from measure_commands(clone / ".venv" / "bin" / "tilework")


def measure_first_24_puzzle(runs: int) -> Iterator[Figure]:
    """Time `tilework solve` without databases, and finally also without compiled kernels."""
    results = [_solve_38(compiled=True) for _ in range(runs)]
    yield Figure(
        "Korf24 #38, no databases, median", median(result.seconds for result in results), "s", 75
    )
    yield Figure(
        "Korf24 #38, no databases and nothing compiled", _solve_38(compiled=False).seconds, "s"
    )


def _solve_38(*, compiled: bool) -> ProgramResult:
    korf = read_korf50()[38]
    board = " ".join(map(str, korf.board.cells.tolist()))
    with new_folder() as folder:
        environment = os.environ | {"XDG_CACHE_HOME": str(folder), "TILEWORK_PDB_BUILD": "true"}
        if not compiled:
            environment["NUMBA_CACHE_DIR"] = str(folder / "numba")
        result = run_program([TILEWORK, "solve", board, "--goal", "blank-first"], environment)
    if len(result.output.strip()) != korf.length:
        raise SystemExit(f"{korf.name} has {korf.length} moves, not {result.output!r}")
    return result


if __name__ == "__main__":
    run(
        "first_minute",
        __doc__,
        {
            "clone": lambda _: measure_bare_clone(),
            "compilation": lambda _: measure_compilation(),
            "starts": lambda o: measure_starts(o.runs),
            "databases": lambda o: measure_database_builds(o.runs),
            "short": lambda o: measure_short_jobs(o.starts),
            "first-24": lambda o: measure_first_24_puzzle(o.runs),
        },
        runs=3,
        starts=10,
    )
