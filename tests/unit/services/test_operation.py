import pytest

from tests.support.services.scripted_solver import BOARD, solve_bounded
from tilework.core.errors import NotFoundError
from tilework.core.model.states import JobState, Priority, Queue, SliceState, SuspensionKind
from tilework.core.services.farm.heartbeat import Heartbeat
from tilework.core.services.health import UNCLAIMED_S
from tilework.core.services.operation import Operation


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
