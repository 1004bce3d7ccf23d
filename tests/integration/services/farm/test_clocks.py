"""Two hosts whose clocks are an hour apart work on one database: its clock decides.

``time.time`` is wrong by a different amount on each host. Nothing else distinguishes the hosts.
"""

import time
from contextlib import contextmanager
from functools import partial

import pytest

from tests.support.services.fakes import FakeTickets
from tests.support.services.scripted_solver import (
    BOARD,
    GOAL,
    ScriptedSolver,
    leave_parts,
    solve_bounded,
)
from tests.unit.services.lab.scripted_lab import BREADTH_FIRST, ScriptedLab, solve_run
from tilework.core.model.comparisons import ComparisonOptions
from tilework.core.model.job_options import JobOptions
from tilework.core.model.states import JobState, Queue, RunState
from tilework.core.puzzle.board import Board
from tilework.core.services.comparisons import ComparisonService
from tilework.core.services.farm.slice_worker import SliceWorker
from tilework.core.services.jobs.clients import Clients
from tilework.core.services.jobs.jobs import JobService
from tilework.core.services.jobs.submit import Submission, SubmitJob
from tilework.core.services.reconciler import Reconciler
from tilework.core.services.tasks.lab_engine import run_search
from tilework.core.services.tasks.task_worker import TaskWorker
from tilework.core.settings import Settings
from tilework.core.storage.database import Database

SKEW_S = 3_600.0

# Much longer than any wait, and much shorter than the difference between the clocks.
TIMEOUT_S = 120.0

# More than the leases that a slice or a run may lose before it is quarantined.
ROUNDS = 5


class WallClocks:
    """The result of ``time.time`` on the host that is working."""

    def __init__(self):
        self.real_time, self.ahead_s = time.time, 0.0

    def __call__(self):
        return self.real_time() + self.ahead_s


class Host:
    """A host with its own clock and all services."""

    def __init__(self, database, settings, clocks, ahead_s):
        self.database, self.settings = database, settings
        self.clocks, self.ahead_s = clocks, ahead_s
        self.solver, self.tickets = ScriptedSolver(), FakeTickets()
        self.lab_runner = ScriptedLab()
        self.reader = JobService(database, self.tickets)
        self.worker = SliceWorker(database, self.tickets, settings, self.solver)

    @contextmanager
    def use_its_clock(self):
        previous_s, self.clocks.ahead_s = self.clocks.ahead_s, self.ahead_s
        try:
            yield
        finally:
            self.clocks.ahead_s = previous_s

    def request(self, board=BOARD, seconds=None):
        with self.use_its_clock():
            client = Clients(self.database).new()
            options = JobOptions(time_limit_s=seconds)
            submission = Submission(client_id=client, boards=[(board, GOAL)], options=options)
            return SubmitJob(self.database, self.tickets, self.settings)(submission)

    def view(self, job):
        with self.use_its_clock():
            return self.reader.view(job.id)

    def work(self, queue):
        with self.use_its_clock():
            while self.worker.run(queue, "worker", lambda: False).has_more:
                pass

    def work_in_the_lab(self):
        with self.use_its_clock():
            engine = partial(run_search, run=self.lab_runner.run)
            TaskWorker(self.database, self.settings, Queue.LAB, engine).run("worker", lambda: False)

    def reconcile(self):
        with self.use_its_clock():
            Reconciler(self.database, self.tickets).run_once()


@pytest.fixture(params=[(0.0, SKEW_S), (0.0, -SKEW_S)])
def make_hosts(request, database_url, tmp_path, monkeypatch):
    """Two hosts: the clock of one is an hour ahead or behind, that of the other is correct."""
    databases = [Database(database_url) for _ in request.param]
    clocks = WallClocks()
    monkeypatch.setattr(time, "time", clocks)

    def make(lease_s):
        settings = Settings(data_dir=tmp_path, lease_s=lease_s)
        return [
            Host(database, settings, clocks, ahead_s)
            for database, ahead_s in zip(databases, request.param, strict=True)
        ]

    yield make
    for database in databases:
        database.dispose()


@pytest.fixture
def hosts(make_hosts):
    # Longer than any pause of a busy machine, and shorter than the difference between the clocks.
    return make_hosts(lease_s=600.0)


def test_no_lease_or_job_ends_early(hosts):
    host, peer = hosts
    job = host.request(seconds=1_800.0)

    def delay(work, script):
        def run(*arguments):
            for _ in range(ROUNDS):
                peer.reconcile()
                work()
            return script(*arguments)

        return run

    peer.reconcile()
    assert not host.view(job).finished
    host.solver.solve_scripts.append(delay(partial(peer.work, Queue.INTERACTIVE), solve_bounded))
    host.work(Queue.INTERACTIVE)
    # The end of a slice checks the deadlines of all jobs of its board.
    assert not host.view(job).finished
    work = partial(peer.work, Queue.SEARCH)
    host.solver.search_scripts.append(delay(work, leave_parts(0.5, 0.5)))
    host.work(Queue.SEARCH)
    assert (peer.solver.targets, peer.solver.searches) == ([], [])
    assert len(host.solver.targets) == 1
    view = host.view(job)
    assert (view.state, view.message) == (JobState.OPTIMAL, None)
    # A lab run is not leased either.
    with host.use_its_clock():
        client = Clients(host.database).new()
        options = ComparisonOptions(methods=[BREADTH_FIRST])
        service = ComparisonService(host.database, host.tickets, host.settings)
        comparison = service.submit(client, BOARD, GOAL, options)
    host.lab_runner.scripts.append(delay(peer.work_in_the_lab, solve_run))
    host.work_in_the_lab()
    assert (len(host.lab_runner.runs), peer.lab_runner.runs) == (1, [])
    [run] = service.view(comparison.id).runs
    assert (run.state, run.optimal) == (RunState.DONE, True)


def test_expired_leases_and_jobs_end(make_hosts):
    host, peer = make_hosts(lease_s=0.3)
    job = host.request()
    with host.use_its_clock():
        assert host.worker.lease(Queue.INTERACTIVE, "dead")
    limited_job = host.request(Board([1, 2, 3, 0, 4, 5], 3, 2), seconds=0.3)
    end = time.monotonic() + TIMEOUT_S
    while not host.view(limited_job).finished and time.monotonic() < end:
        time.sleep(0.05)
        peer.reconcile()
    assert host.view(limited_job).state is JobState.EXPIRED
    while not host.view(job).finished and time.monotonic() < end:
        time.sleep(0.05)
        peer.reconcile()
        peer.work(Queue.INTERACTIVE)
    assert host.view(job).state is JobState.OPTIMAL
