import pytest

from tilework.core.errors import BoardError
from tilework.core.puzzle import goals
from tilework.core.puzzle.board import Board, Size


def test_blank_last_and_first():
    assert goals.blank_last(Size(3, 2)) == Board([1, 2, 3, 4, 5, 0], 3, 2)
    assert goals.blank_first(Size(3, 2)) == Board([0, 1, 2, 3, 4, 5], 3, 2)
    assert goals.blank_at(Size(3, 2), 2) == Board([1, 2, 0, 3, 4, 5], 3, 2)
    assert goals.blank_last(Size(1, 1)) == goals.blank_first(Size(1, 1)) == Board([0])


@pytest.mark.parametrize(
    ("width", "height", "tiles"),
    [
        (1, 1, [0]),
        (3, 1, [1, 2, 0]),
        (1, 3, [1, 2, 0]),
        (2, 2, [1, 2, 0, 3]),
        (3, 2, [1, 2, 3, 0, 5, 4]),
        (2, 3, [1, 2, 0, 3, 5, 4]),
        (3, 3, [1, 2, 3, 8, 0, 4, 7, 6, 5]),
        (4, 3, [1, 2, 3, 4, 10, 11, 0, 5, 9, 8, 7, 6]),
        (4, 4, [1, 2, 3, 4, 12, 13, 14, 5, 11, 0, 15, 6, 10, 9, 8, 7]),
    ],
)
def test_the_spiral_winds_inwards_to_the_blank(width, height, tiles):
    assert goals.spiral(Size(width, height)) == Board(tiles, width, height)


@pytest.mark.parametrize("size", [Size(w, h) for w in range(1, 8) for h in range(1, 8)])
def test_every_goal_is_a_board(size):
    for name in goals.GoalName:
        goal = goals.named(name, size)
        assert Board(goal.cells.tolist(), *size) == goal
        assert goal.cells[goal.blank] == 0


def test_names_are_read_loosely():
    size = Size(3, 3)
    assert goals.named(" Blank_First ", size) == goals.blank_first(size)
    assert goals.named("snail", size) == goals.named("SPIRAL", size) == goals.spiral(size)
    assert not goals.is_name("1 2 3 0")


def test_an_unknown_name_is_quoted():
    with pytest.raises(BoardError, match=r"unknown goal 'nowhere'; goals are blank-last, blank-f"):
        goals.named("nowhere", Size(3, 3))
