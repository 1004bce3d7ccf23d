"""Workers whose clocks are a minute off: nothing ends early, and nothing is lost.

Only on PostgreSQL, because SQLite is used on one host, which has one clock.
"""

import re
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest

from tests.support.waiting import wait_until
from tests.system.faults.real_system import RealSystem, boards_3x3
from tilework.core.model.states import JobState, SliceState
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.scramble import scramble

SMALL = 60
LONG = 3

# Less than the clock difference: such a clock, if trusted, would end a long search immediately.
LIMIT_S = 20.0
# Less than a long search takes: its lease must be renewed.
LEASE_S = 15.0
SKEWS = {"+60s": "ahead of", "-60s": "behind"}

SKEWED = "tests.system.faults.skewed_worker"


@pytest.fixture(scope="session")
def libfaketime() -> Path:
    for folder in ("/usr/lib", "/usr/lib64", "/usr/local/lib"):
        for found in sorted(Path(folder).glob("**/faketime/libfaketime.so.1")):
            return found
    pytest.fail(
        "libfaketime is missing; install it with: apt-get install libfaketime", pytrace=False
    )


def test_worker_clocks_are_a_minute_off(
    make_real_system: Callable[..., RealSystem],
    postgres_url: str,
    libfaketime: Path,
    tmp_path: Path,
) -> None:
    real_system = make_real_system(postgres_url, lease_s=LEASE_S)
    real_system.start_worker(log=tmp_path / "right.log")
    for skew in SKEWS:
        clock = {
            "LD_PRELOAD": str(libfaketime),
            "FAKETIME": skew,
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        }
        real_system.start_module(SKEWED, clock, tmp_path / f"{skew}.log")
    goal = blank_last(Size(5, 5))
    hard = [scramble(Size(5, 5), goal, seed) for seed in range(LONG)]
    short = boards_3x3(SMALL, seed=6)

    submitted = database_time(real_system)
    long = [real_system.submit(board, LIMIT_S) for board in hard]
    jobs = [real_system.submit(board) for board in short]

    skews = []
    ended = 0
    while ended < LONG:
        ended = real_system.count_ended(long)
        assert not ended or database_time(real_system) >= submitted + LIMIT_S
        skews.append(real_system.services.read.clock_skew_s())
    wait_until(lambda: real_system.count_ended(jobs) == len(jobs))

    real_system.assert_all_optimal(short, jobs)
    assert [real_system.view(job).message for job in jobs] == [None] * SMALL
    for board, job in zip(hard, long, strict=True):
        view = real_system.view(job)
        assert view.state is JobState.BOUNDED
        assert view.finished_at - view.created_at >= LIMIT_S
        assert submitted <= view.created_at
        assert view.finished_at <= database_time(real_system)
        assert view.lower_bound <= real_system.replay_solution(board, job) == view.upper_bound
    # A worker notices a job's end at its next check.
    wait_until(lambda: not real_system.leased())
    rows = real_system.search_slices().values()
    assert {row.state for row in rows} <= {SliceState.DONE, SliceState.PARKED}
    # No slice was taken from its holder.
    assert max(row.attempts for row in rows) == 1
    assert abs(max(skews, key=abs)) == pytest.approx(60, abs=20)
    for skew, direction in SKEWS.items():
        lines = (tmp_path / f"{skew}.log").read_text().splitlines()
        [warning] = [line for line in lines if "clock" in line]
        off = re.search(rf"this host's clock is ([\d.]+) s {direction} the database's", warning)
        assert float(off[1]) == pytest.approx(60, abs=20)
    assert "clock" not in (tmp_path / "right.log").read_text()


def database_time(real_system: RealSystem) -> float:
    with psycopg.connect(real_system.settings.database_url) as connection:
        found = connection.execute("SELECT extract(epoch FROM clock_timestamp())").fetchone()
    return float(found[0])
