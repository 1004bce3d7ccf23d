"""Short optimal searches of boards of any size, against breadth-first search."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import naive
from tests.support.strategies import boards
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_at, blank_first, blank_last, spiral
from tilework.core.puzzle.moves import to_letters
from tilework.core.puzzle.scramble import scramble
from tilework.core.search.limits import Limits, StopReason
from tilework.core.solver.optimal.nearby import MAX_MOVES, solve_nearby
from tilework.core.solver.solve import solve
from tilework.core.solver.target import Target, TargetKind


def get_tiles(board):
    return tuple(board.cells.tolist())


def find_length(board, goal):
    """Return the optimal length, by bidirectional breadth-first search."""
    searches = [naive.levels(get_tiles(end), board.width) for end in (board, goal)]
    reached, length = [set(next(search)) for search in searches], 0
    while reached[0].isdisjoint(reached[1]):
        reached[length % 2].update(next(searches[length % 2]))
        length += 1
    return length


def assert_is_shortest(board, goal, result, length):
    assert result.stopped_by is None
    assert len(result.moves) == result.lower_bound == length
    final = naive.apply_moves(get_tiles(board), board.width, to_letters(result.moves))
    assert final == get_tiles(goal)


def rotate_three_tiles(side, row, column):
    """Return a goal with three tiles of a corner rotated, and the goal."""
    goal = blank_last(Size(side, side))
    grid = goal.cells.reshape(side, side).copy()
    first, second, third = (row, column), (row, column + 1), (row + 1, column)
    grid[first], grid[second], grid[third] = grid[second], grid[third], grid[first]
    return Board(grid), goal


# The distances of all boards from these goals are computed once for all tests.
GOALS = [spiral(Size(3, 3)), blank_first(Size(2, 4)), Board([3, 1, 7, 0, 6, 2, 4, 5], 4, 2)]


@st.composite
def puzzles(draw):
    """Draw a board, a goal that it can reach, and the optimal length."""
    goal = draw(st.sampled_from(GOALS))
    reached = naive.distances(get_tiles(goal), goal.width)
    candidates = boards(size=tuple(goal.size))
    board = draw(candidates.filter(lambda candidate: get_tiles(candidate) in reached))
    return board, goal, reached[get_tiles(board)]


@given(puzzle=puzzles(), nodes=st.integers(0, 3000))
def test_small_boards_agree_with_breadth_first_search(puzzle, nodes):
    board, goal, length = puzzle
    assert_is_shortest(board, goal, solve_nearby(board, goal, MAX_MOVES), length)
    # The bound is valid wherever a limit stops the search.
    result = solve_nearby(board, goal, MAX_MOVES, Limits(nodes=nodes))
    assert result.lower_bound <= length
    assert result.lower_bound % 2 == length % 2
    assert result.statistics.generated <= nodes
    assert (result.moves is None) == (result.stopped_by is StopReason.NODES)


@pytest.mark.parametrize(
    ("size", "moves"), [((7, 7), 9), ((12, 8), 4), ((37, 2), 9), ((3, 20), 8), ((7, 7), 0)], ids=str
)
def test_scrambles_of_larger_boards(size, moves):
    cells = size[0] * size[1]
    middle = blank_at(Size(*size), cells // 2 + size[0] // 2)
    for seed, goal in enumerate([blank_last(Size(*size)), spiral(Size(*size)), middle]):
        board = scramble(goal.size, goal, seed=seed, moves=moves)
        length = find_length(board, goal)
        assert_is_shortest(board, goal, solve_nearby(board, goal, 80), length)
        assert_is_shortest(goal, board, solve_nearby(goal, board, 80), length)


def test_distant_goal_only_gets_a_proven_bound():
    goal = blank_last(Size(9, 9))
    assert solve_nearby(scramble(goal.size, goal, seed=1), goal, 80) is None
    board, goal = rotate_three_tiles(9, 0, 0)
    assert solve_nearby(board, goal, 3) is None
    assert solve_nearby(board, goal, 4, Limits(nodes=1)) is not None
    board, goal = rotate_three_tiles(100, 2, 3)
    result = solve_nearby(board, goal, 80)
    assert (result.moves, result.stopped_by, result.statistics.generated) == (None, None, 0)
    # The blank must move to the three tiles in the upper left, and back.
    assert result.lower_bound == 2 * (97 + 96)
    complete = solve(board, goal, target=Target(TargetKind.ANY))
    assert complete.algorithm == "constructive"
    assert result.lower_bound <= complete.lower_bound <= len(complete.moves)


def test_limits_end_a_long_search():
    goal = blank_last(Size(30, 30))
    board = scramble(goal.size, goal, seed=3, moves=120)
    polls = itertools.count()
    for limits, reason in (
        (Limits(seconds=0.0), StopReason.TIME),
        (Limits(nodes=70_000), StopReason.NODES),
        (Limits(cancelled=lambda: True), StopReason.CANCELLED),
        # Cancellation is polled repeatedly.
        (Limits(cancelled=lambda: next(polls) == 12), StopReason.CANCELLED),
    ):
        result = solve_nearby(board, goal, MAX_MOVES, limits)
        assert (result.stopped_by, result.moves) == (reason, None)
        assert result.statistics.generated < 1_000_000
        assert limits.nodes is None or result.statistics.generated <= limits.nodes
        assert board.manhattan(goal) <= result.lower_bound <= 120
    assert next(polls) == 13
