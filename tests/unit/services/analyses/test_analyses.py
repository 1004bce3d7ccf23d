from __future__ import annotations

import time

import pytest
from sqlalchemy import update

from tilework.core.cli.system.programs import QUICK_QUEUES
from tilework.core.errors import (
    ForbiddenError,
    MoveError,
    NotFoundError,
    OptionError,
    OverloadError,
    QuotaError,
    ReplayError,
    UnsolvableError,
)
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.moves import from_letters
from tilework.core.services.analyses.records import AnalysisStanding, Answer
from tilework.core.services.ids import new_id
from tilework.core.services.jobs.clients import Clients
from tilework.core.services.retention.purge import DAY_S
from tilework.core.services.states import Queue, RunState
from tilework.core.storage.analyses.rows import write_answer
from tilework.core.storage.models import analysis

QUEUED, RUNNING, DONE = RunState.QUEUED, RunState.RUNNING, RunState.DONE
FAILED, CANCELLED = RunState.FAILED, RunState.CANCELLED


def test_a_game_is_analysed_and_its_result_stays(house):
    view = house.ask("LRLL", times_ms=(0, 300, 300, 900))
    assert (view.state, view.standing, view.result) == (QUEUED, None, None)
    assert house.tickets.sent == {Queue.QUICK_ANALYSIS: 1}
    assert house.work() == 1
    view = house.read.view(view.id)
    assert (view.state, view.message) == (DONE, None)
    assert view.spec.times_ms == (0, 300, 300, 900)
    result = view.result
    assert result["lower"] == result["upper"] == [2, 1, 2, 1, 0]
    assert (result["length"], result["is_solution"], result["exact"]) == (4, True, True)
    assert result["losses"] == [{"move": 2, "remaining": 1, "way": "L"}]
    assert result["loops"] == [{"first": 0, "last": 2}]
    assert result["lost_at_least"] == result["lost_at_most"] == 2
    assert house.work() == 0


def test_the_same_game_of_a_client_is_the_same_analysis(house):
    view = house.ask("LL")
    house.work()
    assert house.ask("LL").id == view.id
    assert house.ask("LL").state is DONE
    assert house.ask("LL", seconds=3).id != view.id
    assert house.ask("LL", client=Clients(house.database).new()).id != view.id


@pytest.mark.parametrize(
    ("size", "letters", "queue"),
    [
        ((3, 3), "RL" * 250, Queue.QUICK_ANALYSIS),
        ((3, 3), "RL" * 251, Queue.ANALYSIS),
        ((4, 4), "RL" * 20, Queue.QUICK_ANALYSIS),
        ((4, 4), "RL" * 20 + "R", Queue.ANALYSIS),
        ((4, 4), "RDLURDLU", Queue.ANALYSIS),
        ((5, 5), "RL", Queue.ANALYSIS),
    ],
)
def test_short_games_wait_where_no_long_search_is_in_the_way(house, size, letters, queue):
    # Of these queues the worker that a machine starts first serves the one.
    assert Queue.QUICK_ANALYSIS in QUICK_QUEUES
    goal = blank_last(Size(*size))
    house.ask(letters, goal, goal=goal)
    assert house.tickets.sent == {queue: 1}


def test_a_damaged_result_is_made_anew(house):
    view = house.ask("LRLL")
    house.work()
    result = house.read.view(view.id).result
    changed = write_answer("another", Answer(result | {"lower": [1] * 5}))
    with house.database.engine(writes=True).begin() as connection:
        connection.execute(update(analysis).values(changed))
    again = house.read.view(view.id)
    assert (again.state, again.result) == (QUEUED, None)
    house.work()
    assert house.read.view(view.id).result["lower"] == [2, 1, 2, 1, 0]


def test_how_long_an_analysis_may_take(house):
    house.ask("LL")
    house.ask("LL", seconds=2.5)
    wide = blank_last(Size(5, 5))
    house.ask("RD", wide, goal=wide)
    house.work()
    settings = house.settings
    assert sorted(spec.seconds for spec in house.analyst.specs) == sorted(
        [settings.analysis_max_seconds, 2.5, settings.analysis_seconds]
    )


@pytest.mark.parametrize(
    ("asked", "error", "sentence"),
    [
        ({"letters": "LLL"}, MoveError, "move 3, L, is illegal"),
        ({"start": Board([2, 1, 3, 4, 5, 6, 7, 8, 0])}, UnsolvableError, "cannot reach"),
        ({"letters": "LR" * 5001}, OptionError, "10002 moves is too long; at most 10000"),
        ({"seconds": 61}, OptionError, "give more than 0 and at most 60 s"),
        ({"seconds": float("nan")}, OptionError, "give more than 0"),
        ({"times_ms": (1,)}, MoveError, "1 times for 2 moves"),
        ({"times_ms": (-1, 1)}, MoveError, "the time of move 1 is -1 ms"),
        ({"times_ms": (2, 1)}, MoveError, "the time of move 2 is 1 ms"),
    ],
)
def test_what_cannot_be_analysed_is_refused(house, asked, error, sentence):
    with pytest.raises(error, match=sentence):
        house.ask(**asked)
    assert house.read.of_client(house.client) == []


