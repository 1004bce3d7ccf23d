import pytest
from sqlalchemy import select, text, update

from tests.unit.services.lab.scripted_lab import (
    A_STAR,
    BREADTH_FIRST,
    GREEDY,
    OTHER,
    reach_time_limit,
    return_wrong_moves,
)
from tilework.core.errors import OptionError, ReplayError
from tilework.core.model.states import Queue, RunState
from tilework.core.puzzle.moves import from_letters
from tilework.core.puzzle.packing import pack
from tilework.core.search.limits import StopReason
from tilework.core.services.health import UNCLAIMED_S, Health
from tilework.core.services.jobs.jobs import JobService
from tilework.core.services.tickets import NoTickets
from tilework.core.storage.models import task

QUEUED, RUNNING, DONE = RunState.QUEUED, RunState.RUNNING, RunState.DONE
FAILED, CANCELLED = RunState.FAILED, RunState.CANCELLED


def test_run_stopped_by_its_time_limit_is_a_result(lab):
    lab.runner.scripts.append(reach_time_limit)
    request = {"methods": [A_STAR], "time_limit_s": 5, "node_limit": 1_000, "memory_limit_mb": 1}
    view = lab.request(**request)
    lab.work()
    limits = lab.runner.limits[0]
    assert (limits.seconds, limits.nodes, limits.memory_bytes) == (5, 1_000, 2**20)
    (run,) = lab.request(**request).runs
    assert (run.state, run.length, run.optimal) == (DONE, None, None)
    assert run.stopped_by is StopReason.TIME
    assert str(run.message) == "The limit of 5 s was reached."
    assert run.expanded == 7
    assert lab.read.run(run.id).moves is None
    assert lab.work() == 0
    assert lab.read.view(view.id).finished


def test_failed_run_is_retried_once(lab):
    lab.runner.scripts.append(MemoryError())
    view = lab.request(methods=[A_STAR])
    assert lab.work() == 2
    assert lab.states(view) == [DONE]
    lab.runner.scripts.extend([RuntimeError("first"), RuntimeError("second")])
    lab.runner.scripts.extend([return_wrong_moves] * 2)
    lab.runner.scripts.append(OptionError("walking distance is not offered here"))
    view = lab.request(OTHER, methods=[BREADTH_FIRST, GREEDY, A_STAR])
    assert lab.work() == 5
    first, second, third = lab.read.view(view.id).runs
    assert (first.state, str(first.message)) == (FAILED, "The run failed: RuntimeError: second")
    # A solution that does not solve the board is never stored.
    assert (second.state, second.length) == (FAILED, None)
    assert "ReplayError" in str(second.message)
    # An unsupported method fails immediately.
    assert (third.state, str(third.message)) == (FAILED, "walking distance is not offered here")
    # A later request repeats failed runs.
    repeated = lab.request(OTHER, methods=[BREADTH_FIRST, GREEDY, A_STAR])
    assert {(run.state, run.message) for run in repeated.runs} == {(QUEUED, None)}
    lab.work()
    assert lab.states(view) == [DONE] * 3


def test_cancelled_comparison_can_be_requested_again(lab):
    first = lab.request()
    view = lab.cancel(first.id, lab.client)
    assert view.version != first.version
    assert {run.state for run in view.runs} == {CANCELLED}
    assert lab.work() == 0
    repeated = lab.request()
    assert (repeated.id, repeated.cancelled) == (view.id, False)
    assert lab.work() == 2
    assert not lab.cancel(view.id, lab.client).cancelled
    assert lab.states(view) == [DONE, DONE]


def test_damaged_solution_of_a_run_is_never_returned(lab):
    view = lab.request(methods=[A_STAR])
    lab.work()
    with lab.database.engine(writes=True).begin() as connection:
        connection.execute(update(task).values(solutions=pack(from_letters("R"))))
    with pytest.raises(ReplayError):
        lab.read.run(view.runs[0].id)


def test_unreadable_run_fails_and_does_not_block_others(lab):
    first = lab.request(methods=[A_STAR])
    with lab.database.engine(writes=True).begin() as connection:
        connection.execute(text("UPDATE task SET spec = '{bad'"))
    second = lab.request(OTHER, methods=[A_STAR])
    assert lab.work() == 1
    assert lab.states(second) == [DONE]
    assert lab.states(first) == []
    with lab.database.engine(writes=False).connect() as connection:
        states = connection.execute(select(task.c.state).order_by(task.c.id)).scalars().all()
    assert states == [FAILED, DONE]


def test_runs_count_as_work_of_their_queue(lab):
    health = Health(lab.database, NoTickets(), lab.settings)

    def read_lab_queue():
        queues = JobService(lab.database, lab.tickets).queues()
        return next(queue for queue in queues if queue.name is Queue.LAB)

    lab.request()
    lab.clock.advance(10)
    queue = read_lab_queue()
    assert (queue.ready, queue.leased, queue.oldest_wait_s) == (2, 0, 10.0)
    lab.clock.advance(UNCLAIMED_S)
    assert "lab" in health.check().reasons[0]
    lab.claim()
    queue = read_lab_queue()
    assert (queue.ready, queue.leased) == (1, 1)
    assert health.check().ready
