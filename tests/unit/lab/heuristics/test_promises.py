"""What each heuristic promises, on every board of four sizes of goals.

The boards, their distances and their moves come from `tests.support.naive`, a breadth-first search of its
own. Where a promise is not made, some board has to break it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest

from tests.support import naive
from tilework.core.lab.catalogue import estimate_of
from tilework.core.lab.names import HEURISTICS, LabHeuristic
from tilework.core.lab.problem import Problem
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_first, blank_last, spiral

# All 181,440 boards of 3×3 towards two goals, and small boards of both shapes towards three.
GOALS = {
    "3x3": blank_last(Size(3, 3)),
    "3x3-mixed": Board([3, 1, 4, 8, 0, 2, 6, 5, 7]),
    "3x2": blank_last(Size(3, 2)),
    "2x3": blank_last(Size(2, 3)),
    "3x2-first": blank_first(Size(3, 2)),
    "2x3-first": blank_first(Size(2, 3)),
    "3x2-spiral": spiral(Size(3, 2)),
    "2x3-spiral": spiral(Size(2, 3)),
    "2x2": blank_last(Size(2, 2)),
}


class Boards(NamedTuple):
    """All boards that reach a goal, how far they are, and the moves between them by index."""

    goal: Board
    tiles: list[tuple[int, ...]]
    distances: np.ndarray
    moves: tuple[np.ndarray, np.ndarray]


@pytest.fixture(scope="module", params=GOALS)
def boards(request):
    goal = GOALS[request.param]
    distances = naive.distances(tuple(goal.cells.tolist()), goal.width)
    indices = {tiles: index for index, tiles in enumerate(distances)}
    pairs = [
        (index, indices[after])
        for tiles, index in indices.items()
        for letter in "UL"  # the other two are these two back
        if (after := naive.moved(tiles, goal.width, letter)) is not None
    ]
    before, after = np.array(pairs).T
    return Boards(goal, list(distances), np.array(list(distances.values())), (before, after))


@pytest.fixture(scope="module")
def estimates(boards):
    """By heuristic, what it says of each board."""
    problem = Problem(boards.goal, boards.goal)
    return {
        heuristic: np.array(list(map(estimate_of(heuristic, problem), boards.tiles)))
        for heuristic in LabHeuristic
    }


@pytest.mark.parametrize("heuristic", LabHeuristic)
def test_promises(heuristic, boards, estimates):
    found = estimates[heuristic]
    before, after = boards.moves
    over = (found - boards.distances).max()
    step = np.abs(found[before] - found[after]).max()
    facts = HEURISTICS[heuristic]
    assert boards.tiles[0] == tuple(boards.goal.cells.tolist())
    assert found[0] == 0
    assert found.min() == 0
    assert bool(over <= 0) is facts.admissible
    assert bool(step <= 1) is facts.consistent


def test_the_stronger_are_never_less_than_the_weaker(estimates):
    manhattan = estimates[LabHeuristic.MANHATTAN]
    assert (estimates[LabHeuristic.LINEAR_CONFLICT] >= manhattan).all()
    assert (estimates[LabHeuristic.PATTERN_DATABASE] >= manhattan).all()
    assert (estimates[LabHeuristic.WALKING_DISTANCE] >= manhattan).all()
    assert (manhattan >= estimates[LabHeuristic.MEAN]).all()
    assert (manhattan >= estimates[LabHeuristic.FAULTY]).all()
    assert (estimates[LabHeuristic.MEAN] >= estimates[LabHeuristic.HAMMING]).all()
    assert (estimates[LabHeuristic.MAXIMUM] == manhattan).all()
