from __future__ import annotations

import pytest

from tests.support.services.props import BeforeWriting
from tests.unit.services.lab.staging import A_STAR, BREADTH_FIRST, GREEDY
from tilework.core.errors import ForbiddenError, NotFoundError
from tilework.core.services.lab.cancel import CancelComparison
from tilework.core.services.states import RunState

QUEUED, DONE, CANCELLED = RunState.QUEUED, RunState.DONE, RunState.CANCELLED


def test_runs_that_wait_end_with_their_comparison(lab):
    view = lab.cancel(lab.ask().id, lab.client)
    assert view.cancelled
    assert view.finished
    assert {run.state for run in view.runs} == {CANCELLED}
    assert lab.work() == 0


def test_what_others_ask_for_goes_on(lab):
    mine = lab.ask(methods=[A_STAR, BREADTH_FIRST])
    theirs = lab.ask(methods=[A_STAR, GREEDY], client=lab.clients.new())
    assert lab.cancel(mine.id, lab.client).unfinished == 1
    assert lab.work() == 2
    assert lab.states(theirs) == [DONE, DONE]
    assert lab.states(mine) == [DONE, CANCELLED]


def test_whoever_asks_again_brings_it_back(lab):
    first = lab.cancel(lab.ask().id, lab.client)
    again = lab.ask()
    assert again.id == first.id
    assert not again.cancelled
    assert {run.state for run in again.runs} == {QUEUED}
    assert lab.work() == 2
    assert lab.states(first) == [DONE, DONE]


def test_cancelled_runs_of_others_are_run_for_who_asks_now(lab):
    lab.cancel(lab.ask().id, lab.client)
    theirs = lab.ask(client=lab.clients.new())
    assert {run.state for run in theirs.runs} == {QUEUED}
    assert lab.work() == 2


def test_what_has_ended_stays(lab):
    view = lab.ask()
    lab.work()
    assert not lab.cancel(view.id, lab.client).cancelled
    assert lab.states(view) == [DONE, DONE]


def test_cancelling_twice_changes_nothing(lab):
    view = lab.cancel(lab.ask().id, lab.client)
    assert lab.cancel(view.id, lab.client) == view


def test_only_the_owner_cancels(lab):
    view = lab.ask()
    with pytest.raises(ForbiddenError, match=view.id):
        lab.cancel(view.id, lab.clients.new())
    with pytest.raises(NotFoundError, match="nothing"):
        lab.cancel("nothing", lab.client)
    assert lab.states(view) == [QUEUED, QUEUED]


def test_a_comparison_whose_last_run_ends_meanwhile_is_finished(lab):
    view = lab.ask()
    cancel = CancelComparison(BeforeWriting(lab.database, lab.work))
    answer = cancel(view.id, lab.client)
    assert (answer.finished, answer.cancelled) == (True, False)
    assert lab.states(view) == [DONE, DONE]
    assert lab.ask().id == view.id
    assert lab.work() == 0
