"""Two hundred small boards, while something breaks: every job ends, and every answer is right."""

from __future__ import annotations

import time

from tests.system.faults.stage import Stage, boards_3x3

JOBS = 200


def test_a_worker_is_killed_amid_its_work(stage: Stage) -> None:
    boards = boards_3x3(JOBS, seed=1)
    jobs = [stage.submit(board) for board in boards]
    worker = stage.start_worker()
    stage.await_that(lambda: any(map(stage.has_ended, jobs[::20])))
    worker.kill()
    worker.wait()
    assert stage.ended(jobs) < JOBS
    stage.start_worker()
    stage.await_that(lambda: stage.ended(jobs) == JOBS)
    stage.assert_all_right(boards, jobs)


def test_the_broker_forgets_every_ticket(stage: Stage) -> None:
    boards = boards_3x3(JOBS, seed=3)
    jobs = [stage.submit(board) for board in boards]
    assert stage.tickets.depth("interactive")
    stage.flush_broker()
    assert stage.tickets.depth("interactive") == 0
    stage.start_worker()
    stage.await_that(lambda: stage.ended(jobs) == JOBS)
    stage.assert_all_right(boards, jobs)


def test_the_broker_is_away_while_boards_come_in(stage: Stage) -> None:
    boards = boards_3x3(20, seed=4)
    stage.start_worker()
    stage.stop_broker()
    began = time.monotonic()
    jobs = [stage.submit(board) for board in boards]
    assert time.monotonic() - began < 10
    stage.restart_broker()
    stage.await_that(lambda: stage.ended(jobs) == len(jobs))
    stage.assert_all_right(boards, jobs)


def test_the_broker_is_away_when_a_worker_starts(stage: Stage) -> None:
    boards = boards_3x3(5, seed=5)
    jobs = [stage.submit(board) for board in boards]
    stage.stop_broker()
    stage.start_worker()
    time.sleep(1.0)
    stage.restart_broker()
    stage.await_that(lambda: stage.ended(jobs) == len(jobs))
    stage.assert_all_right(boards, jobs)
