"""Views of a problem: their solutions are those of the problem, in both directions."""

from __future__ import annotations

from itertools import islice

from hypothesis import given
from hypothesis import strategies as st

from tests.support import naive
from tests.support.strategies import boards, walks
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last, spiral
from tilework.core.puzzle.moves import from_letters, to_letters
from tilework.core.puzzle.replay import apply, replay
from tilework.core.puzzle.symmetry import Symmetry
from tilework.core.solver.large.anytime.views import FORMS, View, view


@given(data=st.data(), number=st.integers(0, 3 * FORMS))
def test_solutions_go_both_ways(data, number):
    board = data.draw(boards(least=2, most=7))
    moves = from_letters(data.draw(walks(board)))
    goal = apply(board, moves)
    one = view(number, seed=5)
    seen_board, seen_goal = one.of(board, goal)
    seen = one.seen(moves)
    reached = naive.played(tuple(seen_board.cells.tolist()), seen_board.width, to_letters(seen))
    assert reached == tuple(seen_goal.cells.tolist())
    assert one.unseen(seen).tolist() == moves.tolist()
    assert seen_board.manhattan(seen_goal) in (
        board.manhattan(goal),
        # The distance leaves out the blank, which both ends have where they had it.
        goal.manhattan(board),
    )


def test_the_first_view_is_the_problem_itself():
    board, goal = spiral(Size(5, 4)), blank_last(Size(5, 4))
    assert view(0) == View(Symmetry(), reverse=False, names=None)
    assert view(0).of(board, goal) == (board, goal)


def test_views_differ():
    board = Board([3, 1, 2, 0, 5, 4, 8, 7, 6], 3, 3)
    goal = Board([8, 0, 1, 2, 4, 3, 5, 6, 7], 3, 3)
    forms = [view(number).of(board, goal) for number in range(40)]
    assert len(set(forms)) == 40


def test_names_follow_the_seed():
    one, other = (view(FORMS, seed=seed) for seed in (1, 2))
    problem = (spiral(Size(4, 4)), blank_last(Size(4, 4)))
    assert one == view(FORMS, seed=1)
    assert one.of(*problem) != other.of(*problem)


def test_a_seen_rectangle_lies_on_its_side():
    goal = blank_last(Size(5, 3))
    board = next(islice(goal.neighbors(), 1, None))
    one = view(2)
    seen_board, seen_goal = one.of(board, goal)
    assert seen_board.size == (3, 5)
    tiles, wanted = (tuple(seen.cells.tolist()) for seen in (seen_board, seen_goal))
    [letter] = [letter for letter in "UDLR" if naive.moved(tiles, 3, letter) == wanted]
    replay(board, one.unseen(from_letters(letter)), goal)
