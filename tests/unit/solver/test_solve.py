"""solve(): right lengths against published and naive ones, limits, targets, options."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support import naive
from tests.support.instances import instances, level_counts
from tests.support.strategies import boards
from tilework.core.errors import BoardError, OptionError, UnsolvableError
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_first, blank_last
from tilework.core.puzzle.moves import to_letters
from tilework.core.puzzle.replay import replay
from tilework.core.puzzle.scramble import scramble
from tilework.core.solver.names import Algorithm, Heuristic
from tilework.core.solver.solve import solve, warm_up
from tilework.core.solver.target import Target, TargetKind

ANY = Target(TargetKind.ANY)

# The hardest there are, found by complete breadth-first search from the blank-last goal.
HARDEST = [
    (6, 2, (0, 11, 4, 3, 2, 1, 6, 5, 10, 9, 8, 7), 80),
    (6, 2, (0, 6, 4, 3, 8, 1, 11, 5, 10, 9, 2, 7), 80),
    (4, 3, (0, 8, 6, 9, 11, 7, 10, 1, 4, 3, 2, 5), 53),
    (4, 3, (8, 7, 5, 9, 4, 3, 10, 2, 0, 11, 6, 1), 53),
]


def board_of(instance):
    return Board(instance.tiles, instance.width, instance.height)


def assert_solves(board, goal, result):
    reached = naive.played(tuple(board.cells.tolist()), board.width, to_letters(result.moves))
    assert reached == tuple(goal.cells.tolist())
    assert result.lower_bound <= result.upper_bound


def princeton_boards():
    for instance in instances("princeton_8puzzle.txt"):
        slow = [pytest.mark.slow] if instance.length == 80 else []
        yield pytest.param(instance, id=instance.name, marks=slow)


@pytest.mark.parametrize("instance", list(princeton_boards()))
def test_princeton_boards(instance):
    board = board_of(instance)
    goal = blank_last(board.size)
    if instance.length is None:
        with pytest.raises(
            UnsolvableError, match=r"this board of .* cannot reach its goal"
        ) as caught:
            solve(board, goal)
        assert "is odd, so the goal cannot be reached" in str(caught.value.explanation)
        return
    result = solve(board, goal)
    assert result.upper_bound == result.lower_bound == instance.length
    assert_solves(board, goal, result)


@pytest.mark.parametrize(
    ("file_name", "goal_of"),
    [
        ("hardest_8puzzle_blank_last.txt", blank_last),
        ("hardest_8puzzle_blank_first.txt", blank_first),
    ],
)
def test_hardest_8_puzzles(file_name, goal_of):
    for instance in instances(file_name):
        board = board_of(instance)
        result = solve(board, goal_of(board.size))
        assert (result.upper_bound, result.algorithm) == (31, "a-star")


@pytest.mark.parametrize("size", [(2, 2), (3, 2), (2, 3), (4, 2)], ids=str)
def test_level_counts_of_small_boards(size):
    goal = blank_last(Size(*size))
    counts: Counter[int] = Counter()
    for tiles in permutations(range(goal.size.cells)):
        board = Board(tiles, *size)
        if board.is_solvable():
            result = solve(board, goal)
            assert result.optimal
            counts[result.upper_bound] += 1
    published = level_counts(*sorted(size, reverse=True))
    assert [counts[depth] for depth in range(len(published))] == published
    assert sum(counts.values()) == sum(published)


@pytest.mark.parametrize(("width", "height", "tiles", "length"), HARDEST)
def test_hardest_boards_of_twelve_cells(width, height, tiles, length):
    board = Board(tiles, width, height)
    result = solve(board, blank_last(board.size))
    assert (result.lower_bound, result.upper_bound) == (length, length)


@given(data=st.data(), size=st.sampled_from([(2, 2), (3, 2), (2, 3), (2, 4)]))
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
def test_any_goal_of_small_boards_is_reached_optimally(data, size):
    goal = data.draw(boards(size))
    lengths = naive.distances(tuple(goal.cells.tolist()), goal.width)
    tiles = data.draw(st.sampled_from(sorted(lengths)))
    result = solve(Board(tiles, *size), goal)
    assert result.upper_bound == result.lower_bound == lengths[tiles]


@given(data=st.data())
@settings(max_examples=60)
def test_any_goal_of_any_size_is_reached(data):
    goal = data.draw(boards(least=2, most=7))
    board = data.draw(boards(size=tuple(goal.size)))
    if not board.is_solvable(goal):
        with pytest.raises(UnsolvableError):
            solve(board, goal)
        return
    result = solve(board, goal, target=ANY)
    assert_solves(board, goal, result)


@pytest.mark.parametrize("size", [(1, 1), (6, 1), (1, 6)], ids=str)
def test_one_line_slides_the_blank(size):
    width, height = size
    cells = width * height
    for blank in range(cells):
        tiles = [*range(1, blank + 1), 0, *range(blank + 1, cells)]
        board = Board(tiles, width, height)
        goal = blank_last(board.size)
        result = solve(board, goal)
        assert result.upper_bound == result.lower_bound == cells - 1 - blank
        back = solve(goal, board)
        replay(goal, back.moves, board)
        assert back.optimal


def test_one_line_in_another_order_is_unsolvable():
    with pytest.raises(UnsolvableError):
        solve(Board([2, 1, 0], 3, 1), Board([1, 2, 0], 3, 1))


@pytest.mark.parametrize("blank", [0, 1, 5, 7, 15])
def test_4x4_with_the_goal_blank_anywhere(blank):
    goal = Board(np.insert(np.arange(1, 16), blank, 0), 4, 4)
    board = scramble(goal.size, goal, seed=blank)
    result = solve(board, goal)
    assert result.optimal
    assert_solves(board, goal, result)


@pytest.mark.parametrize("size", [(5, 3), (3, 5), (7, 2), (2, 7)], ids=str)
def test_a_star_and_ida_star_agree(size):
    goal = blank_last(Size(*size))
    board = scramble(goal.size, goal, seed=1, moves=60)
    lengths = {
        solve(board, goal, algorithm=algorithm).upper_bound
        for algorithm in (Algorithm.AUTO, Algorithm.A_STAR, Algorithm.IDA_STAR)
    }
    assert len(lengths) == 1


@pytest.mark.parametrize("heuristic", [Heuristic.MANHATTAN, Heuristic.LINEAR_CONFLICT])
@pytest.mark.parametrize("algorithm", [Algorithm.AUTO, Algorithm.A_STAR, Algorithm.CONSTRUCTIVE])
def test_line_heuristics_are_heeded(algorithm, heuristic):
    board = Board([2, 1, 3, 4, 5, 6, 8, 7, 0])
    goal = blank_last(board.size)
    result = solve(board, goal, algorithm=algorithm, heuristic=heuristic)
    if algorithm is Algorithm.CONSTRUCTIVE:
        assert result.lower_bound == (4 if heuristic is Heuristic.MANHATTAN else 8)
    else:
        assert result.optimal
    assert_solves(board, goal, result)


def test_weaker_heuristics_expand_more():
    board = Board([8, 6, 7, 2, 5, 4, 3, 0, 1])
    goal = blank_last(board.size)
    expanded = [
        solve(board, goal, heuristic=heuristic).statistics.expanded
        for heuristic in (Heuristic.MANHATTAN, Heuristic.LINEAR_CONFLICT)
    ]
    assert expanded[0] > expanded[1] > 0


@pytest.mark.parametrize(
    ("side", "algorithm", "heuristic", "words"),
    [
        (
            5,
            Algorithm.A_STAR,
            Heuristic.AUTO,
            "a-star is limited to 16 cells and a board of 5×5 has 25",
        ),
        (
            7,
            Algorithm.IDA_STAR,
            Heuristic.AUTO,
            "ida-star is limited to 36 cells and a board of 7×7 has 49",
        ),
        (
            3,
            Algorithm.A_STAR,
            Heuristic.PATTERN_DATABASE,
            "a-star does not support pattern-database",
        ),
        (
            17,
            Algorithm.BEAM,
            Heuristic.AUTO,
            "beam is limited to 256 cells and a board of 17×17 has 289",
        ),
        (
            5,
            Algorithm.BEAM,
            Heuristic.MANHATTAN,
            "beam does not support manhattan for boards of 5×5",
        ),
        (4, Algorithm.IDA_STAR, Heuristic.MANHATTAN, "ida-star does not support manhattan"),
        (
            4,
            Algorithm.CONSTRUCTIVE,
            Heuristic.PATTERN_DATABASE,
            "constructive does not support pattern",
        ),
        (
            9,
            Algorithm.AUTO,
            Heuristic.PATTERN_DATABASE,
            "auto does not support pattern-database for boards of 9×9",
        ),
    ],
)
def test_options_that_do_not_go_together(side, algorithm, heuristic, words):
    goal = blank_last(Size(side, side))
    with pytest.raises(OptionError, match=words):
        solve(next(goal.neighbors()), goal, algorithm=algorithm, heuristic=heuristic)


def test_a_goal_of_another_size_is_refused():
    with pytest.raises(BoardError, match="a goal of 3×3 does not fit a board of 4×4"):
        solve(blank_last(Size(4, 4)), blank_last(Size(3, 3)))


def test_warm_up_leaves_the_databases_in_their_folder(tmp_path):
    warm_up(tmp_path)
    assert list(tmp_path.glob("4x4*"))
