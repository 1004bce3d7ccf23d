"""States, their successors, and the paths of nodes."""

from __future__ import annotations

import pytest

from tests.support import naive
from tilework.core.lab.problem import Problem
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import from_letters, to_letters
from tilework.core.puzzle.replay import replay

# The tile goes down where the blank goes up.
TILES_BY_BLANK = "DURL"


def problem_of(tiles, width):
    goal = naive.solved(width, len(tiles) // width)
    return Problem(Board(tiles, width), Board(goal, width))


@pytest.mark.parametrize(
    ("width", "height"), [(1, 1), (1, 4), (4, 1), (2, 2), (3, 2), (2, 3), (3, 3)]
)
def test_the_blank_goes_up_down_left_right_where_it_can(width, height):
    for blank in range(width * height):
        tiles = list(range(1, width * height))
        tiles.insert(blank, 0)
        problem = problem_of(tiles, width)
        made = [
            (to_letters([child.move]), child.state) for child in problem.children(problem.root())
        ]
        after = [(letter, naive.moved(tuple(tiles), width, letter)) for letter in TILES_BY_BLANK]
        assert made == [(letter, state) for letter, state in after if state is not None]


@pytest.mark.parametrize("letters", ["U", "D", "L", "R"])
def test_onward_is_all_but_the_way_back(letters):
    problem = problem_of((1, 2, 3, 4, 0, 5, 6, 7, 8), 3)
    root = problem.root()
    assert len(list(problem.onward(root))) == 4
    moved = next(child for child in problem.children(root) if to_letters([child.move]) == letters)
    states = [child.state for child in problem.children(moved)]
    states.remove(root.state)
    assert [child.state for child in problem.onward(moved)] == states


def test_a_path_is_replayed_to_its_end():
    start = Board((1, 2, 3, 4, 0, 5, 6, 7, 8), 3)
    node = problem_of(start.cells.tolist(), 3).root()
    problem = Problem(start, start)
    for letter in "ULDR":
        code = from_letters(letter)[0]
        node = next(child for child in problem.children(node) if child.move == code)
    assert node.g == 4
    assert [one.g for one in node.path()] == [0, 1, 2, 3, 4]
    assert node.path()[0].parent is None
    assert to_letters(node.moves()) == "ULDR"
    replay(start, node.moves(), Board(node.state, 3))


def test_the_root_has_no_moves():
    problem = problem_of((1, 2, 3, 0), 2)
    root = problem.root()
    assert (root.state, root.g, len(root.moves())) == ((1, 2, 3, 0), 0, 0)
    assert root.path() == [root]


def test_sides_are_told_apart():
    problem = problem_of((1, 2, 3, 4, 5, 0), 3)
    assert (problem.width, problem.height) == (3, 2)
    assert problem.goal == (1, 2, 3, 4, 5, 0)
