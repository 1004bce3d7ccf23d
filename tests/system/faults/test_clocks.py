"""A worker whose host's clock is a minute off: nothing ends early, and nothing is lost.

On PostgreSQL only, as SQLite serves one host, which has one clock.
"""

from __future__ import annotations

import random
import re
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from tests.support import naive
from tests.support.instances import instances
from tests.system.faults.stage import Stage, boards_3x3, lengths
from tilework.core.cli.system.supervisor import Supervisor
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.scramble import scramble
from tilework.core.services.states import JobState, SliceState

JOBS = 200
KORF = 16
LONG = 4

LIMIT_S = 14.0
"""Less than the clock is off: who trusted that clock would end a long search at once."""

LEASE_S = 10.0
"""Less than a long search takes: only a lease that is prolonged holds."""

SKEWED = "tests.system.faults.skewed_worker"


@pytest.fixture
def stage(tmp_path: Path, database_url: str, pattern_databases: Path) -> Iterator[Stage]:
    """Leases as in life: no worker dies here, so that none may ever run out."""
    with Supervisor() as supervisor:
        made = Stage(tmp_path, supervisor, database_url, pattern_databases, lease_s=LEASE_S)
        try:
            yield made
        finally:
            made.close()


@pytest.fixture(scope="session")
def libfaketime() -> Path:
    for folder in ("/usr/lib", "/usr/lib64", "/usr/local/lib"):
        for found in sorted(Path(folder).glob("**/faketime/libfaketime.so.1")):
            return found
    pytest.fail(
        "libfaketime is missing; install it with: apt-get install libfaketime", pytrace=False
    )


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
@pytest.mark.parametrize(("ahead", "told"), [("+60s", "ahead of"), ("-60s", "behind")])
def test_a_workers_clock_is_a_minute_off(
    stage: Stage, libfaketime: Path, tmp_path: Path, ahead: str, told: str
) -> None:
    logs = {"right": tmp_path / "right.log", "wrong": tmp_path / "wrong.log"}
    stage.start_worker(log=logs["right"])
    clock = {
        "LD_PRELOAD": str(libfaketime),
        "FAKETIME": ahead,
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
    }
    stage.start_module(SKEWED, clock, logs["wrong"])
    goal = blank_last(Size(5, 5))
    hard = [scramble(Size(5, 5), goal, seed) for seed in range(LONG)]
    korf = sorted(instances("korf100_15puzzle.txt"), key=lambda one: one.length)[:KORF]
    known = {Board(turned(one.tiles), 4, 4): one.length for one in korf}
    small = boards_3x3(JOBS - KORF - LONG, seed=6)
    known |= {board: lengths()[tuple(board.cells.tolist())] for board in small}
    short = list(known)
    random.Random(6).shuffle(short)

    submitted = database_time(stage)
    long = [stage.submit(board, LIMIT_S) for board in hard]
    jobs = [stage.submit(board) for board in short]
    assert len(long) + len(jobs) == JOBS

    skews = []
    ended = 0
    while ended < LONG:
        ended = stage.ended(long)
        assert not ended or database_time(stage) >= submitted + LIMIT_S
        skews.append(stage.services.read.clock_skew_s())
        time.sleep(0.1)
    stage.await_that(lambda: stage.ended(jobs) == len(jobs))

    for board, job in zip(short, jobs, strict=True):
        view = stage.view(job)
        assert (view.state, view.message) == (JobState.OPTIMAL, None)
        assert replayed(stage, board, job) == known[board] == view.upper_bound == view.lower_bound
    for board, job in zip(hard, long, strict=True):
        view = stage.view(job)
        assert view.state is JobState.BOUNDED
        assert view.finished_at - view.created_at >= LIMIT_S
        assert submitted <= view.created_at
        assert view.finished_at <= database_time(stage)
        assert view.lower_bound <= replayed(stage, board, job) == view.upper_bound
    # A worker hears of a job's end at its next look.
    stage.await_that(lambda: not stage.leased())
    rows = stage.search_slices().values()
    assert {row.state for row in rows} <= {SliceState.DONE, SliceState.PARKED}
    # None was ever taken from who held it.
    assert max(row.attempts for row in rows) == 1
    assert max(skews, key=abs) == pytest.approx(float(ahead.removesuffix("s")), abs=1)

    [warning] = [line for line in logs["wrong"].read_text().splitlines() if "clock" in line]
    off = re.search(rf"this host's clock is ([\d.]+) s {told} the database's", warning)
    assert off is not None
    assert float(off[1]) == pytest.approx(60, abs=1)
    assert "clock" not in logs["right"].read_text()


def turned(tiles: tuple[int, ...]) -> tuple[int, ...]:
    """Turn a board and its numbers half round: the goal's blank goes from first to last."""
    return tuple(tile and len(tiles) - tile for tile in reversed(tiles))


def replayed(stage: Stage, board: Board, job: str) -> int:
    """Play a job's solution by the oracle; return its length."""
    moves = "".join("UDLR"[code] for code in stage.services.read.solution(job).moves)
    played = naive.played(tuple(board.cells.tolist()), board.width, moves)
    assert played == naive.solved(board.width, board.height)
    return len(moves)


def database_time(stage: Stage) -> float:
    with psycopg.connect(stage.settings.database_url) as connection:
        found = connection.execute("SELECT extract(epoch FROM clock_timestamp())").fetchone()
    return float(found[0])
