"""Few slides, counted by the solver itself."""

from __future__ import annotations

import pytest

from tests.support.services.sliding import (
    slides_between,
)
from tests.unit.services.farm.sliding.asking import ask, check_answered, count
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.scramble import scramble
from tilework.core.services.farm.local_solver import LocalSolver
from tilework.core.services.states import JobState, Queue


@pytest.fixture
def true_house(house, pattern_databases):
    house.solver = LocalSolver(pattern_databases)
    return house


def test_the_solver_proves_small_boards(true_house):
    house, goal = true_house, blank_last(Size(3, 3))
    for seed in range(4):
        board = scramble(goal.size, goal, seed)
        job = ask(house, board)
        house.work()
        check_answered(house, job, board, goal, slides_between(board, goal))


def test_a_larger_board_ends_with_bounds(make_house, monkeypatch):
    monkeypatch.setattr("tilework.core.services.farm.searcher.LONG_OPENING_S", 1.0)
    house = make_house()
    house.solver = LocalSolver(house.settings.data_dir)
    board = scramble(Size(5, 5), blank_last(Size(5, 5)), 1)
    job = ask(house, board)
    assert (job.queue, job.lower_bound) == (
        Queue.SEARCH,
        -(-board.manhattan(blank_last(Size(5, 5))) // 4),
    )
    house.work("search")
    found = house.read.view(job.id)
    assert (found.state, found.message.code) == (JobState.BOUNDED, "slides-not-counted-out")
    assert found.lower_bound < found.upper_bound == count(house.read.solution(job.id).moves)
    assert not found.leaves_more
    again = ask(house, board)
    assert (again.state, again.cached) == (JobState.BOUNDED, True)
