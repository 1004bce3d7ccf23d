import os
import signal
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from subprocess import run

import httpx2
import psutil

from tests.support.instances import KORF_24_1
from tests.support.running_system import TILEWORK, RunningSystem
from tests.support.waiting import wait_until
from tilework.core.machine import user_cache
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.scramble import scramble
from tilework.core.solver.pdb.files import ensure_built
from tilework.core.solver.pdb.partitions import find_partition_by_title

EASY_BOARD = "8 6 7 2 5 4 3 0 1"


def has_exited(process: psutil.Process) -> bool:
    return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE


def stop(system: RunningSystem) -> None:
    """Press Ctrl-C; no process may remain."""
    processes = system.find_descendants()
    system.process.send_signal(signal.SIGINT)
    assert system.process.wait() == 0
    assert not any(process.is_running() for process in processes)


def read_start_error(*options: str) -> str:
    """Start another system, which must exit with an error; return the error."""
    process = run([str(TILEWORK), "up", *options], capture_output=True, text=True, check=False)
    assert process.returncode == 2
    return process.stderr


def test_databases_of_the_user_are_not_built_again(
    start: Callable[..., RunningSystem], tmp_path: Path
) -> None:
    folder, kernels = tmp_path / "cache" / "tilework" / "databases", user_cache()
    folder.mkdir(parents=True)
    ensure_built(find_partition_by_title("3x2 5"), folder)
    environment = {"XDG_CACHE_HOME": str(tmp_path / "cache"), "NUMBA_CACHE_DIR": str(kernels)}
    start(TILEWORK_PDB_DIR="", **environment)
    linked = tmp_path / "data" / "pdb" / "3x2-5.pdb"
    wait_until(linked.exists)
    assert linked.samefile(folder / linked.name)


def test_system_from_start_to_restart(
    start: Callable[..., RunningSystem], tmp_path: Path, long_shutdown: dict[str, str]
) -> None:
    first = start()
    job = first.submit(EASY_BOARD)
    first.wait_until_optimal(job)
    body = {"board": EASY_BOARD, "methods": ["a-star:manhattan"]}
    comparison = f"/api/v1/comparisons/{first.call('/api/v1/comparisons', body)['id']}"
    wait_until(lambda: first.call(comparison)["unfinished"] == 0)
    # The web process, Valkey, a worker of each kind, and the reaper.
    wait_until(lambda: len(first.find_descendants()) == 6)

    message = f"another tilework up (process {first.process.pid})"
    assert message in read_start_error("--data-dir", str(tmp_path / "data"))
    port = first.url.rsplit(":", 1)[1]
    folder = ("--data-dir", str(tmp_path / "other"))
    assert f"cannot listen on port {port}" in read_start_error(*folder, "--port", port)

    # Crashed processes are restarted.
    for process in first.find_descendants():
        if "reaper" not in " ".join(process.cmdline()):
            os.kill(process.pid, signal.SIGKILL)
    jobs: list[str] = []

    def can_submit() -> bool:
        try:
            jobs.append(first.submit("1 2 3 4 5 6 0 7 8"))
        except httpx2.TransportError:
            return False
        return True

    wait_until(can_submit)
    first.wait_until_optimal(jobs[0])

    # No process outlives a killed supervisor; a new system waits until the old one is gone.
    processes = first.find_descendants()
    first.process.kill()
    first.process.wait()
    second = start(**long_shutdown)
    assert second.call(f"/api/v1/jobs/{job}")["upper_bound"] == 31
    assert second.call(comparison)["runs"][0]["length"] == 31
    assert all(map(has_exited, processes))
    stop(second)


def test_ctrl_c_stops_compilation(start: Callable[..., RunningSystem], tmp_path: Path) -> None:
    system = start(NUMBA_CACHE_DIR=str(tmp_path / "numba"))
    wait_until(lambda: "[up] serving" in system.read_log())
    stop(system)
    assert "Traceback" not in system.read_log()


def test_ctrl_c_during_long_searches_returns_their_slices(
    start: Callable[..., RunningSystem], tmp_path: Path, long_shutdown: dict[str, str]
) -> None:
    system = start(**long_shutdown)
    for side in (16, 64):
        board = scramble(Size(side, side), blank_last(Size(side, side)), seed=1)
        system.submit(" ".join(map(str, board.cells.tolist())))
    body = {"board": "14 15 8 12 10 11 9 13 2 6 5 1 3 7 4 0", "methods": ["a-star:manhattan"]}
    system.call("/api/v1/comparisons", body)
    job = system.call("/api/v1/jobs", {"board": KORF_24_1, "goal": "blank-first"})["id"]
    wait_until(lambda: system.call(f"/api/v1/jobs/{job}")["nodes"] > 0)
    stop(system)
    assert "did not stop" not in system.read_log()
    assert "Traceback" not in system.read_log()
    with closing(sqlite3.connect(tmp_path / "data" / "tilework.sqlite")) as database:
        assert database.execute("SELECT 1 FROM slice WHERE state = 'leased'").fetchall() == []
        assert database.execute("SELECT 1 FROM task WHERE state = 'running'").fetchall() == []
