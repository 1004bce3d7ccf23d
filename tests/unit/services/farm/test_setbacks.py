"""Workers that die, searches that fail, a database that is away: what is lost is done again."""

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

OTHERS = [Board(tiles, 3, 2) for tiles in ([1, 2, 3, 4, 0, 5], [1, 2, 3, 0, 4, 5])]


def test_a_lost_lease_is_taken_up_by_another(house):
    job = house.ask(BOARD)
    assert house.claim() == 1
    assert house.work() == 0
    house.lose_leases()
    assert house.work() == 1
    assert house.read.view(job.id).state is JobState.OPTIMAL


def test_a_lease_is_renewed_for_as_long_as_its_slice_takes(make_house):
    house = make_house(lease_s=1.0)
    job = searching_job(house)

    def slow(board, goal, threshold, cursor, stop):
        house.clock.turn(0.9)
        with house.database.reading() as session:
            while session.slices.expired(house.clock() + 0.5):
                time.sleep(0.01)
        house.let_time_pass(0.9)
        assert house.claim("search") == 0
        return searched(board, goal, threshold, cursor, stop)

    house.solver.runnings.append(slow)
    house.work("search")
    assert house.read.view(job.id).state is JobState.OPTIMAL
    assert len(house.solver.searched) == 2


def test_poison_is_split_and_what_still_fails_is_set_aside(house):
    job = searching_job(house)
    for _ in range(3):
        assert house.claim("search") == 1
        house.lose_leases()
    worker = house.worker()
    worker.serve("search", "w", lambda: house.slices_of(job).get(SliceState.READY, 0) == 2)
    assert house.solver.searched == []
    assert house.claim("search") == 1
    house.lose_leases()
    assert house.slices_of(job) == {SliceState.READY: 1, SliceState.QUARANTINED: 1}
    assert house.read.view(job.id).state is JobState.RUNNING
    assert house.work("search") == 1
    done = house.read.view(job.id)
    assert (done.state, done.lower_bound) == (JobState.BOUNDED, LENGTH - 2)
    assert "suspended for an hour" in str(done.message)


def test_a_board_that_kills_its_workers_is_set_aside_for_a_while(house):
    job = house.ask(BOARD)
    for _ in range(3):
        assert not house.read.view(job.id).finished
        assert house.claim() == 1
        house.lose_leases()
    assert house.work() == 0
    assert house.solver.opened == []
    again = house.ask(BOARD)
    assert again.state is house.read.view(job.id).state is JobState.FAILED
    assert "suspended for an hour" in str(again.message)
    house.clock.turn(house.settings.poison_rest_s)
    job = house.ask(BOARD)
    house.work()
    assert house.read.view(job.id).state is JobState.OPTIMAL


def test_what_may_be_poison_is_claimed_alone(house):
    for board in OTHERS:
        house.ask(board)
    assert house.claim() == 2
    house.lose_leases()
    assert house.claim() == 1


def test_an_error_is_tried_again_and_then_ends_the_job(house):
    errors = [RuntimeError("first"), RuntimeError("no memory"), RuntimeError("passing")]
    house.solver.openings.extend(errors)
    job = house.ask(BOARD)
    assert house.work() == 2
    done = house.read.view(job.id)
    assert done.state is JobState.FAILED
    assert "no memory" in str(done.message)
    other = house.ask(OTHERS[0])
    assert house.work() == 2
    assert house.read.view(other.id).state is JobState.OPTIMAL


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
