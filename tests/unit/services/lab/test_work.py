from __future__ import annotations

import time

import pytest

from tests.support import naive
from tests.support.services.staging import GOAL, LENGTH
from tests.unit.services.lab.staging import (
    A_STAR,
    BOARD,
    BREADTH_FIRST,
    GREEDY,
    astray,
    out_of_time,
    solved,
    until_cancelled,
)
from tilework.core.errors import OptionError
from tilework.core.lab.trace import TraceWindow
from tilework.core.search.limits import StopReason
from tilework.core.services.lab.requests import RunLimits
from tilework.core.services.states import RunState

QUEUED, RUNNING, DONE = RunState.QUEUED, RunState.RUNNING, RunState.DONE
FAILED, CANCELLED = RunState.FAILED, RunState.CANCELLED


def test_a_run_is_stored_whole(lab):
    view = lab.ask(methods=[A_STAR], limits=RunLimits(5, 1_000, 2**20), window=TraceWindow(2, 1))
    assert lab.work() == 1
    limits = lab.runner.limits[0]
    assert (limits.seconds, limits.nodes, limits.memory_bytes) == (5, 1_000, 2**20)
    (run,) = lab.read.view(view.id).runs
    assert (run.state, run.length, run.optimal, run.has_trace) == (DONE, LENGTH, True, True)
    assert run.statistics.expanded == len(A_STAR.text)
    detail = lab.read.run(run.id)
    assert (detail.start, detail.goal, detail.window) == (BOARD, GOAL, TraceWindow(2, 1))
    letters = "".join("UDLR"[code] for code in detail.moves)
    tiles = tuple(BOARD.cells.tolist())
    assert naive.played(tiles, 3, letters) == naive.solved(3, 2)
    trace = lab.read.trace(run.id)
    assert (trace["first"], trace["last"], trace["path"]) == (2, 1, [0, 1])


def test_what_the_time_ended_is_a_result_and_stays(lab):
    lab.runner.scripts.append(out_of_time)
    view = lab.ask(methods=[A_STAR])
    lab.work()
    (run,) = lab.ask(methods=[A_STAR]).runs
    assert (run.state, run.length, run.optimal) == (DONE, None, None)
    assert run.stopped_by is StopReason.TIME
    assert str(run.message) == "The limit of 10 s was reached."
    assert run.statistics.expanded == 7
    assert lab.read.run(run.id).moves is None
    assert lab.work() == 0
    assert lab.read.view(view.id).finished


def test_a_promised_length_judges_the_others(lab):
    view = lab.ask(methods=[GREEDY])
    lab.work()
    assert lab.read.view(view.id).runs[0].optimal is None
    view = lab.ask(methods=[GREEDY, BREADTH_FIRST])
    lab.work()
    view = lab.read.view(view.id)
    assert [(run.length, run.optimal) for run in view.runs] == [(LENGTH + 2, False), (LENGTH, True)]


def test_a_solution_that_does_not_solve_is_never_stored(lab):
    lab.runner.scripts.extend([astray, astray])
    view = lab.ask(methods=[A_STAR])
    assert lab.work() == 2
    (run,) = lab.read.view(view.id).runs
    assert (run.state, run.length) == (FAILED, None)
    assert "ReplayError" in str(run.message)


def test_an_error_is_tried_once_more(lab):
    lab.runner.scripts.append(MemoryError())
    view = lab.ask(methods=[A_STAR])
    assert lab.work() == 2
    assert lab.states(view) == [DONE]
    lab.runner.scripts.extend([RuntimeError("once"), RuntimeError("twice")])
    view = lab.ask(methods=[BREADTH_FIRST, GREEDY])
    assert lab.work() == 3
    first, second = lab.read.view(view.id).runs
    assert (first.state, str(first.message)) == (FAILED, "The run failed: RuntimeError: twice")
    assert second.state is DONE


def test_what_is_not_offered_fails_at_once(lab):
    lab.runner.scripts.append(OptionError("walking distance is not offered here"))
    view = lab.ask(methods=[A_STAR])
    assert lab.work() == 1
    (run,) = lab.read.view(view.id).runs
    assert (run.state, str(run.message)) == (FAILED, "walking distance is not offered here")


def test_a_stopping_worker_gives_its_run_back_uncounted(lab):
    view = lab.ask(methods=[A_STAR])
    for _ in range(4):
        looks = iter([False] * 3)
        lab.runner.scripts.append(until_cancelled)
        lab.work(stopping=lambda looks=looks: next(looks, True))
        assert lab.states(view) == [QUEUED]
    assert lab.work() == 1
    assert lab.states(view) == [DONE]


def test_a_trace_that_was_cut_short_is_not_stored(lab):
    asked = []

    def stop_at_the_end(*arguments):
        asked.append(True)
        return solved(*arguments)

    lab.runner.scripts.append(stop_at_the_end)
    view = lab.ask(methods=[A_STAR], window=TraceWindow())
    lab.work(stopping=lambda: bool(asked))
    assert lab.states(view) == [QUEUED]


def test_a_lost_lease_is_taken_up_by_another(lab):
    view = lab.ask(methods=[A_STAR])
    lab.claim()
    assert lab.states(view) == [RUNNING]
    assert lab.work() == 0
    lab.clock.turn(lab.settings.lease_s + 1)
    lab.reconcile.run_once()
    assert lab.states(view) == [QUEUED]
    assert lab.work() == 1
    assert lab.states(view) == [DONE]


def test_a_run_that_breaks_its_workers_fails_and_says_so(lab):
    view = lab.ask(methods=[A_STAR])
    for _ in range(3):
        lab.claim()
        lab.clock.turn(lab.settings.lease_s + 1)
        lab.reconcile.run_once()
    (run,) = lab.read.view(view.id).runs
    assert run.state is FAILED
    assert "crashed its workers 3 times" in str(run.message)
    assert lab.work() == 0


def test_a_lease_lasts_as_long_as_its_run(make_lab):
    lab = make_lab(lease_s=1.0)
    lab.clock.going = True

    def slow(*arguments):
        time.sleep(2.0)
        lab.reconcile.run_once()
        return solved(*arguments)

    lab.runner.scripts.append(slow)
    view = lab.ask(methods=[A_STAR])
    assert lab.work() == 1
    assert lab.states(view) == [DONE]


def test_what_a_worker_brings_too_late_is_not_stored(lab):
    view = lab.ask(methods=[A_STAR])

    def overtaken(*arguments):
        lab.clock.turn(lab.settings.lease_s + 1)
        lab.reconcile.run_once()
        lab.claim("other")
        return solved(*arguments)

    lab.runner.scripts.append(overtaken)
    assert lab.work() == 1
    assert lab.states(view) == [RUNNING]


@pytest.mark.timeout(60)
def test_a_run_that_nobody_wants_any_more_stops(lab):
    view = lab.ask(methods=[A_STAR])

    def cancel_and_wait(*arguments):
        lab.cancel(view.id, lab.client)
        return until_cancelled(*arguments)

    lab.runner.scripts.append(cancel_and_wait)
    assert lab.work() == 1
    assert lab.states(view) == [CANCELLED]
