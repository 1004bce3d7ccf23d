from __future__ import annotations

import pytest
from sqlalchemy import update

from tests.support.services.staging import LENGTH, best, bounded, search_end, searching_job
from tilework.core.errors import NotFoundError
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.replay import replay
from tilework.core.puzzle.scramble import scramble
from tilework.core.services.farm.presence import Presence
from tilework.core.services.jobs.read import ReadJob
from tilework.core.services.states import JobState, Queue
from tilework.core.services.statistics import SizeStatistics
from tilework.core.solver.piece import Piece, SliceOutcome
from tilework.core.storage.models import solve

GOAL = blank_last(Size(3, 2))
BOARD = Board([4, 1, 2, 5, 0, 3], 3, 2)
BOARDS = [scramble(Size(3, 2), GOAL, seed) for seed in range(4)]


def test_what_does_not_exist(house):
    for read in ("view", "version", "solution", "history"):
        with pytest.raises(NotFoundError, match="nowhere"):
            getattr(house.read, read)("nowhere")
    assert house.read.solution(house.ask(BOARD).id) is None


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
    assert (after.version, after.upper_bound, after.lower_bound) == (
        ended.version,
        ended.upper_bound,
        ended.lower_bound,
    )
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


def test_a_client_s_jobs_come_newest_first_and_page_by_page(house):
    jobs = [house.ask(board) for board in BOARDS]
    house.ask(BOARD, client=house.clients.new())
    newest = [job.id for job in reversed(jobs)]
    page = house.read.jobs_of(house.client, 3)
    assert [job.id for job in page] == newest[:3]
    rest = house.read.jobs_of(house.client, 3, before=page[-1].id)
    assert [job.id for job in rest] == newest[3:]


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


def test_statistics_count_everything(house):
    for board in (*BOARDS[:2], BOARD):
        house.ask(board)
    house.work()
    house.ask(BOARD)
    house.ask(BOARDS[2])
    statistics = house.read.statistics()
    assert statistics.jobs == {JobState.OPTIMAL: 4, JobState.QUEUED: 1}
    assert (statistics.total_jobs, statistics.cached_jobs) == (5, 1)
    longest = max(len(best(board, GOAL)) for board in (*BOARDS[:2], BOARD))
    assert statistics.sizes == (SizeStatistics(3, 2, 4, 3, 3, longest),)
    assert statistics.nodes == 300
    assert (statistics.nodes_per_s, statistics.workers) == (0.0, 0)


def test_statistics_tell_how_good_the_solutions_of_large_boards_are(house):
    rows = [
        (40, 50, "active"),
        (40, 60, "idle"),
        (40, 40, "settled"),
        (40, None, "active"),
        (0, 9, "active"),
    ]
    size = Size(5, 4)
    for seed, (lower, upper, state) in enumerate(rows):
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
    outcome = SliceOutcome(700, None, None, (Piece(b"rest", 0.5),), "tables")
    house.clock.turn(2)
    house.settle(search_end(piece, outcome, 2.0))
    Presence(house.database, "w", house.clock).tell()
    view = house.read.view(job.id)
    assert (view.nodes_per_s, view.engine, view.progress) == (350, "tables", 0.5)
    left, factor = view.threshold_seconds_left, view.threshold_seconds_left_factor
    assert left / factor < 700 / 350 < left * factor
    statistics = house.read.statistics()
    assert (statistics.nodes_per_s, statistics.workers) == (350, 1)
    house.clock.turn(3_600)
    view = house.read.view(job.id)
    assert (view.nodes_per_s, view.threshold_seconds_left) == (0.0, None)
    assert view.threshold_seconds_left_factor is None
    idle = ReadJob(house.database, house.tickets, house.settings).statistics()
    assert (idle.nodes_per_s, idle.workers) == (0.0, 0)
