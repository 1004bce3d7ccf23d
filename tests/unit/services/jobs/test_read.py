import time

import pytest
from sqlalchemy import update

from tests.support.services.staging import LENGTH, bounded, cancelled, search_end, searching_job
from tilework.core.model.states import JobState, Queue, SliceState, SolveState
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.replay import replay
from tilework.core.puzzle.scramble import scramble
from tilework.core.services.farm.heartbeat import Heartbeat
from tilework.core.services.jobs.read import ReadJob
from tilework.core.solver.work_unit import SliceOutcome, WorkUnit
from tilework.core.storage.models import solve

GOAL = blank_last(Size(3, 2))
BOARD = Board([4, 1, 2, 5, 0, 3], 3, 2)
BOARDS = [scramble(Size(3, 2), GOAL, seed) for seed in range(4)]


def test_a_job_changes_until_it_has_ended(house):
    house.solver.openings.append(bounded)
    job, other = house.ask(BOARD), house.ask(BOARD)
    versions = {job.version, house.read.version(job.id)}
    house.work("interactive")
    versions.add(house.read.version(job.id))
    ended = house.cancel(job.id, house.client)
    versions.add(ended.version)
    assert len(versions) == 3
    assert ended == house.read.view(job.id)
    events = house.read.history(job.id)
    house.clock.turn(1)
    house.work("search")
    found = house.read.view(other.id)
    assert (found.state, found.queue_position) == (JobState.OPTIMAL, None)
    after = house.read.view(job.id)
    for name in ("version", "upper_bound", "lower_bound"):
        assert getattr(after, name) == getattr(ended, name)
    assert house.read.history(job.id) == events
    assert house.read.solution(job.id).optimal


def test_waiting_ends_with_a_change_or_with_the_time(house, monkeypatch):
    job, look, looks = house.ask(BOARD), house.read.version, []
    assert house.read.wait(job.id, job.version, 0.01) == job
    assert house.read.wait(job.id, "an old version", 600) == job

    def look_and_work(job_id):
        looks.append(look(job_id))
        if len(looks) == 3:
            house.work()
        return looks[-1]

    monkeypatch.setattr(house.read, "version", look_and_work)
    assert house.read.wait(job.id, job.version, 600).state is JobState.OPTIMAL
    assert len(looks) == 4


def test_known_solutions_are_found_by_board(house):
    assert house.read.find_solution(BOARD, GOAL) is None
    house.ask(BOARD)
    assert house.read.find_solution(BOARD, GOAL) is None
    house.work()
    found = house.read.find_solution(GOAL, BOARD)
    assert found.optimal
    replay(GOAL, found.moves, BOARD)


def test_queues_tell_what_waits_and_what_runs(house):
    jobs = []
    for board in BOARDS:
        jobs.append(house.ask(board))
        house.clock.turn(10)
    assert [house.read.view(job.id).queue_position for job in jobs] == [0, 1, 2, 3]
    interactive, _, batch, _, lab, search = house.read.queues()
    assert (interactive.name, interactive.ready, interactive.leased) == (Queue.INTERACTIVE, 4, 0)
    assert (interactive.oldest_wait_s, interactive.tickets) == (40.0, 4)
    assert (batch.ready, lab.ready, search.ready, batch.oldest_wait_s) == (0, 0, 0, 0.0)
    house.claim()
    house.tickets.broken = True
    interactive = house.read.queues()[0]
    assert (interactive.ready, interactive.leased, interactive.tickets) == (0, 4, None)


def test_statistics_tell_how_good_the_solutions_of_large_boards_are(house):
    rows = ((40, 50, "active"), (40, 60, "idle"), (40, 40, "settled"), (40, None, "active"))
    size = Size(5, 4)
    for seed, (lower, upper, state) in enumerate([*rows, (0, 9, "active")]):
        solve_id = house.solve_of(house.ask(scramble(size, blank_last(size), seed))).id
        values = {"lower_bound": lower, "upper_bound": upper, "state": state}
        with house.database.engine(writes=True).begin() as connection:
            connection.execute(update(solve).where(solve.c.id == solve_id).values(values))
    [found] = house.read.statistics().sizes
    assert (found.puzzles, found.solved, found.optimal, found.longest) == (5, 4, 1, 40)
    assert (found.best_ratio, found.mean_ratio) == (1.25, 1.375)


def test_a_search_tells_its_threshold_rate_and_engine(house):
    job = searching_job(house)
    assert (job.threshold, job.nodes_per_s, job.engine) == (LENGTH - 2, 0.0, None)
    piece = house.take()
    outcome = SliceOutcome(700, None, None, (WorkUnit(b"rest", 0.5),), "tables")
    house.clock.turn(2)
    house.settle(search_end(piece, outcome, 2.0))
    Heartbeat(house.database, "w", house.clock).tell()
    view = house.read.view(job.id)
    assert (view.nodes_per_s, view.engine, view.progress) == (350, "tables", 0.5)
    left, factor = view.threshold_seconds_left, view.threshold_seconds_left_factor
    assert left / factor < 700 / 350 < left * factor
    statistics = house.read.statistics()
    assert (statistics.nodes_per_s, statistics.workers, statistics.nodes) == (350, 1, 750)
    house.clock.turn(3_600)
    view = house.read.view(job.id)
    assert (view.nodes_per_s, view.threshold_seconds_left) == (0.0, None)
    assert view.threshold_seconds_left_factor is None
    idle = ReadJob(house.database, house.tickets, house.settings).statistics()
    assert (idle.nodes_per_s, idle.workers) == (0.0, 0)


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
        return SliceOutcome(123, None, None, (WorkUnit(b"rest:0.4", 0.4),), "x")

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
