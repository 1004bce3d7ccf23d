"""The life of a job that counts in slides: it ends as any other does."""

from __future__ import annotations

import time

from tests.support.services.sliding import (
    SlidingSolver,
    fewest_slides,
    noted_only,
    too_slow,
)
from tests.support.services.staging import ANY, BOARD, LENGTH
from tests.unit.services.farm.sliding.asking import FEWEST, ask, check_answered, count
from tilework.core.services.states import JobState, Queue


def test_fewest_slides_are_other_than_fewest_moves(sliding):
    assert FEWEST < LENGTH
    job = ask(sliding)
    assert job.lower_bound >= 1
    sliding.work()
    check_answered(sliding, job)


def test_what_is_too_slow_for_its_queue_goes_on_among_long_searches(sliding):
    sliding.solver.slidings.append(too_slow)
    job = ask(sliding)
    assert sliding.work("interactive") == 1
    found = sliding.read.view(job.id)
    assert (found.state, found.queue) == (JobState.RUNNING, Queue.SEARCH)
    assert found.upper_bound is not None
    assert sliding.work("search") == 1
    check_answered(sliding, job)


def test_a_worker_that_dies_is_replaced(sliding):
    job = ask(sliding)
    assert sliding.claim() == 1
    sliding.clock.turn(sliding.settings.lease_s + 1)
    sliding.reconcile.run_once()
    sliding.work()
    check_answered(sliding, job)


def test_a_board_that_kills_its_workers_fails(sliding):
    job = ask(sliding)
    for _ in range(3):
        assert sliding.claim() == 1
        sliding.clock.turn(sliding.settings.lease_s + 1)
        sliding.reconcile.run_once()
    found = sliding.read.view(job.id)
    assert (found.state, found.message.code) == (JobState.FAILED, "quarantined")


def test_a_search_that_raises_is_tried_again(sliding):
    sliding.solver.slidings.append(RuntimeError("a bad day"))
    job = ask(sliding)
    sliding.work()
    check_answered(sliding, job)


def test_cancelling_keeps_what_was_noted(sliding):
    sliding.solver.slidings.append(noted_only)
    job = ask(sliding)
    sliding.worker().serve("interactive", "w", lambda: sliding.solver.slid > 0)
    found = sliding.cancel(job.id, sliding.client)
    assert (found.state, found.lower_bound) == (JobState.CANCELLED, 3)
    assert count(sliding.read.solution(job.id).moves) == found.upper_bound
    last = sliding.read.history(job.id)[-1]
    assert (last.lower_bound, last.upper_bound) == (3, found.upper_bound)


def test_a_deadline_ends_it(sliding):
    without = ask(sliding, seconds=5.0)
    sliding.let_time_pass(6.0)
    assert sliding.read.view(without.id).state is JobState.EXPIRED
    sliding.solver.slidings += [too_slow]
    some = ask(sliding, seconds=5.0)
    sliding.work("interactive")
    sliding.let_time_pass(6.0)
    found = sliding.read.view(some.id)
    assert (found.state, found.message.code) == (JobState.BOUNDED, "time-is-up")


def test_any_solution_will_do(sliding):
    sliding.solver.slidings.append(too_slow)
    job = ask(sliding, target=ANY)
    sliding.work()
    found = sliding.read.view(job.id)
    assert found.state is JobState.BOUNDED
    assert count(sliding.read.solution(job.id).moves) == found.upper_bound
    better = ask(sliding)
    sliding.work()
    check_answered(sliding, better)


def test_short_work_is_done_in_the_middle_of_a_long_search(make_house):
    house = make_house()
    house.clock.going = True
    house.solver = SlidingSolver()
    house.solver.slidings.append(too_slow)
    job = ask(house)
    house.work("interactive")
    short = house.ask(next(BOARD.neighbors()))

    def patient(board, goal, limits, found):
        end = time.monotonic() + 30.0
        while not house.read.view(short.id).finished and time.monotonic() < end:
            assert not limits.cancelled()
        assert house.read.view(short.id).finished
        return fewest_slides(board, goal, limits, found)

    house.solver.slidings.append(patient)
    house.worker().serve(Queue.SEARCH, "w", lambda: house.read.view(job.id).finished)
    check_answered(house, job)
