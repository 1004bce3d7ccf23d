"""Damaged rows of solves and jobs that count in slides: never believed, and made anew."""

from __future__ import annotations

import pytest
from sqlalchemy import update

from tests.support.services.staging import BOARD, GOAL, LENGTH, longer
from tests.unit.services.farm.sliding.asking import ask, check_answered
from tilework.core.puzzle.canonical import canonicalize
from tilework.core.puzzle.packing import pack
from tilework.core.services.jobs.phrases import WITHDRAWN
from tilework.core.services.states import JobState
from tilework.core.storage.models import job as job_
from tilework.core.storage.models import solve


def change(house, table, **values):
    with house.database.engine(writes=True).begin() as connection:
        assert connection.execute(update(table).values(**values)).rowcount == 1


@pytest.mark.parametrize(
    "values",
    [
        {"lower_bound": 1, "upper_bound": 1},
        {"upper_bound": LENGTH},
        {"moves": b"\x0a"},
        {"iterations": "[]"},
        {"seal": None},
    ],
    ids=str,
)
def test_a_damaged_solve_is_solved_anew(sliding, values):
    job = ask(sliding)
    sliding.work()
    change(sliding, solve, **values)
    again = ask(sliding)
    sliding.work()
    check_answered(sliding, again)
    check_answered(sliding, job)
    in_moves = sliding.ask(BOARD)
    sliding.work()
    assert sliding.read.view(in_moves.id).upper_bound == LENGTH


def test_a_solve_in_slides_is_not_taken_for_one_in_moves(sliding):
    job = ask(sliding)
    sliding.work()
    change(sliding, solve, key=canonicalize(BOARD, GOAL).key)
    in_moves = sliding.ask(BOARD)
    sliding.work()
    assert sliding.read.view(in_moves.id).upper_bound == LENGTH
    assert len(sliding.read.solution(in_moves.id).moves) == LENGTH
    again = ask(sliding)
    sliding.work()
    check_answered(sliding, again)
    check_answered(sliding, job)


@pytest.mark.parametrize("metric", [None, "moves", "hops"])
def test_a_job_whose_metric_is_damaged_says_nothing_wrong(sliding, metric):
    job = ask(sliding)
    sliding.work()
    change(sliding, job_, metric=metric)
    found = sliding.read.view(job.id)
    assert (found.state, found.message.code) == (JobState.FAILED, "record-damaged")
    check_answered(sliding, ask(sliding))


def test_moves_that_are_too_many_slides_are_withdrawn(sliding):
    job = ask(sliding)
    sliding.work()
    change(sliding, solve, moves=pack(longer(BOARD, GOAL)))
    assert sliding.read.solution(job.id) is None
    assert sliding.read.view(job.id).message == WITHDRAWN
    again = ask(sliding)
    sliding.work()
    check_answered(sliding, again)
