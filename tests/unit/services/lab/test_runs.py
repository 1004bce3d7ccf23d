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
from tilework.core.errors import OptionError, QuotaError, ReplayError
from tilework.core.lab.result import TraceWindow
from tilework.core.model import tasks as records
from tilework.core.model.comparisons import Sweep
from tilework.core.model.history import EntryKind
from tilework.core.model.states import Queue, RunState
from tilework.core.model.tasks import TaskKind
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import from_letters
from tilework.core.puzzle.packing import pack
from tilework.core.search.limits import StopReason
from tilework.core.storage.models import task
from tilework.core.validation import validate

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


def test_runs_are_shared_and_never_repeated(lab, monkeypatch):
    first = lab.request(methods=[A_STAR, BREADTH_FIRST, A_STAR])
    assert [run.method for run in first.runs] == [A_STAR, BREADTH_FIRST]
    assert lab.tickets.sent == {Queue.LAB: 2}
    lab.work()
    ended_comparison = lab.request()
    assert (ended_comparison.id, ended_comparison.finished) == (first.id, True)
    assert lab.request(methods=[BREADTH_FIRST, A_STAR]).id != first.id
    other_comparison = lab.request(methods=[A_STAR, GREEDY], client=lab.clients.new())
    assert [run.shared for run in other_comparison.runs] == [True, False]
    assert [run.state for run in other_comparison.runs] == [DONE, QUEUED]
    lab.work()
    assert [name for _, name in lab.runner.runs] == [A_STAR.text, BREADTH_FIRST.text, GREEDY.text]
    for changes in (
        {"time_limit_s": 5},
        {"node_limit": 1_000},
        {"memory_limit_mb": 1},
        {"trace": TraceWindow()},
        {"board": OTHER},
        {"goal": Board([1, 2, 3, 4, 0, 5], 3, 2), "board": Board([1, 2, 3, 0, 4, 5], 3, 2)},
    ):
        assert not lab.request(methods=[A_STAR], **changes).runs[0].shared, changes
    # A new version of the lab makes new runs.
    monkeypatch.setitem(records._VERSIONS, TaskKind.RUN, 1_000)
    repeated = lab.request()
    assert repeated.id != first.id
    assert {run.state for run in repeated.runs} == {QUEUED}


def test_shared_runs_do_not_count_towards_the_limit_of_unfinished_runs(lab, monkeypatch):
    monkeypatch.setattr("tilework.core.services.comparisons.RUNS_PER_CLIENT", 3)
    first = lab.request()
    with pytest.raises(QuotaError, match="you have 2 unfinished runs; 2 more would exceed"):
        lab.request(OTHER)
    with lab.database.reading() as session:
        assert len(session.clients.history(lab.client, [EntryKind.COMPARISON], None, 2)) == 1
    assert lab.request().id == first.id
    assert lab.request(methods=[A_STAR]).runs[0].shared
    assert lab.request(OTHER, methods=[A_STAR]).unfinished == 1


def test_clients_alternate(lab):
    sweep = lab.request(None, methods=[A_STAR], sweep=Sweep(boards=8, moves=60))
    last = lab.request(methods=[BREADTH_FIRST])
    # A shared run has the better priority of its two clients.
    assert lab.request(methods=[BREADTH_FIRST], client=lab.clients.new()).runs[0].shared
    lab.clock.advance(0.5)
    lab.request(OTHER, methods=[GREEDY], client=lab.clients.new())
    lab.work()
    names = [name for _, name in lab.runner.runs]
    assert names.index(last.runs[0].method.text) <= 1
    assert names.index(GREEDY.text) <= 3
    assert sweep.unfinished == len(names) - 2


def test_sweep_can_contain_a_board_twice(lab):
    view = lab.request(None, methods=[A_STAR], sweep=Sweep(boards=20, moves=2))
    assert len(view.runs) == 20
    assert len({run.id for run in view.runs}) < 20
    lab.work()
    assert lab.read.view(view.id).finished
    other_sweep = Sweep(boards=20, moves=60, seed=99)
    for sweep, shared in ((Sweep(boards=20, moves=2), True), (other_sweep, False)):
        repeated = lab.request(None, methods=[A_STAR], sweep=sweep, client=lab.clients.new())
        assert all(run.shared for run in repeated.runs) is shared
    with pytest.raises(OptionError, match="use at most 250 moves"):
        validate(Sweep, {"boards": 1_000, "moves": 251}, {})
