from __future__ import annotations

import threading

import pytest

from tests.support.services.staging import cancelled
from tests.unit.services.jobs.batches.staging import BOARDS, GOAL, send
from tilework.core.errors import ConflictError, OptionError, QuotaError
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.scramble import scramble
from tilework.core.services.states import JobState, Queue
from tilework.core.storage.damage.sealed import check_job
from tilework.core.storage.jobs import jobs as stored

UNSOLVABLE = Board([2, 1, 3, 4, 5, 0], 3, 2)


def test_an_unsolvable_board_costs_only_itself(house):
    batch = send(house, [BOARDS[0], UNSOLVABLE])
    house.work()
    good, bad = house.read_batch.results(batch.id)
    assert good.state is JobState.OPTIMAL
    assert (bad.state, bad.moves) == (JobState.FAILED, None)
    assert "cannot reach" in str(bad.message)
    job = house.read.view(bad.job_id)
    assert (job.board, job.upper_bound, job.batch_id) == (UNSOLVABLE, None, batch.id)
    assert house.read.solution(bad.job_id) is None
    assert house.read.history(bad.job_id) == []
    assert house.cancel(bad.job_id, house.client) == job


def test_batches_wait_in_their_own_queue(house):
    send(house, BOARDS)
    assert house.tickets.sent == {Queue.BATCH: 5}
    assert house.work("interactive") == 0
    assert house.work("batch") > 0


def test_a_single_job_is_not_behind_a_batch_of_its_board(house):
    send(house, BOARDS)
    other = house.ask(scramble(Size(3, 2), GOAL, 77))
    house.work("interactive")
    assert house.read.view(other.id).state is JobState.OPTIMAL


def test_an_interrupted_batch_goes_on(house):
    house.solver.openings.append(cancelled)
    batch = send(house, BOARDS)
    house.work("batch")
    assert house.read_batch.view(batch.id).states == {JobState.OPTIMAL: 5}


def test_batches_at_once_do_not_wait_for_each_other_for_ever(house):
    boards = [scramble(Size(3, 2), GOAL, seed) for seed in range(60)]
    errors = []

    def ask(items):
        try:
            send(house, items)
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=ask, args=(boards[::step],)) for step in (1, -1, 1, -1)]
    threads.append(threading.Thread(target=house.work, args=("batch",)))
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    house.work("batch")
    assert house.read.statistics().jobs == {JobState.OPTIMAL: 240}


def test_one_board_many_times_is_not_looked_through_each_time(house, monkeypatch):
    read = []
    monkeypatch.setattr(stored, "check_job", lambda row: read.append(check_job(row)))
    batch = send(house, [BOARDS[0]] * 200)
    # One row for each, and not all those before it.
    assert len(read) <= 200
    house.work("batch")
    assert house.read_batch.view(batch.id).states == {JobState.OPTIMAL: 200}
    assert len(house.solver.opened) == 1


def test_the_size_of_a_batch_and_its_client_quota(make_house):
    house = make_house(max_batch=3, jobs_per_client=2)
    with pytest.raises(OptionError, match="5 boards"):
        send(house, BOARDS)
    with pytest.raises(OptionError, match="0 boards"):
        send(house, [])
    with pytest.raises(QuotaError):
        send(house, BOARDS[:3])
    assert house.read.jobs_of(house.client) == []


def test_an_idempotency_key_gives_the_same_batch(house):
    batch = send(house, BOARDS, idempotency_key="k")
    assert send(house, BOARDS, idempotency_key="k").id == batch.id
    with pytest.raises(ConflictError):
        send(house, BOARDS[:1], idempotency_key="k")
    with pytest.raises(ConflictError):
        house.ask(BOARDS[0], key="k")
