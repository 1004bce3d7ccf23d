"""Small boards are solved in the middle of a large one's opening."""

from __future__ import annotations

import time
from contextlib import suppress
from functools import cache

import pytest

from tilework.core.errors import ReplayError
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import from_letters
from tilework.core.puzzle.replay import replay
from tilework.core.search.statistics import Statistics
from tilework.core.services.states import JobState, Queue
from tilework.core.solver.result import SearchResult

SMALL = Board([4, 2, 3, 5, 0, 1], 3, 2)
LARGE = [Board([*range(1, 24), 0, 24]), Board([*range(1, 29), 0, 29], 6, 5)]
"""One move from their goal."""

PATIENCE_S = 10.0


def solution(board, goal):
    for letter in "LRUD":
        with suppress(ReplayError):
            replay(board, from_letters(letter), goal)
            return from_letters(letter)
    raise AssertionError("the board is one of LARGE, or its image")


class Opening:
    """One that goes on until something is so, or for too long."""

    def __init__(self, done):
        self._done = done
        self.is_over = False

    def __call__(self, board, goal, limits):
        end = time.monotonic() + PATIENCE_S
        while not self._done() and time.monotonic() < end:
            assert not limits.cancelled()
        self.is_over = True
        return SearchResult(1, solution(board, goal), "scripted", Statistics(1))


@pytest.fixture
def lively(make_house):
    house = make_house()
    house.clock.going = True
    return house


@pytest.fixture
def small(lively):
    """The id of a small board's job, which somebody asks for when it is first looked at."""
    return cache(lambda: lively.ask(SMALL, client=lively.clients.new()).id)


@pytest.fixture
def opening(lively, small):
    opening = Opening(lambda: lively.read.view(small()).finished)
    lively.solver.openings.append(opening)
    return opening


def test_a_small_board_is_solved_within_a_large_ones_opening(lively, small, opening):
    lively.ask(LARGE[0])
    lively.worker().serve(Queue.INTERACTIVE, "w", lambda: opening.is_over)
    assert lively.read.view(small()).state is JobState.OPTIMAL


def test_another_large_one_waits_for_its_end(lively, small, opening):
    lively.ask(LARGE[0])
    second = lively.ask(LARGE[1], client=lively.clients.new())
    lively.worker().serve(Queue.INTERACTIVE, "w", lambda: opening.is_over)
    assert lively.read.view(small()).state is JobState.OPTIMAL
    assert lively.read.view(second.id).state is JobState.QUEUED
    assert len(lively.solver.opened) == 2
