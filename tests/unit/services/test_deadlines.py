from tilework.core.model.states import JobState
from tilework.core.model.workload import SEEN_FOR_S
from tilework.core.puzzle.board import Board
from tilework.core.services.deadlines import Deadlines
from tilework.core.services.farm.heartbeat import Heartbeat

BOARD = Board([4, 1, 2, 5, 0, 3], 3, 2)


def test_jobs_end_though_no_worker_is_alive(house):
    deadlines = Deadlines(house.database, house.settings, grace_s=2.0)
    job = house.ask(BOARD, seconds=5)
    other = house.ask(BOARD, seconds=5, algorithm="constructive")
    for seconds, state in ((6.9, JobState.QUEUED), (0.2, JobState.EXPIRED)):
        house.clock.turn(seconds)
        deadlines.run_once()
        assert house.read.view(job.id).state is state
    assert house.read.view(other.id).finished


def test_a_job_waits_no_longer_for_a_worker_that_died_while_it_got_ready(house):
    deadlines = Deadlines(house.database, house.settings)
    Heartbeat(house.database, "dies", house.clock).get_ready(12)
    job = house.ask(BOARD, seconds=5)
    for seconds in (0, SEEN_FOR_S + 1, 4.9):
        house.clock.turn(seconds)
        deadlines.run_once()
        assert house.read.view(job.id).state is JobState.QUEUED
    house.clock.turn(0.2)
    deadlines.run_once()
    assert house.read.view(job.id).state is JobState.EXPIRED
