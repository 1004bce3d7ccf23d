"""The first start: nothing is compiled, no pattern database exists, and jobs come immediately."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.support.running_system import RunningSystem
from tests.support.waiting import wait_until
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.scramble import scramble


def submit(system: RunningSystem, side: int, seconds: float | None = None) -> str:
    board = scramble(Size(side, side), blank_last(Size(side, side)), seed=side)
    body = {"board": board.cells.tolist(), "time_limit_s": seconds}
    return str(system.call("/api/v1/jobs", body)["id"])


def wait_until_finished(system: RunningSystem, job: str) -> Any:
    wait_until(lambda: system.call(f"/api/v1/jobs/{job}?wait=5")["finished_at"] is not None)
    return system.call(f"/api/v1/jobs/{job}")


def test_first_jobs_run_uncompiled(start: Callable[..., RunningSystem], tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    system = start(XDG_CACHE_HOME=str(cache), TILEWORK_PDB_DIR=str(cache / "databases"))
    # When the system reports that it is ready, it is ready for small boards.
    small_job = submit(system, 3)
    assert system.request("/readyz").body["preparing_s"] > 0
    short_job, long_job = submit(system, 10, 8.0), submit(system, 6, 600.0)
    medium_job = submit(system, 4)
    assert system.call(f"/api/v1/jobs/{short_job}/activity")["preparing_s"] > 0
    system.wait_until_optimal(small_job)
    system.wait_until_optimal(medium_job)
    # Its time limit applies only to the search.
    assert wait_until_finished(system, short_job)["state"] == "bounded"

    def is_improved() -> bool:
        events = system.call(f"/api/v1/jobs/{long_job}/history")["events"]
        return len({event["upper_bound"] for event in events if event["upper_bound"]}) > 1

    wait_until(is_improved)
    wait_until(lambda: system.request("/readyz").body["preparing_s"] is None)
    assert "Traceback" not in system.read_log()
