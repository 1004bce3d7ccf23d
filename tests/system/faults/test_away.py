"""The whole system while its database, its disk or its broker is away, as a client sees it."""

from __future__ import annotations

import json
import os
import resource
import signal
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import psutil
import pytest

from tests.support.postgres_process import PostgresProcess, postgres_process
from tests.system.up.test_up import Up, await_that

AWAY_S = 5.0
# A machine that does much else may take as long; a client that waits for a time-out, longer.
LONGEST_S = 3.0

EASY = ("1 2 3 4 5 6 0 7 8", "1 2 3 4 0 6 7 5 8", "8 6 7 2 5 4 3 0 1", "1 2 3 0 4 6 7 5 8")


class Answer(NamedTuple):
    status: int
    seconds: float
    retry_after: str | None
    body: Any


def ask(system: Up, path: str, body: Any = None) -> Answer:
    request = urllib.request.Request(
        system.url + path,
        data=None if body is None else json.dumps(body).encode(),
        headers={"Content-Type": "application/json"},
    )
    began = time.monotonic()
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            status, headers, text = response.status, response.headers, response.read()
    except urllib.error.HTTPError as error:
        with error:
            status, headers, text = error.code, error.headers, error.read()
    seconds = time.monotonic() - began
    return Answer(status, seconds, headers.get("Retry-After"), json.loads(text))


def job_of(system: Up, board: str) -> str:
    return str(ask(system, "/api/v1/jobs", {"board": board}).body["id"])


def ends(system: Up, job: str) -> Callable[[], bool]:
    return lambda: ask(system, f"/api/v1/jobs/{job}").body["state"] == "optimal"


def assert_told_at_once(system: Up, job: str, *, reads: bool) -> None:
    """For some seconds all requests are answered or refused cleanly, and /readyz says why."""
    await_that(lambda: ask(system, "/readyz").status == 503, 3)
    end = time.monotonic() + AWAY_S
    while time.monotonic() < end:
        posted = ask(system, "/api/v1/jobs", {"board": "1 2 3 4 5 6 7 0 8"})
        read = ask(system, f"/api/v1/jobs/{job}")
        for answer in (posted, read):
            assert answer.seconds < LONGEST_S
            assert answer.status == 503 or (reads and answer is read and answer.status == 200)
            assert answer.status == 200 or answer.retry_after is not None
        readiness = ask(system, "/readyz")
        assert (readiness.status, readiness.seconds < LONGEST_S) == (503, True)
        time.sleep(0.1)


def assert_goes_on(system: Up, jobs: list[str]) -> None:
    await_that(lambda: ask(system, "/readyz").status == 200)
    for job in jobs:
        await_that(ends(system, job))
    later = job_of(system, EASY[-1])
    await_that(ends(system, later))
    assert "Traceback (most" not in system.log()


@pytest.fixture
def start(tmp_path: Path, pattern_databases: Path) -> Iterator[Callable[..., Up]]:
    runs: list[Up] = []

    def start_up(**variables: str) -> Up:
        runs.append(Up(tmp_path / "data", pattern_databases, **variables))
        return runs[-1]

    yield start_up
    for run in runs:
        if run.process.poll() is None:
            run.end()
        assert run.process.stdout is not None
        run.process.stdout.close()


@pytest.fixture
def postgres() -> Iterator[PostgresProcess]:
    with postgres_process() as process:
        yield process


def test_postgresql_comes_late_and_goes_for_a_while(
    start: Callable[..., Up], postgres: PostgresProcess
) -> None:
    postgres.stop()
    system = start(TILEWORK_DATABASE_URL=postgres.url, TILEWORK_PDB_BUILD="false")
    await_that(lambda: "waiting for the database" in system.log())
    time.sleep(1.0)
    assert system.process.poll() is None
    postgres.start()
    jobs = [job_of(system, board) for board in EASY[:2]]
    await_that(ends(system, jobs[0]))
    jobs.append(job_of(system, EASY[2]))
    postgres.stop()
    assert_told_at_once(system, jobs[0], reads=False)
    postgres.start()
    assert_goes_on(system, jobs)


def test_up_can_be_stopped_while_it_waits(
    start: Callable[..., Up], postgres: PostgresProcess
) -> None:
    postgres.stop()
    system = start(TILEWORK_DATABASE_URL=postgres.url)
    await_that(lambda: "waiting for the database" in system.log())
    system.process.send_signal(signal.SIGINT)
    assert system.process.wait(timeout=5) == 0


def test_the_disk_is_full_for_a_while(start: Callable[..., Up]) -> None:
    system = start(TILEWORK_PDB_BUILD="false")
    jobs = [job_of(system, board) for board in EASY[:2]]
    await_that(ends(system, jobs[0]))
    jobs.append(job_of(system, EASY[2]))
    limit_files(system, 4096)
    try:
        assert_told_at_once(system, jobs[0], reads=True)
    finally:
        limit_files(system, resource.RLIM_INFINITY)
    assert_goes_on(system, jobs)


def test_the_broker_is_gone_for_a_while(start: Callable[..., Up]) -> None:
    system = start(TILEWORK_PDB_BUILD="false")
    jobs = [job_of(system, EASY[0])]
    await_that(ends(system, jobs[0]))
    broker = next(one for one in system.descendants() if "valkey" in one.name())
    broker.suspend()
    try:
        await_that(lambda: ask(system, "/readyz").status == 503, 5)
        for board in EASY[1:3]:
            answer = ask(system, "/api/v1/jobs", {"board": board})
            assert (answer.status, answer.seconds < LONGEST_S) == (202, True)
            jobs.append(answer.body["id"])
        time.sleep(AWAY_S)
    finally:
        broker.resume()
    assert_goes_on(system, jobs)


def test_the_broker_s_files_are_damaged(start: Callable[..., Up], tmp_path: Path) -> None:
    system = start(TILEWORK_PDB_BUILD="false")
    jobs = [job_of(system, EASY[0])]
    await_that(ends(system, jobs[0]))
    for path in (tmp_path / "data" / "broker" / "appendonlydir").glob("*.aof"):
        path.write_bytes(os.urandom(1_000))
    next(one for one in system.descendants() if "valkey" in one.name()).kill()
    jobs.append(job_of(system, EASY[1]))
    began = time.monotonic()
    await_that(ends(system, jobs[1]))
    assert time.monotonic() - began < 15
    assert list((tmp_path / "data" / "broker").glob("damaged-*"))
    assert_goes_on(system, jobs)
    await_that(lambda: ask(system, "/api/v1/statistics").body["restarts"] == 2)


def limit_files(system: Up, size: int) -> None:
    """Let the processes that use the database make no file longer than this."""
    for process in system.descendants():
        if "python" in process.name() and "guardian" not in " ".join(process.cmdline()):
            hard = process.rlimit(psutil.RLIMIT_FSIZE)[1]
            process.rlimit(psutil.RLIMIT_FSIZE, (size, hard))
