import time

import pytest
from sqlalchemy import update

from tilework.core.cli.system.roles import QUICK_QUEUES
from tilework.core.errors import (
    ForbiddenError,
    MoveError,
    NotFoundError,
    OptionError,
    OverloadError,
    QuotaError,
    ReplayError,
)
from tilework.core.model.states import Queue, RunState
from tilework.core.model.tasks import Progress, Result
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.moves import to_letters
from tilework.core.services.jobs.clients import Clients
from tilework.core.services.retention.purge import DAY_S
from tilework.core.services.tasks.work import TaskWork
from tilework.core.storage.models import task
from tilework.core.storage.tasks.rows import write_result

QUEUED, RUNNING, DONE = RunState.QUEUED, RunState.RUNNING, RunState.DONE
FAILED, CANCELLED = RunState.FAILED, RunState.CANCELLED


def until_cancelled(spec, limits, tell):
    while not limits.cancelled():
        time.sleep(0.001)


def test_a_game_is_analysed_once_for_each_client_and_its_result_stays(house):
    view = house.ask("LRLL", times_ms=(0, 300, 300, 900))
    assert (view.state, view.progress, view.result) == (QUEUED, None, None)
    assert house.tickets.sent == {Queue.QUICK_ANALYSIS: 1}
    assert house.work() == 1
    view = house.games.view(view.id)
    assert (view.state, view.message) == (DONE, None)
    assert view.spec.times_ms == (0, 300, 300, 900)
    result = view.result
    assert result["lost_at_least"] == result["lost_at_most"] == 2
    assert house.work() == 0
    again = house.ask("LRLL", times_ms=(0, 300, 300, 900))
    assert (again.id, again.state) == (view.id, DONE)
    assert house.ask("LRLL").id != view.id
    assert house.ask("LRLL", seconds=3).id != view.id
    assert house.ask("LRLL", client=Clients(house.database).new()).id != view.id


def test_short_games_wait_apart_and_how_long_each_may_take(house):
    # Of these queues the worker that a machine starts first serves the one.
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
        house.tickets.sent.clear()
        house.ask(letters, goal, goal=goal)
        assert house.tickets.sent == {queue: 1}, (side, len(letters))
    views = [house.ask("LL"), house.ask("LL", seconds=2.5), house.ask("RD", goal, goal=goal)]
    settings = house.settings
    expected = [settings.analysis_max_seconds, 2.5, settings.analysis_seconds]
    assert [view.spec.seconds for view in views] == expected


def test_what_cannot_be_analysed_is_refused(house):
    for asked, error, sentence in (
        ({"seconds": float("nan")}, OptionError, "give more than 0"),
        ({"times_ms": (-1, 1)}, MoveError, "the time of move 1 is -1 ms"),
    ):
        with pytest.raises(error, match=sentence):
            house.ask(**asked)
    assert house.games.of_client(house.client) == []


def test_a_client_has_so_many_unfinished_analyses_and_the_service_too(make_house):
    house = make_house(analyses_per_client=2, analysis_depth_cap=3)
    house.ask("L")
    house.ask("LL")
    with pytest.raises(QuotaError, match="you have 2 unfinished analyses"):
        house.ask("LR")
    assert house.ask("L").state is QUEUED
    other = Clients(house.database).new()
    house.clock.turn(-1)
    house.ask("LRLL", client=other)
    with pytest.raises(OverloadError):
        house.ask("LL", client=other)
    house.work()
    # Clients take turns.
    assert [to_letters(spec.moves) for spec in house.engine.specs] == ["LRLL", "L", "LL"]
    house.ask("LR")


def test_a_lost_lease_is_taken_up_by_another_but_not_for_ever(house):
    view = house.ask()
    for attempt in range(3):
        house.claim()
        assert house.games.view(view.id).state is RUNNING
        assert house.work() == 0
        house.clock.turn(house.settings.lease_s + 1)
        house.tickets.sent.clear()
        house.reconcile.run_once()
        if attempt < 2:
            assert house.games.view(view.id).state is QUEUED
            assert house.tickets.sent == {Queue.QUICK_ANALYSIS: 1}
    view = house.games.view(view.id)
    assert (view.state, view.message.code) == (FAILED, "analysis-crashed")
    assert house.work() == 0


