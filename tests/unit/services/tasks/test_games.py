from dataclasses import replace

import pytest
from sqlalchemy import update

from tilework.core.cli.system.processes import QUICK_QUEUES
from tilework.core.errors import MoveError, ReplayError
from tilework.core.model.jobs import RECORD_LOST
from tilework.core.model.states import Queue, RunState
from tilework.core.model.tasks import Progress, Result
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.services.tasks.questions import LARGE_BOARD_S, MAX_SECONDS
from tilework.core.services.tasks.task_worker import TaskWorker
from tilework.core.storage.models import task
from tilework.core.storage.tasks import serialize_result

QUEUED, RUNNING, DONE = RunState.QUEUED, RunState.RUNNING, RunState.DONE
FAILED, CANCELLED = RunState.FAILED, RunState.CANCELLED


def test_game_is_analysed_once_per_client(service):
    view = service.request("LRLL", times_ms=(0, 300, 300, 900))
    assert service.work() == 1
    repeated = service.request("LRLL", times_ms=(0, 300, 300, 900))
    assert (repeated.id, repeated.state) == (view.id, DONE)
    assert service.work() == 0
    assert service.request("LRLL").id != view.id
    assert service.request("LRLL", seconds=3).id != view.id
    assert service.request("LRLL", client=service.clients.new()).id != view.id


def test_queues_and_time_limits_of_games(service):
    # A machine's first worker consumes the quick queues only.
    assert Queue.QUICK_ANALYSIS in QUICK_QUEUES
    for side, letters, queue in (
        (3, "RL" * 250, Queue.QUICK_ANALYSIS),
        (3, "RL" * 251, Queue.ANALYSIS),
        (4, "RL" * 20, Queue.QUICK_ANALYSIS),
        (4, "RL" * 20 + "R", Queue.ANALYSIS),
        (4, "RDLURDLU", Queue.ANALYSIS),
        (5, "RL", Queue.ANALYSIS),
    ):
        goal = blank_last(Size(side, side))
        service.tickets.sent.clear()
        service.request(letters, goal, goal=goal)
        assert service.tickets.sent == {queue: 1}, (side, len(letters))
    views = [service.request("LL"), service.request("LL", seconds=2.5)]
    views.append(service.request("RD", goal, goal=goal))
    expected = [MAX_SECONDS, 2.5, LARGE_BOARD_S]
    assert [view.spec.seconds for view in views] == expected


def test_lost_lease_is_retried_a_limited_number_of_times(service):
    view = service.request()
    for attempt in range(3):
        service.claim()
        assert service.games.view(view.id).state is RUNNING
        assert service.work() == 0
        service.clock.advance(service.settings.lease_s + 1)
        service.tickets.sent.clear()
        service.reconcile.run_once()
        if attempt < 2:
            assert service.games.view(view.id).state is QUEUED
            assert service.tickets.sent == {Queue.QUICK_ANALYSIS: 1}
    view = service.games.view(view.id)
    assert (view.state, view.message.code) == (FAILED, "analysis-crashed")
    assert service.work() == 0


def test_invalid_solution_is_neither_stored_nor_shown(service):
    def return_wrong_moves(spec, limits, report):
        end = service.engine.solver(spec, limits, report)
        end.result.document["losses"] = [{"move": 1, "remaining": 1, "way": "R"}]
        return end

    service.engine.scripts.extend([return_wrong_moves, return_wrong_moves])
    view = service.request()
    service.work()
    rejected = service.games.view(view.id)
    assert rejected.state is FAILED
    assert "ReplayError" in str(rejected.message)
    view = service.request("LRLL")
    service.work()
    result = service.games.view(view.id).result
    result["losses"][0]["way"] = "R"
    overwrite(service, **serialize_result(Result(result)))
    with pytest.raises(ReplayError):
        service.games.view(view.id)


def overwrite(service, **values):
    with service.database.engine(writes=True).begin() as connection:
        connection.execute(update(task).values(values))


@pytest.mark.parametrize("queue", [Queue.LAB, "calls"])
def test_task_in_the_wrong_queue_fails(service, queue):
    view = service.request()
    overwrite(service, queue=queue)
    worker = TaskWorker(service.database, service.settings, queue, service.engine)
    while worker.run("worker", lambda: False).has_more:
        pass
    assert service.engine.specs == []
    service.work()
    assert service.games.view(view.id).message == RECORD_LOST


def test_result_of_a_cancelled_analysis_is_not_stored(service):
    view = service.request()

    def cancel_and_solve(spec, limits, report):
        assert service.games.cancel(view.id, service.client).state is CANCELLED
        return service.engine.solver(spec, limits, report)

    service.engine.scripts.append(cancel_and_solve)
    assert service.work() == 1
    assert service.games.cancel(view.id, service.client).state is CANCELLED
    assert service.request().state is QUEUED
    service.work()
    assert service.games.cancel(view.id, service.client).state is DONE


def test_progress_is_stored_until_the_end_of_the_attempt(service):
    view = service.request()
    progress = []

    def report_progress(spec, limits, report):
        progress.append(service.games.view(view.id).progress)
        report(Progress(1, 3, 1, 5))
        version = service.games.version(view.id)
        progress.append(service.games.wait(view.id, version, 120.0).progress)

    def fail(spec, limits, report):
        report_progress(spec, limits, report)
        raise RuntimeError

    service.engine.scripts += [report_progress, fail, report_progress]
    service.work()
    assert progress == [None, Progress(1, 3, 1, 5)] * 3


FARTHEST = Board([8, 6, 7, 2, 5, 4, 3, 0, 1])
"""It is 31 moves from its goal, the maximum for 3×3 boards, and has 40 shortest solutions."""


def test_wrong_count_is_not_stored(service):
    def miscount(spec, limits, report):
        end = service.engine.solver(spec, limits, report)
        result = replace(end.result, document=end.result.document | {"count": 41})
        return replace(end, result=result)

    service.engine.scripts.extend([miscount, miscount])
    view = service.request_ways(FARTHEST)
    service.work()
    rejected = service.ways.view(view.id)
    assert rejected.state is RunState.FAILED
    assert "contradict their count" in str(rejected.message)


def test_invalid_stored_solutions_are_never_shown(service):
    view = service.request_ways(FARTHEST)
    other = service.request_ways(Board([6, 4, 7, 8, 5, 0, 3, 2, 1]))
    service.work()
    with service.database.reading() as session:
        result = session.tasks.result(other.id)
    overwrite(service, solutions=result.solutions, detail=result.detail)
    for read in (service.ways.solutions, service.ways.graph):
        with pytest.raises(ReplayError):
            read(view.id)
    overwrite(service, solutions=b"damaged", detail=b"damaged")
    with pytest.raises(MoveError):
        service.ways.solutions(view.id)
    with pytest.raises(ReplayError):
        service.ways.graph(view.id)