def test_a_client_has_so_many_unfinished_analyses_and_the_service_too(make_house):
    house = make_house(analyses_per_client=2, analysis_depth_cap=3)
    house.ask("L")
    house.ask("LL")
    with pytest.raises(QuotaError, match="you have 2 unfinished analyses"):
        house.ask("LR")
    assert house.ask("L").state is QUEUED
    other = Clients(house.database).new()
    house.ask("L", client=other)
    with pytest.raises(OverloadError):
        house.ask("LL", client=other)
    house.work()
    house.ask("LR")


def test_clients_take_turns(house):
    other = Clients(house.database).new()
    house.ask("L")
    house.ask("LL")
    house.clock.turn(1)
    house.ask("LR", client=other)
    house.work()
    assert [len(spec.moves) for spec in house.analyst.specs] == [1, 2, 2]
    assert house.analyst.specs[1].moves.tolist() == from_letters("LR").tolist()


def test_a_lost_lease_is_taken_up_by_another(house):
    view = house.ask()
    house.claim()
    assert house.read.view(view.id).state is RUNNING
    assert house.work() == 0
    house.clock.turn(house.settings.lease_s + 1)
    house.reconcile.run_once()
    assert house.read.view(view.id).state is QUEUED
    assert house.tickets.sent[Queue.QUICK_ANALYSIS] >= 1
    assert house.work() == 1
    assert house.read.view(view.id).state is DONE


def test_an_analysis_that_breaks_its_workers_fails_and_says_so(house):
    view = house.ask()
    for _ in range(3):
        house.claim()
        house.clock.turn(house.settings.lease_s + 1)
        house.reconcile.run_once()
    view = house.read.view(view.id)
    assert view.state is FAILED
    assert "crashed its workers 3 times" in str(view.message)
    assert house.work() == 0


def test_an_error_is_tried_once_more(house):
    house.analyst.scripts.append(MemoryError())
    view = house.ask()
    assert house.work() == 2
    assert house.read.view(view.id).state is DONE
    house.analyst.scripts.extend([RuntimeError("once"), RuntimeError("twice")])
    view = house.ask("L")
    house.work()
    view = house.read.view(view.id)
    assert (view.state, str(view.message)) == (FAILED, "The analysis failed: RuntimeError: twice")
    assert house.ask("L").state is QUEUED
    house.work()
    assert house.read.view(view.id).state is DONE


def test_a_way_that_does_not_solve_is_never_stored(house):
    def astray(spec, limits, tell):
        found = house.analyst.solver.answer(spec, limits, tell)
        found.document["losses"] = [{"move": 1, "remaining": 1, "way": "R"}]
        return found

    house.analyst.scripts.extend([astray, astray])
    view = house.ask()
    house.work()
    view = house.read.view(view.id)
    assert view.state is FAILED
    assert "ReplayError" in str(view.message)


def test_a_stored_way_that_does_not_solve_is_never_shown(house):
    view = house.ask("LRLL")
    house.work()
    result = house.read.view(view.id).result
    result["losses"][0]["way"] = "R"
    wrong = write_answer(view.id, Answer(result))
    with house.database.engine(writes=True).begin() as connection:
        connection.execute(update(analysis).values(wrong))
    with pytest.raises(ReplayError):
        house.read.view(view.id)


def test_a_stopping_worker_gives_its_game_back_uncounted(house):
    view = house.ask()

    def until_cancelled(spec, limits, tell):
        while not limits.cancelled():
            pass

    for _ in range(4):
        looks = iter([False] * 3)
        house.analyst.scripts.append(until_cancelled)
        house.work(stopping=lambda looks=looks: next(looks, True))
        assert house.read.view(view.id).state is QUEUED
    house.work()
    assert house.read.view(view.id).state is DONE


def test_a_cancelled_analysis_ends_at_once_and_its_worker_soon(house):
    view = house.ask()

    def cancelled_meanwhile(spec, limits, tell):
        assert house.cancel(view.id, house.client).state is CANCELLED
        while not limits.cancelled():
            time.sleep(0.01)
        return house.analyst.solver.answer(spec, limits, tell)

    house.analyst.scripts.append(cancelled_meanwhile)
    assert house.work() == 1
    assert house.read.view(view.id).state is CANCELLED
    assert house.cancel(view.id, house.client).state is CANCELLED
    assert house.ask().state is QUEUED


def test_only_its_owner_cancels_an_analysis(house):
    view = house.ask()
    with pytest.raises(ForbiddenError):
        house.cancel(view.id, Clients(house.database).new())
    with pytest.raises(NotFoundError):
        house.cancel(new_id(), house.client)
    house.work()
    assert house.cancel(view.id, house.client).state is DONE


def test_progress_is_stored_while_it_lasts(house):
    view = house.ask()
    seen = []

    def telling(spec, limits, tell):
        tell(AnalysisStanding(1, 3, 1, 5))
        before = house.read.version(view.id)
        seen.append(house.read.wait(view.id, before, 5.0).standing)
        return house.analyst.solver.answer(spec, limits, tell)

    house.analyst.scripts.append(telling)
    house.work()
    assert seen == [AnalysisStanding(1, 3, 1, 5)]


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
        house.read.view(done.id)
    assert house.read.view(waiting.id).state is QUEUED
