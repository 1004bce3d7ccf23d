from tests.support.services.scripted_solver import BOARD
from tilework.core.model.farm.workload import WORKER_TIMEOUT_S
from tilework.core.model.states import JobState
from tilework.core.services.farm.heartbeat import Heartbeat
from tilework.core.services.reconciler import Deadlines


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
