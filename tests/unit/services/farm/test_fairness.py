import time
from collections import Counter

import pytest

from tests.support.services import detours
from tests.support.services.scripted_solver import (
    BOARD,
    GOAL,
    solve_bounded,
    solve_optimally,
)
from tilework.core.model.states import JobState, Priority, Queue
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.packing import pack_board
from tilework.core.search.limits import search_clock
from tilework.core.services.jobs.submit import prepare
from tilework.core.solver.result import SliceOutcome, WorkUnit
from tilework.core.solver.trial import TrialOutcome

BOARDS = [
    Board([*map(int, tiles)], 3, 2) for tiles in ("523140", "523104", "024153", "503124", "403521")
]


class CountingSolver:
    def __init__(self, service):
        self.service = service
        self.slices = Counter()
        self.searched_s = 0.0

    def request(self, board, client, priority=Priority.NORMAL):
        self.service.solver.solve_scripts.append(solve_bounded)
        job = self.service.request(board, client=client, priority=priority)
        self.service.work("interactive")
        assert self.service.read.view(job.id).state is JobState.RUNNING
        return job.id

    def search(self, slices):
        def search_small_part(board, goal, threshold, cursor, stop):
            self.slices[pack_board(board)] += 1
            self.searched_s += 0.01
            share = float(cursor.split(b":")[1]) * 0.9999
            units = (WorkUnit(b"part:%.9f" % share, share),)
            return SliceOutcome(10, threshold + 2, None, units, "scripted")

        solver = self.service.solver
        solver.search_scripts.extend([search_small_part] * slices)
        end = len(solver.searches) + slices
        while len(solver.searches) < end:  # on a busy host, a run ends earlier
            self.service.worker().run("search", "w", lambda: len(solver.searches) >= end)

    def count_slices(self, board):
        return self.slices[prepare(board, GOAL).puzzle.board_bytes]


@pytest.fixture
def counting(service, monkeypatch):
    # Clients are charged by search time: here each slice takes the same time, also on a busy host,
    # however often another thread reads the clock.
    counting = CountingSolver(service)
    for module in ("searcher", "lease_renewer"):
        name = f"tilework.core.services.farm.{module}.search_clock"
        monkeypatch.setattr(name, lambda: counting.searched_s)
    return counting


def test_clients_share_the_farm_regardless_of_their_number_of_jobs(service, counting):
    busy_client, single_client = service.client, service.clients.new()
    for board in BOARDS:
        counting.request(board, busy_client)
    counting.request(BOARD, single_client)
    counting.search(100)
    assert counting.count_slices(BOARD) == pytest.approx(50, abs=6)
    for board in BOARDS:
        assert counting.count_slices(board) == pytest.approx(10, abs=4)


def test_shared_search_is_charged_once(service, counting):
    first, second, third = service.client, service.clients.new(), service.clients.new()
    job_id = counting.request(BOARDS[0], first)
    counting.search(60)
    # While there is a single client, it is not charged.
    assert counting.count_slices(BOARDS[0]) == 60
    with service.database.reading() as session:
        assert session.clients.priority(service.client) == 0.0
    second_job = service.request(BOARDS[0], client=second)
    counting.request(BOARD, third)
    counting.slices.clear()
    counting.search(60)
    assert counting.count_slices(BOARDS[0]) == pytest.approx(30, abs=4)
    assert service.read_solve(second_job).client_id == first
    service.cancel(job_id, first)
    assert service.read_solve(second_job).client_id == second


def test_clients_alternate_with_short_work(service):
    for board in BOARDS[:3]:
        service.request(board)
    service.clock.advance(0.01)
    other_job = service.request(BOARD, client=service.clients.new())
    claims = service.worker().lease(Queue.INTERACTIVE, "w")
    assert [claim.slice.solve_id for claim in claims].index(service.read_solve(other_job).id) == 1


def test_priority_orders_short_work_of_one_client_only(service):
    other_client = service.clients.new()
    jobs = [service.request(board, priority=Priority.LOW) for board in BOARDS[:2]]
    service.clock.advance(0.01)
    between = [service.request(board, client=other_client) for board in BOARDS[2:4]]
    jobs += [service.request(BOARDS[4]), service.request(BOARD, priority=Priority.HIGH)]
    claims = service.worker().lease(Queue.INTERACTIVE, "w")
    claimed = [claim.slice.solve_id for claim in claims]
    expected = [jobs[3], between[0], jobs[2], between[1], jobs[0], jobs[1]]
    assert claimed == [job.solve_id for job in expected]
    assert service.read.view(jobs[3].id).options.priority is Priority.HIGH


def test_priority_orders_long_searches_of_one_client_only(service, counting):
    other_client = service.clients.new()
    for board, priority in zip(BOARDS[:3], Priority, strict=True):
        counting.request(board, service.client, priority)
    counting.request(BOARD, other_client)
    counting.search(60)
    assert counting.count_slices(BOARD) == pytest.approx(30, abs=4)
    assert counting.count_slices(BOARDS[2]) == pytest.approx(30, abs=4)


SLOW_S = 0.05


def test_small_boards_are_solved_during_long_initial_searches_and_trials(service):
    large = service.request(detours.BOARD)
    other_client = service.clients.new()
    waiting = service.request(Board([*range(1, 29), 0, 29], 6, 5), client=other_client)
    finished = []

    def solve_small_board(limits):
        service.solver.solve_scripts.append(
            lambda *request: time.sleep(SLOW_S) or solve_optimally(*request)
        )
        start, search_start = time.perf_counter(), search_clock()
        job_id = service.request(BOARDS[len(finished)], client=service.clients.new()).id
        while not service.read.view(job_id).finished:
            assert not limits.cancelled()
        assert service.read.view(job_id).state is JobState.OPTIMAL
        # The search's clock is stopped in the meantime.
        assert search_clock() - search_start < time.perf_counter() - start - SLOW_S
        finished.append(job_id)

    def search_slowly(board, goal, limits):
        solve_small_board(limits)
        return detours.find_first_solution(board, goal, limits)

    def try_slowly(start, end, limits):
        solve_small_board(limits)
        return TrialOutcome(None, 1, complete=True)

    service.solver.solve_scripts.append(search_slowly)
    service.solver.trial_scripts.append(try_slowly)
    service.worker().run(Queue.INTERACTIVE, "w", lambda: len(finished) == 1)
    # Another large board waits for the end of an initial search.
    assert service.read.view(waiting.id).state is JobState.QUEUED
    service.cancel(waiting.id, other_client)
    service.worker().run(Queue.SEARCH, "w", lambda: len(finished) == 2)
    assert not service.read.view(large.id).finished
