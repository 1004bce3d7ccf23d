"""The whole system during outages of its database, disk or broker, as a client sees it."""

import resource
import signal
from collections.abc import Callable
from itertools import count

import psutil

from tests.support.postgres_process import postgres_process
from tests.support.running_system import RunningSystem
from tests.support.waiting import wait_until
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.scramble import scramble

GOAL = blank_last(Size(3, 3))
# Each board is a different puzzle, so none has a stored solution.
BOARDS = (" ".join(map(str, scramble(GOAL.size, GOAL, seed).cells.tolist())) for seed in count())


def assert_rejected(system: RunningSystem, job: str, *, can_read: bool) -> None:
    """Check that posts are rejected cleanly, and reads too unless `can_read`."""
    wait_until(lambda: system.request("/readyz").status == 503)
    for _ in range(5):
        responses = [system.request("/api/v1/jobs", {"board": "1 2 3 4 5 6 7 0 8"})]
        response = system.request(f"/api/v1/jobs/{job}")
        if can_read:
            assert response.status == 200
        else:
            responses.append(response)
        assert [response.status for response in responses] == [503] * len(responses)
        assert all(response.retry_after for response in responses)
        assert system.request("/readyz").status == 503


def assert_recovers(system: RunningSystem, jobs: list[str]) -> None:
    wait_until(lambda: system.request("/readyz").status == 200)
    for job in (*jobs, system.submit(next(BOARDS))):
        system.wait_until_optimal(job)
    assert "Traceback (most" not in system.read_log()


def test_system_recovers_from_postgresql_outages(start: Callable[..., RunningSystem]) -> None:
    with postgres_process() as postgres:
        postgres.stop()
        system = start(TILEWORK_DATABASE_URL=postgres.url)
        wait_until(lambda: "waiting for the database" in system.read_log())
        postgres.start()
        job = system.submit(next(BOARDS))
        system.wait_until_optimal(job)
        jobs = [job, system.submit(next(BOARDS))]
        postgres.stop()
        assert_rejected(system, job, can_read=False)
        postgres.start()
        assert_recovers(system, jobs)
        system.end()
        # The system can be stopped while it waits.
        postgres.stop()
        system = start(TILEWORK_DATABASE_URL=postgres.url)
        wait_until(lambda: "waiting for the database" in system.read_log())
        system.process.send_signal(signal.SIGINT)
        assert system.process.wait() == 0


def test_system_recovers_from_full_disk_and_broker_outage(
    start: Callable[..., RunningSystem],
) -> None:
    system = start()
    jobs = [system.submit(next(BOARDS))]
    system.wait_until_optimal(jobs[0])

    limit_files(system, 4096)
    try:
        assert_rejected(system, jobs[0], can_read=True)
    finally:
        limit_files(system, resource.RLIM_INFINITY)
    assert_recovers(system, jobs)

    find_broker(system).suspend()
    try:
        wait_until(lambda: system.request("/readyz").status == 503)
        jobs.append(system.submit(next(BOARDS)))  # it is stored in the database
    finally:
        find_broker(system).resume()
    assert_recovers(system, jobs)

    find_broker(system).kill()
    jobs.append(system.submit(next(BOARDS)))
    assert_recovers(system, jobs)
    wait_until(lambda: system.call("/api/v1/statistics")["restarts"] == 1)


def find_broker(system: RunningSystem) -> psutil.Process:
    return next(process for process in system.find_descendants() if "valkey" in process.name())


def limit_files(system: RunningSystem, size: int) -> None:
    """Limit the length of the files that the system's processes write."""
    for process in system.find_descendants():
        if "python" in process.name() and "reaper" not in " ".join(process.cmdline()):
            hard_limit = process.rlimit(psutil.RLIMIT_FSIZE)[1]
            process.rlimit(psutil.RLIMIT_FSIZE, (size, hard_limit))
