from __future__ import annotations

import time

import pytest

from tests.support.services.staging import bounded, cancelled
from tilework.core.errors import ForbiddenError, NotFoundError
from tilework.core.puzzle.board import Board
from tilework.core.services.states import JobState, SliceState, SolveState
from tilework.core.solver.piece import Piece, SliceOutcome

BOARD = Board([4, 1, 2, 5, 0, 3], 3, 2)


def test_only_the_owner_cancels(house):
    job = house.ask(BOARD)
    with pytest.raises(ForbiddenError):
        house.cancel(job.id, house.clients.new())
    assert house.read.view(job.id).state is JobState.QUEUED
    with pytest.raises(NotFoundError, match="nowhere"):
        house.cancel("nowhere", house.client)


def test_a_cancelled_job_leaves_nothing_to_do_until_somebody_asks_again(house):
    job = house.ask(BOARD)
    once = house.cancel(job.id, house.client)
    assert once.state is JobState.CANCELLED
    assert house.cancel(job.id, house.client) == once
    assert house.slices_of(job) == {}
    assert house.work() == 0
    again, other = house.ask(BOARD), house.ask(BOARD, client=house.clients.new())
    house.cancel(again.id, house.client)
    assert house.work() == 1  # for the other
    assert house.cancel(other.id, other.client_id).state is JobState.OPTIMAL
    assert house.read.view(job.id).state is JobState.CANCELLED


def test_a_running_slice_stops_and_keeps_its_cursor(house):
    house.solver.openings.append(bounded)
    job = house.ask(BOARD)
    house.work("interactive")

    def endless(board, goal, threshold, cursor, stop):
        house.cancel(job.id, house.client)
        while not stop():
            time.sleep(0.001)
        return SliceOutcome(123, None, None, (Piece(b"rest:0.4", 0.4),), "x")

    house.solver.runnings.append(endless)
    house.work("search")
    solve = house.solve_of(job)
    assert (solve.state, solve.nodes) == (SolveState.IDLE, 50 + 123)
    assert set(house.slices_of(job)) == {SliceState.PARKED}
    again = house.ask(BOARD)
    assert again.progress == pytest.approx(0.6)
    house.work("search")
    assert house.read.view(again.id).state is JobState.OPTIMAL
    assert house.solver.searched[1][1].startswith(b"rest")


def test_a_first_try_that_nobody_wants_any_more_stops(house):
    job = house.ask(BOARD)

    def endless(board, goal, limits):
        house.cancel(job.id, house.client)
        while not limits.cancelled():
            time.sleep(0.001)
        return cancelled(board, goal, limits)

    house.solver.openings.append(endless)
    house.work()
    assert house.slices_of(job) == {}
    assert house.solve_of(job).state is SolveState.IDLE
