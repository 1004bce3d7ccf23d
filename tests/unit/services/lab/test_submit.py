import pytest

from tests.unit.services.lab.scripted_lab import A_STAR, BREADTH_FIRST, GREEDY, OTHER
from tilework.core.errors import OptionError, QuotaError
from tilework.core.lab.result import TraceWindow
from tilework.core.model import tasks as records
from tilework.core.model.comparisons import Sweep
from tilework.core.model.states import Queue, RunState
from tilework.core.model.tasks import TaskKind
from tilework.core.puzzle.board import Board
from tilework.core.validation import validate

QUEUED, DONE = RunState.QUEUED, RunState.DONE


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


def test_shared_runs_do_not_count_towards_the_limit_of_unfinished_runs(make_lab, monkeypatch):
    monkeypatch.setattr("tilework.core.services.comparisons.RUNS_PER_CLIENT", 3)
    lab = make_lab()
    first = lab.request()
    with pytest.raises(QuotaError, match="you have 2 unfinished runs; 2 more would exceed"):
        lab.request(OTHER)
    assert len(lab.read.list_by_client(lab.client)) == 1
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
    for name, value in (("boards", 0), ("boards", 1_001), ("moves", 0), ("moves", 1_001)):
        with pytest.raises(OptionError, match=f"{name}: invalid value {value}; use a number of at"):
            validate(Sweep, {name: value}, {name: name})
    with pytest.raises(OptionError, match="invalid value -1; use a number of at least 0"):
        validate(Sweep, {"seed": -1}, {})
    with pytest.raises(OptionError, match="use at most 250 moves"):
        validate(Sweep, {"boards": 1_000, "moves": 251}, {})
