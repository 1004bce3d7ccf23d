import os
import signal
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import httpx2
import psutil

from tests.support.waiting import wait_until
from tests.system.up.running_system import TILEWORK, RunningSystem
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.scramble import scramble

HARDEST = "8 6 7 2 5 4 3 0 1"
# Korf's first 24-puzzle: far more than a minute.
HARD = "14 5 9 2 18 8 23 19 12 17 15 0 10 20 4 6 11 21 1 7 24 3 16 22 13"


def is_over(process: psutil.Process) -> bool:
    return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE


def read_start_error(*options: str) -> str:
    """Start another system, which must exit with an error; return the error."""
    process = subprocess.run(
        [str(TILEWORK), "up", *options], capture_output=True, text=True, check=False
    )
    assert process.returncode == 2
    return process.stderr


def test_one_folder_from_start_to_restart(
    start: Callable[..., RunningSystem], tmp_path: Path, patient: dict[str, str]
) -> None:
    first = start()
    job = first.submit(HARDEST)
    first.await_optimal(job)
    body = {"board": HARDEST, "methods": ["a-star:manhattan"]}
    compared = f"/api/v1/comparisons/{first.call('/api/v1/comparisons', body)['id']}"
    wait_until(lambda: first.call(compared)["unfinished"] == 0)
    # Web, Valkey, a worker of each kind, the reaper.
    wait_until(lambda: len(first.descendants()) == 6)

    why = f"another tilework up (process {first.process.pid})"
    assert why in read_start_error("--data-dir", str(tmp_path / "data"))
    port = first.url.rsplit(":", 1)[1]
    other = ("--data-dir", str(tmp_path / "other"))
    assert f"cannot listen on port {port}" in read_start_error(*other, "--port", port)

    # Crashed processes are restarted.
    for process in first.descendants():
        if "reaper" not in " ".join(process.cmdline()):
            os.kill(process.pid, signal.SIGKILL)
    posted: list[str] = []

    def is_posted() -> bool:
        try:
            posted.append(first.submit("1 2 3 4 5 6 0 7 8"))
        except httpx2.TransportError:
            return False
        return True

    wait_until(is_posted)
    first.await_optimal(posted[0])

    # Nothing outlives a killed supervisor, and a second start waits until the first is gone.
    family = first.descendants()
    first.process.kill()
    first.process.wait()
    second = start(**patient)
    assert second.call(f"/api/v1/jobs/{job}")["upper_bound"] == 31
    assert second.call(compared)["runs"][0]["length"] == 31
    assert all(map(is_over, family))

    family = second.descendants()
    second.process.send_signal(signal.SIGINT)
    assert second.process.wait() == 0
    assert not any(process.is_running() for process in family)


def test_ctrl_c_while_kernels_are_compiled(
    start: Callable[..., RunningSystem], tmp_path: Path
) -> None:
    system = start(NUMBA_CACHE_DIR=str(tmp_path / "numba"))
    wait_until(lambda: "[up] serving" in system.log())
    family = system.descendants()
    system.process.send_signal(signal.SIGINT)
    assert system.process.wait() == 0
    assert not any(process.is_running() for process in family)
    assert "Traceback" not in system.log()


def test_ctrl_c_during_long_searches_returns_their_slices(
    start: Callable[..., RunningSystem], tmp_path: Path, patient: dict[str, str]
) -> None:
    system = start(**patient)
    for side in (16, 64):
        board = scramble(Size(side, side), blank_last(Size(side, side)), seed=1)
        system.submit(" ".join(map(str, board.cells.tolist())))
    compared = {"board": "14 15 8 12 10 11 9 13 2 6 5 1 3 7 4 0", "methods": ["a-star:manhattan"]}
    system.call("/api/v1/comparisons", compared)
    job = system.call("/api/v1/jobs", {"board": HARD, "goal": "blank-first"})["id"]
    wait_until(lambda: system.call(f"/api/v1/jobs/{job}")["nodes"] > 0)
    family = system.descendants()
    system.process.send_signal(signal.SIGINT)
    assert system.process.wait() == 0
    assert not any(process.is_running() for process in family)
    assert "did not stop" not in system.log()
    assert "Traceback" not in system.log()
    with closing(sqlite3.connect(tmp_path / "data" / "tilework.sqlite")) as database:
        assert database.execute("SELECT 1 FROM slice WHERE state = 'leased'").fetchall() == []
        assert database.execute("SELECT 1 FROM task WHERE state = 'running'").fetchall() == []
