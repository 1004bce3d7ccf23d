import time

import pytest
from sqlalchemy import func, select

from tests.support.services.scripted_solver import (
    BOARD,
    GOAL,
    LENGTH,
    OTHER,
    leave_parts,
    solve_bounded,
    start_search,
)
from tests.unit.services.lab import conftest as lab_conftest
from tilework.core.errors import NotFoundError
from tilework.core.model.job_options import JobOptions
from tilework.core.model.states import JobState, Priority, Queue, SliceState, SuspensionKind
from tilework.core.puzzle.board import Board
from tilework.core.services.certificates.reader import CertificateReader
from tilework.core.services.farm.heartbeat import Heartbeat
from tilework.core.services.health import UNCLAIMED_S
from tilework.core.services.jobs.submit import DEFAULT_TIME_LIMIT_S, Submission
from tilework.core.services.operation import Operation
from tilework.core.services.purger import DAY_S, Purger
from tilework.core.settings import Settings
from tilework.core.storage import models


@pytest.fixture
def service(make_service):
    """Services whose clock shows the current time, which ids contain."""
    service = make_service()
    service.clock.now = time.time()
    return service


def purge(service, **changes):
    """Delete everything that has expired."""
    settings = service.settings.model_copy(update=changes)
    purger = Purger(service.database, settings)
    for _ in range(1_000):
        purger.run_once()
        if purger._due:
            return
    raise AssertionError("the purge does not end")


def count(service, table):
    with service.database.engine(writes=False).connect() as connection:
        return int(connection.execute(select(func.count()).select_from(table)).scalar_one())


def test_jobs_are_deleted_but_solutions_are_kept(service):
    job = service.request(BOARD, key="once", seconds=60.0)
    service.work()
    service.clock.advance(60.0 + 90 * DAY_S - 1)
    purge(service)
    assert service.read.view(job.id).upper_bound == LENGTH
    service.clock.advance(2)
    purge(service)
    with pytest.raises(NotFoundError, match="jobs are deleted some time after they end"):
        service.read.view(job.id)
    assert count(service, models.idempotency) == 0
    # The same request makes a new job, which gets the stored solution immediately.
    repeated = service.request(BOARD, key="once")
    assert (repeated.id != job.id, repeated.cached, repeated.upper_bound) == (True, True, LENGTH)
    assert len(service.read.history(repeated.id)) == 1


def test_results_of_fresh_searches_are_deleted_with_their_job(service):
    service.request(BOARD)
    service.work()
    service.solver.solve_scripts.append(solve_bounded)
    fresh = service.request(BOARD, fresh=True)
    service.work("interactive")
    service.work()
    assert service.read.view(fresh.id).upper_bound == LENGTH
    assert count(service, models.solve) == 2
    assert count(service, models.slice_) > 0
    [sizes] = service.read.statistics().sizes
    assert sizes.puzzles == 1
    service.clock.advance(DEFAULT_TIME_LIMIT_S + 90 * DAY_S + 1)
    purge(service)
    assert count(service, models.solve) == count(service, models.bound_event) == 1
    assert count(service, models.slice_) == 0
    assert service.request(BOARD).cached


def test_unlimited_retention(service, monkeypatch):
    names = ("JOBS", "COMPARISONS")
    for name in names:
        monkeypatch.setenv(f"TILEWORK_KEEP_{name}_DAYS", "never")
    days = {name: getattr(Settings(), f"keep_{name.lower()}_days") for name in names}
    assert set(days.values()) == {None}
    job = service.request(BOARD)
    service.work()
    service.clock.advance(10_000 * DAY_S)
    purge(service, **{f"keep_{name.lower()}_days": None for name in names})
    assert service.read.view(job.id).finished


def test_idempotency_keys_are_deleted_before_their_jobs(service):
    first = service.request(BOARD, key="once", seconds=60.0)
    service.work()
    service.clock.advance(8 * DAY_S)
    purge(service)
    second = service.request(BOARD, key="once", seconds=60.0)
    assert first.id != second.id
    assert service.read.view(first.id).finished
    service.clock.advance(3 * DAY_S)
    purge(service, keep_jobs_days=2.0)
    assert (count(service, models.job), count(service, models.idempotency)) == (0, 0)


def test_certificate_stays_complete(service):
    job = start_search(service)
    service.solver.search_scripts.append(leave_parts(0.5, 0.25))
    service.work()
    assert service.read.view(job.id).state == "optimal"
    original = "".join(CertificateReader(service.database)(job.id).chunks)
    slices = count(service, models.slice_)
    service.clock.advance(200 * DAY_S)
    purge(service)
    repeated = service.request(BOARD)
    later = "".join(CertificateReader(service.database)(repeated.id).chunks)
    assert original == later
    assert '"proof":"slices"' in original.replace(" ", "")
    # Slices of the last threshold are not part of the proof.
    assert 0 < count(service, models.slice_) < slices


