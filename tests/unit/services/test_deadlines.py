from tests.support.services.scripted_solver import BOARD
from tilework.core.model.farm.workload import WORKER_TIMEOUT_S
from tilework.core.model.states import JobState
from tilework.core.services.farm.heartbeat import Heartbeat
from tilework.core.services.reconciler import Deadlines


def test_jobs_expire_without_a_worker(service):
    deadlines = Deadlines(service.database, grace_s=2.0)
    job = service.request(BOARD, seconds=5)
    other_job = service.request(BOARD, seconds=5, algorithm="constructive")
    for seconds, state in ((6.9, JobState.QUEUED), (0.2, JobState.EXPIRED)):
        service.clock.advance(seconds)
        deadlines.run_once()
        assert service.read.view(job.id).state is state
    assert service.read.view(other_job.id).finished


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
