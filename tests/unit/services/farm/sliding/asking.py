"""Asking for few slides, and what the answer must be."""

from __future__ import annotations

from itertools import groupby

from tests.support.services.sliding import slides_between
from tests.support.services.staging import BOARD, GOAL
from tilework.core.puzzle.metric import Metric
from tilework.core.puzzle.moves import to_letters
from tilework.core.puzzle.replay import replay
from tilework.core.services.states import JobState

FEWEST = slides_between(BOARD, GOAL)


def ask(house, board=BOARD, **options):
    return house.ask(board, metric=Metric.SLIDES, **options)


def count(moves):
    return len(list(groupby(to_letters(moves))))


def check_answered(house, job, board=BOARD, goal=GOAL, fewest=FEWEST):
    found, solution = house.read.view(job.id), house.read.solution(job.id)
    assert found.metric is Metric.SLIDES
    assert (found.state, found.lower_bound, found.upper_bound) == (
        JobState.OPTIMAL,
        fewest,
        fewest,
    )
    assert solution.optimal
    assert solution.metric is Metric.SLIDES
    assert count(solution.moves) == fewest
    replay(board, solution.moves, goal)
