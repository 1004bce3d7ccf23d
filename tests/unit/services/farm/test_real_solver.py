"""The whole way of a board with the real solver: submit, work, read."""

from __future__ import annotations

import threading

import pytest

from tests.support import naive
from tests.support.services.staging import ANY
from tests.unit.services.certificates.test_make import ALL, GOAL, HARD, Crumbs, certificate_of
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_first, blank_last
from tilework.core.puzzle.moves import from_letters
from tilework.core.puzzle.replay import apply, replay
from tilework.core.puzzle.scramble import scramble
from tilework.core.services.certificates.check import examine
from tilework.core.services.farm.life import searching
from tilework.core.services.farm.local_solver import LocalSolver
from tilework.core.services.farm.presence import Presence
from tilework.core.services.states import JobState
from tilework.core.solver.optimal import ordering
from tilework.core.solver.optimal.cursor import Cursor
from tilework.core.solver.optimal.subtrees import top_of


@pytest.fixture
def true_house(house, pattern_databases):
    house.solver = LocalSolver(pattern_databases)
    return house


def test_small_boards_end_optimal(true_house):
    house, goal = true_house, blank_last(Size(3, 3))
    depth = naive.distances(naive.solved(3, 3), 3)
    boards = [scramble(goal.size, goal, seed) for seed in range(8)]
    jobs = [house.ask(board) for board in boards]
    row = house.ask(Board([1, 2, 3, 0], 4, 1), ANY, goal=Board([1, 0, 2, 3], 4, 1))
    house.work()
    for board, job in zip(boards, jobs, strict=True):
        done = house.read.view(job.id)
        assert done.state is JobState.OPTIMAL
        assert done.upper_bound == depth[tuple(board.cells.tolist())]
        replay(board, house.read.solution(job.id).moves, goal)
    assert house.read.view(row.id).state is JobState.OPTIMAL


def test_a_search_in_slices_ends_optimal(make_house, pattern_databases):
    house = make_house(open_slice_s=0.001, search_slice_s=0.02)
    house.solver = LocalSolver(pattern_databases)
    goal = blank_first(Size(5, 3))
    board = scramble(Size(5, 3), goal, 3, moves=44)
    job = house.ask(board, goal=goal)
    house.work()
    done = house.read.view(job.id)
    assert (done.state, done.progress) == (JobState.OPTIMAL, 1.0)
    replay(board, house.read.solution(job.id).moves, goal)
    assert done.upper_bound <= 44


def test_a_large_board_ends_bounded(true_house):
    house, goal = true_house, blank_last(Size(8, 7))
    board = scramble(goal.size, goal, 1)
    job = house.ask(board)
    house.work("interactive")
    first = house.read.view(job.id)
    assert first.state is JobState.RUNNING
    # Some beams and windows.
    house.worker().serve("search", "w", lambda: house.solve_of(job).improvement.begun > 6)
    house.let_time_pass()
    done = house.read.view(job.id)
    assert done.state is JobState.BOUNDED
    assert 0 < done.lower_bound < done.upper_bound < first.upper_bound
    replay(board, house.read.solution(job.id).moves, goal)


def test_a_large_board_near_its_goal_ends_optimal(true_house):
    house = true_house
    for side in (7, 20, 300):
        goal = blank_last(Size(side, side))
        board = apply(goal, from_letters("DRDR"))
        job = house.ask(board)
        house.work()
        done = house.read.view(job.id)
        # Each of the four moves has taken another tile off its cell.
        assert (done.state, done.lower_bound, done.upper_bound) == (JobState.OPTIMAL, 4, 4)
        replay(board, house.read.solution(job.id).moves, goal)


def test_workers_that_share_a_search_make_one_proof(house, pattern_databases, monkeypatch):
    monkeypatch.setattr("tilework.core.services.farm.cutting.LEAST_PIECE_S", 1e-6)
    job = house.ask(HARD, goal=GOAL)
    all_are_there = threading.Barrier(3)

    def help_on(name):
        Presence(house.database, name, house.clock).tell()
        all_are_there.wait()
        worker = house.worker(Crumbs(pattern_databases))
        while not house.read.view(job.id).finished:
            for queue in ("interactive", "search"):
                worker.serve(queue, name, lambda: False)

    helpers = [threading.Thread(target=help_on, args=(f"w{place}",)) for place in range(3)]
    for helper in helpers:
        helper.start()
    for helper in helpers:
        helper.join()
    assert house.read.view(job.id).state is JobState.OPTIMAL
    certificate = certificate_of(house, job)
    assert any(one.engine is None for tree in certificate.thresholds for one in tree.slices)
    assert examine(certificate, ALL).fault is None


def test_a_tree_in_order_is_proved_with_what_lies_above_it(house, pattern_databases, monkeypatch):
    for room in (searching, ordering):
        monkeypatch.setattr(room, "LEAST_ORDERED_NODES", 100)
    monkeypatch.setattr(ordering, "COUNTED_NODES", 50)
    house.solver = Crumbs(pattern_databases)
    job = house.ask(HARD, goal=GOAL)
    house.work()
    assert house.read.view(job.id).state is JobState.OPTIMAL
    certificate = certificate_of(house, job)
    assert certificate.thresholds
    tree = certificate.thresholds[-1]
    [root] = [one for one in tree.slices if one.parent is None]
    parts = [Cursor.from_bytes(bytes.fromhex(one.cursor)) for one in tree.slices[1:]]
    assert root.engine is not None
    assert {len(path) for path, _ in parts[0].positions} == {top_of(GOAL.size.cells)}
    assert examine(certificate, ALL).fault is None