def test_batches_and_callbacks_are_deleted_with_their_jobs(service):
    items = [(BOARD, GOAL), (OTHER, GOAL)]
    options = JobOptions(time_limit_s=60.0)
    submission = Submission(client_id=service.client, boards=items, options=options)
    batch = service.submit_batch(submission)
    job = service.request(BOARD, seconds=60.0)
    service.work()
    with service.database.writing() as session:
        session.tasks.add_call(job.id, service.client, "https://example.com/", service.clock())
    waiting = service.request(Board([1, 2, 3, 0, 4, 5], 3, 2), seconds=7 * DAY_S)
    service.clock.advance(2 * DAY_S)
    purge(service, keep_jobs_days=1.0)
    assert [count(service, table) for table in (models.job, models.batch, models.task)] == [1, 0, 0]
    assert not service.read.view(waiting.id).finished
    with pytest.raises(NotFoundError):
        service.read_batch.view(batch.id)


def test_clients_without_data_are_deleted(service, monkeypatch):
    # The service checks on each request that the client exists.
    monkeypatch.setattr("tilework.core.services.jobs.submit.KNOWN_CLIENT_S", 0.0)
    recent_client = service.clients.new()
    key, secret = service.clients.create_key("machine")
    service.request(BOARD, client=recent_client, seconds=60.0)
    service.work()
    service.clock.advance(401 * DAY_S)
    purge(service, keep_jobs_days=1_000.0)
    with service.database.reading() as session:
        clients = (service.client, recent_client, key.client_id)
        exist = [session.clients.exists(client) for client in clients]
    assert exist == [False, True, True]
    assert service.clients.authenticate(secret) == key.client_id
    purge(service)
    # A deleted client that returns with its cookie is created again.
    assert service.request(OTHER, client=recent_client).client_id == recent_client


def test_comparisons_are_deleted_but_shared_runs_are_kept(database, tmp_path):
    lab = lab_conftest.LabServices(database, tmp_path)
    lab.clock.now = time.time()
    first = lab.request()
    lab.work()
    lab.clock.advance(20 * DAY_S)
    second = lab.request(client=lab.clients.new())
    assert {run.id for run in second.runs} == {run.id for run in first.runs}
    lab.clock.advance(15 * DAY_S)
    purge(lab)
    with pytest.raises(NotFoundError):
        lab.read.view(first.id)
    assert lab.read.view(second.id).finished
    lab.clock.advance(31 * DAY_S)
    purge(lab)
    assert count(lab, models.comparison) == 0
    assert count(lab, models.task) == 0
    # A repeated request starts a new run, which is kept until it has ended.
    repeated = lab.request()
    lab.clock.advance(100 * DAY_S)
    purge(lab)
    assert not lab.read.view(repeated.id).finished


@pytest.fixture
def operation(service):
    return Operation(service.database, service.settings, service.read)


def quarantine_search(service):
    service.solver.solve_scripts.append(solve_bounded)
    job = service.request(BOARD)
    service.work("interactive")
    while SliceState.QUARANTINED not in service.count_slices(job):
        service.claim("search")
        service.lose_leases()
    return service.read.view(job.id)


def test_quarantined_work_is_retried_or_dropped(service, operation):
    job = quarantine_search(service)
    [item] = operation.view().quarantine
    assert (item.solve_id, item.width, item.slices) == (job.solve_id, 3, 1)
    operation.retry(job.solve_id)
    assert operation.view().quarantine == []
    assert service.count_slices(job) == {SliceState.PARKED: 1}
    again = service.request(BOARD)
    assert service.count_slices(again) == {SliceState.READY: 1}
    service.cancel(again.id, service.client)
    quarantined_job = quarantine_search(service)
    operation.drop(quarantined_job.solve_id)
    assert service.count_slices(job) == {}
    for act in (operation.retry, operation.drop):
        with pytest.raises(NotFoundError, match="in quarantine"):
            act(job.solve_id)


def test_job_of_a_lowered_priority_is_claimed_last(service, operation):
    jobs = [service.request(board) for board in (BOARD, *BOARD.neighbors())]
    operation.set_priority(jobs[0].id, Priority.LOW)
    claims = service.worker().lease(Queue.INTERACTIVE, "w")
    claimed = [claim.slice.solve_id for claim in claims]
    assert claimed == [job.solve_id for job in (*jobs[1:], jobs[0])]


def test_suspended_queue_and_worker_take_no_work(service, operation):
    service.solver.solve_scripts.append(solve_bounded)
    job = service.request(BOARD)
    operation.suspend(SuspensionKind.QUEUE, "interactive")
    assert service.work() == 0
    service.clock.advance(UNCLAIMED_S + 1)
    assert service.health.check().ready
    operation.resume(SuspensionKind.QUEUE, "interactive")
    assert service.work("interactive") == 1
    heartbeat = Heartbeat(service.database, "worker", service.clock, "1.0")
    heartbeat.beat()
    assert service.claim("search", "worker") == 1
    [worker] = operation.view().workers
    assert [work.job_id for work in worker.work] == [job.id]
    operation.suspend(SuspensionKind.WORKER, "worker")
    service.clock.advance(5)
    heartbeat.beat()
    assert heartbeat.is_suspended
    operation.cancel(job.id)
    assert service.read.view(job.id).state is JobState.CANCELLED
    heartbeat.leave()
    Heartbeat(service.database, "other", service.clock).beat()
    assert operation.view().suspensions == []
