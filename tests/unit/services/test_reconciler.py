from types import SimpleNamespace

import pytest

from tests.support.services.scripted_solver import BOARD, OTHER, solve_bounded, update_row
from tilework.core.errors import DamagedSolveError, UnavailableError
from tilework.core.model.farm.workload import WORKER_TIMEOUT_S
from tilework.core.model.states import CounterName, JobState, Queue, SolveState
from tilework.core.services.farm.heartbeat import Heartbeat
from tilework.core.services.health import Counters, Health
from tilework.core.services.reconciler import Deadlines
from tilework.core.settings import Settings
from tilework.core.storage.database import Database
from tilework.core.storage.models import slice_


def test_job_past_its_deadline_expires_without_a_solution(service):
    job = service.request(BOARD, seconds=5)
    service.clock.advance(4.9)
    service.reconcile.run_once()
    assert service.read.view(job.id).state is JobState.QUEUED
    service.clock.advance(0.2)
    service.tickets.broken = True
    service.request(OTHER)
    service.reconcile.run_once()  # although the broker is down
    view = service.read.view(job.id)
    assert (view.state, view.finished_at) == (JobState.EXPIRED, service.clock())
    assert service.count_slices(job) == {}
    assert service.read_solve(job).state is SolveState.IDLE


def test_job_past_its_deadline_is_bounded_with_a_solution(service):
    service.solver.solve_scripts.append(solve_bounded)
    job = service.request(BOARD, seconds=5)
    other_job = service.request(BOARD, seconds=50)
    service.work("interactive")
    service.clock.advance(6)
    service.reconcile.run_once()
    assert service.read.view(job.id).state is JobState.BOUNDED
    assert service.read.view(other_job.id).state in {JobState.QUEUED, JobState.RUNNING}
    service.work("search")
    assert service.read.view(other_job.id).state is JobState.OPTIMAL
    assert service.read.view(job.id).state is JobState.BOUNDED


def test_lost_tickets_are_sent_again_once(service):
    service.request(BOARD)
    service.tickets.sent.clear()
    service.tickets.broken = True
    service.request(OTHER)
    service.tickets.broken = False
    for _ in range(3):
        service.reconcile.run_once()
    assert service.tickets.sent == {Queue.INTERACTIVE: 2}


def test_expired_lease_of_a_cancelled_job_is_not_leased_again(service):
    job = service.request(BOARD)
    service.claim()
    service.cancel(job.id, service.client)
    service.clock.advance(service.settings.lease_s + 1)
    service.reconcile.run_once()
    assert service.count_slices(job) == {}
    assert service.work() == 0


def test_damaged_slice_whose_lease_expired_is_replaced(service):
    job = service.request(BOARD)
    service.claim()
    update_row(service, slice_, epoch=99)
    with pytest.raises(DamagedSolveError):
        service.lose_leases()
    service.work()
    assert service.read.view(job.id).state is JobState.OPTIMAL


def test_solve_without_work_gets_work(service):
    job = service.request(BOARD)
    with service.database.writing() as session:
        session.slices.drop_all(job.solve_id)
    service.reconcile.run_once()
    service.work()
    assert service.read.view(job.id).state is JobState.OPTIMAL


def test_job_stops_waiting_for_a_worker_that_died_during_preparation(service):
    deadlines = Deadlines(service.database)
    Heartbeat(service.database, "crashing", service.clock).report_preparing(12)
    job = service.request(BOARD, seconds=5)
    for seconds in (0, WORKER_TIMEOUT_S + 1, 4.9):
        service.clock.advance(seconds)
        deadlines.run_once()
        assert service.read.view(job.id).state is JobState.QUEUED
    service.clock.advance(0.2)
    deadlines.run_once()
    assert service.read.view(job.id).state is JobState.EXPIRED


def test_unreachable_broker_makes_the_service_unready(service):
    service.tickets.broken = True
    assert service.health.check().reasons == ("the broker does not answer; start it",)
    service.tickets.broken = False
    assert service.health.check().ready


def test_full_disk_makes_the_service_unready(service, tmp_path, monkeypatch):
    full = tmp_path / "full"
    full.mkdir()
    monkeypatch.setattr(
        "tilework.core.services.health.shutil.disk_usage",
        lambda path: SimpleNamespace(free=0 if path == full else 2**40),
    )
    for folder, url, is_full in (
        (full, "", True),
        (tmp_path, f"sqlite:///{full / 'x'}", True),
        (full, f"sqlite:///{tmp_path / 'x'}", False),
        (full, "postgresql:///x", False),
    ):
        health = Health(
            service.database, service.tickets, Settings(data_dir=folder, database_url=url)
        )
        assert health.check().reasons == ("the disk of the database is full",) * is_full


def read_counts(database):
    with database.reading() as session:
        return session.operation.counters()


def test_counts_that_cannot_be_saved_are_saved_later(database, tmp_path):
    file = tmp_path / "file"
    url = f"sqlite:///{file / 'x' / 'tilework.sqlite'}"
    file.write_text("a file where a folder should be")
    counters = Counters(Database(url))
    counters.increment(CounterName.RESTARTS, "web")
    for _ in range(2):
        with pytest.raises(UnavailableError):
            counters.save()
    counters._storage = database
    counters.save()
    assert read_counts(database) == {(CounterName.RESTARTS, "web"): 1}