def test_an_error_is_tried_once_more(house):
    house.engine.scripts.append(MemoryError())
    view = house.ask()
    assert house.work() == 2
    assert house.games.view(view.id).state is DONE
    house.engine.scripts.extend([RuntimeError("once"), RuntimeError("twice")])
    view = house.ask("L")
    house.work()
    view = house.games.view(view.id)
    assert (view.state, str(view.message)) == (FAILED, "The analysis failed: RuntimeError: twice")
    assert house.ask("L").state is QUEUED
    house.work()
    assert house.games.view(view.id).state is DONE


def test_a_way_that_does_not_solve_is_neither_stored_nor_shown(house):
    def astray(spec, limits, tell):
        found = house.engine.solver(spec, limits, tell)
        found.result.document["losses"] = [{"move": 1, "remaining": 1, "way": "R"}]
        return found

    house.engine.scripts.extend([astray, astray])
    refused = house.ask()
    house.work()
    refused = house.games.view(refused.id)
    assert refused.state is FAILED
    assert "ReplayError" in str(refused.message)
    view = house.ask("LRLL")
    house.work()
    result = house.games.view(view.id).result
    overwrite(house, write_result("another", Result(result | {"lower": [1] * 5})))
    again = house.games.view(view.id)
    assert (again.state, again.result) == (QUEUED, None)  # its seal is broken
    house.work()
    assert house.games.view(view.id).result["lower"] == result["lower"]
    result["losses"][0]["way"] = "R"
    overwrite(house, write_result(view.id, Result(result)))
    with pytest.raises(ReplayError):
        house.games.view(view.id)


def overwrite(house, values):
    with house.database.engine(writes=True).begin() as connection:
        connection.execute(update(task).values(values))


@pytest.mark.parametrize("queue", [Queue.LAB, "calls"])
def test_a_question_in_a_queue_of_others_holds_nobody_up(house, queue):
    view = house.ask()
    overwrite(house, {"queue": queue})
    lab = TaskWork(house.database, house.settings, queue, house.engine)
    while lab.serve("worker", lambda: False).more:
        pass
    assert house.engine.specs == []
    house.work()
    assert house.games.view(view.id).state is DONE


def test_a_stopping_worker_gives_its_game_back_uncounted(house):
    view = house.ask()
    for _ in range(4):
        looks = iter([False] * 3)
        house.engine.scripts.append(until_cancelled)
        house.work(stopping=lambda looks=looks: next(looks, True))
        assert house.games.view(view.id).state is QUEUED
    house.work()
    assert house.games.view(view.id).state is DONE


def test_only_its_owner_cancels_an_analysis_and_its_worker_stops(house):
    view = house.ask()
    with pytest.raises(ForbiddenError):
        house.games.cancel(view.id, Clients(house.database).new())

    def cancelled_meanwhile(spec, limits, tell):
        assert house.games.cancel(view.id, house.client).state is CANCELLED
        until_cancelled(spec, limits, tell)
        return house.engine.solver(spec, limits, tell)

    house.engine.scripts.append(cancelled_meanwhile)
    assert house.work() == 1
    assert house.games.view(view.id).state is CANCELLED
    assert house.games.cancel(view.id, house.client).state is CANCELLED
    assert house.ask().state is QUEUED
    house.work()
    assert house.games.cancel(view.id, house.client).state is DONE


def test_progress_is_stored_while_it_lasts(house):
    view = house.ask()
    seen = []

    def telling(spec, limits, tell):
        tell(Progress(1, 3, 1, 5))
        before = house.games.version(view.id)
        seen.append(house.games.wait(view.id, before, 120.0).progress)
        return house.engine.solver(spec, limits, tell)

    house.engine.scripts.append(telling)
    house.work()
    assert seen == [Progress(1, 3, 1, 5)]


def test_old_analyses_are_deleted_and_those_that_wait_are_not(make_house):
    house = make_house(keep_analyses_days=2)
    # Ids begin with the time that the host's clock shows.
    house.clock.turn(time.time() - house.clock())
    done = house.ask("L")
    house.work()
    waiting = house.ask("LL")
    house.clock.turn(3 * DAY_S)
    house.purge.run_once()
    with pytest.raises(NotFoundError):
        house.games.view(done.id)
    assert house.games.view(waiting.id).state is QUEUED
