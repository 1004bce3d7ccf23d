from __future__ import annotations

import time

import pytest

from tests.support.services.staging import (
    BOARD,
    GOAL,
    LENGTH,
    best,
    cancelled,
    optimal,
    searched,
    searching_job,
)
from tilework.core.errors import UnavailableError
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import from_letters
from tilework.core.puzzle.replay import replay
from tilework.core.services.states import JobState, SliceState
from tilework.core.solver.names import Algorithm
from tilework.core.solver.piece import SliceOutcome


def test_a_lost_lease_is_taken_up_by_another(house):
    job = house.ask(BOARD)
    assert house.claim() == 1
    assert house.work() == 0
    house.clock.turn(house.settings.lease_s + 1)
    house.reconcile.run_once()
    assert house.work() == 1
    assert house.read.view(job.id).state is JobState.OPTIMAL


def test_a_lease_lasts_as_long_as_its_slice(make_house):
    house = make_house(lease_s=1.0)
    house.clock.going = True
    job = searching_job(house)

    def slow(board, goal, threshold, cursor, stop):
        time.sleep(2.0)
        house.reconcile.run_once()
        return searched(board, goal, threshold, cursor, stop)

    house.solver.runnings.append(slow)
    house.work("search")
    assert house.read.view(job.id).state is JobState.OPTIMAL
    assert len(house.solver.searched) == 2


def test_poison_is_split_and_what_still_fails_is_set_aside(house):
    job = searching_job(house)
    for _ in range(3):
        assert house.claim("search") == 1
        house.clock.turn(house.settings.lease_s + 1)
        house.reconcile.run_once()
    worker = house.worker()
    worker.serve("search", "w", lambda: house.slices_of(job).get(SliceState.READY, 0) == 2)
    assert house.solver.searched == []
    assert house.claim("search") == 1
    house.clock.turn(house.settings.lease_s + 1)
    house.reconcile.run_once()
    assert house.slices_of(job) == {SliceState.READY: 1, SliceState.QUARANTINED: 1}
    assert house.read.view(job.id).state is JobState.RUNNING
    assert house.work("search") == 1
    done = house.read.view(job.id)
    assert (done.state, done.lower_bound) == (JobState.BOUNDED, LENGTH - 2)
    assert "suspended for an hour" in str(done.message)


def test_a_first_try_that_kills_its_workers_is_set_aside(house):
    job = house.ask(BOARD)
    for _ in range(3):
        assert house.claim() == 1
        house.clock.turn(house.settings.lease_s + 1)
        house.reconcile.run_once()
    assert house.work() == 0
    assert house.read.view(job.id).state is JobState.FAILED
    again = house.ask(BOARD)
    assert again.state is JobState.FAILED
    assert "suspended for an hour" in str(again.message)


def test_poison_gets_another_chance_after_a_rest(house):
    house.ask(BOARD)
    for _ in range(3):
        house.claim()
        house.clock.turn(house.settings.lease_s + 1)
        house.reconcile.run_once()
    house.clock.turn(house.settings.poison_rest_s)
    job = house.ask(BOARD)
    house.work()
    assert house.read.view(job.id).state is JobState.OPTIMAL


def test_what_may_be_poison_is_claimed_alone(house):
    for tiles in ([1, 2, 3, 4, 0, 5], [1, 2, 3, 0, 4, 5], [0, 2, 3, 1, 4, 5]):
        house.ask(Board(tiles, 3, 2))
    assert house.claim() == 3
    house.clock.turn(house.settings.lease_s + 1)
    house.reconcile.run_once()
    assert house.claim() == 1


def test_an_error_is_tried_again_and_then_ends_the_job(house):
    house.solver.openings.extend([RuntimeError("first"), RuntimeError("no memory")])
    job = house.ask(BOARD)
    assert house.work() == 2
    done = house.read.view(job.id)
    assert done.state is JobState.FAILED
    assert "no memory" in str(done.message)


def test_one_error_costs_nothing(house):
    house.solver.openings.append(RuntimeError("passing"))
    job = house.ask(BOARD)
    house.work()
    assert house.read.view(job.id).state is JobState.OPTIMAL


def test_a_database_that_is_away_for_a_moment_counts_against_no_slice(house):
    job = searching_job(house)
    for _ in range(4):
        house.solver.runnings.append(UnavailableError("away"))
        with pytest.raises(UnavailableError):
            house.work("search")
    house.work("search")
    assert house.read.view(job.id).state is JobState.OPTIMAL


def test_an_error_in_a_search_leaves_the_bounds_that_are_proved(house):
    job = searching_job(house)
    house.solver.runnings.extend([ValueError("x"), ValueError("y")])
    house.work("search")
    done = house.read.view(job.id)
    assert (done.state, done.lower_bound) == (JobState.BOUNDED, LENGTH - 2)
    assert len(house.read.solution(job.id).moves) == LENGTH + 2


def test_moves_that_do_not_solve_are_an_error(house):
    job = searching_job(house)

    def wrong(board, goal, threshold, cursor, stop):
        return SliceOutcome(1, None, from_letters(best(board, goal))[:-1], (), "x")

    house.solver.runnings.append(wrong)
    house.work("search")
    assert house.read.view(job.id).upper_bound == LENGTH
    replay(BOARD, house.read.solution(job.id).moves, GOAL)


def test_what_breaks_one_algorithm_leaves_the_others_alone(house):
    error = RuntimeError("no memory")
    house.solver.openings.extend([error, cancelled, error, optimal])
    job = house.ask(BOARD, algorithm=Algorithm.A_STAR)
    other = house.ask(BOARD)
    house.work()
    done = house.read.view(job.id)
    assert done.state is JobState.FAILED
    assert "no memory" in str(done.message)
    assert house.solver.algorithms == [Algorithm.A_STAR, Algorithm.AUTO] * 2
    assert house.read.view(other.id).state is JobState.OPTIMAL
