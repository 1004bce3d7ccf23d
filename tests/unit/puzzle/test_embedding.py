import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.strategies import sizes, walks
from tilework.core.errors import BoardError
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.embedding import embed
from tilework.core.puzzle.goals import GoalName, named_goal
from tilework.core.puzzle.moves import from_letters, reverse_moves
from tilework.core.puzzle.replay import apply


@given(st.data(), sizes(1, 5), sizes(0, 3), st.sampled_from(GoalName))
def test_moves_that_solve_a_board_solve_the_larger_one(data, part, more, goal):
    small, size = Size(*part), Size(part[0] + more[0], part[1] + more[1])
    solved = named_goal(goal, small)
    walk = from_letters(data.draw(walks(solved)))
    start = apply(solved, walk)
    try:
        larger = embed(start, size, goal)
    except BoardError:
        assert goal is GoalName.SPIRAL
        return
    assert Board(larger.cells.tolist(), *size) == larger
    assert apply(larger, reverse_moves(walk)) == named_goal(goal, size)


@given(sizes(2, 4), sizes(0, 2))
def test_unsolvable_boards_stay_unsolvable(part, more):
    cells = [*range(1, part[0] * part[1]), 0]
    cells[:2] = cells[1::-1]
    larger = embed(Board(cells, *part), Size(part[0] + more[0], part[1] + more[1]), "blank-last")
    assert not larger.is_solvable()


@pytest.mark.parametrize(
    ("part", "size", "goal"), [((3, 3), (2, 4), "blank-last"), ((3, 5), (4, 5), "spiral")]
)
def test_a_board_that_does_not_fit_is_rejected(part, size, goal):
    with pytest.raises(BoardError, match="board does not fit into a"):
        embed(named_goal(goal, Size(*part)), Size(*size), goal)
