"""solve(): published lengths, limits, targets and options."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import naive
from tests.support.instances import load_instances
from tests.support.strategies import boards
from tilework.core.errors import BoardError, OptionError, UnsolvableError
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.moves import to_letters
from tilework.core.puzzle.replay import replay
from tilework.core.puzzle.scramble import scramble
from tilework.core.search.limits import Limits, StopReason
from tilework.core.solver.solve import solve
from tilework.core.solver.strategy import stages_for
from tilework.core.solver.target import Algorithm, Heuristic, Target, TargetKind

ANY = Target(TargetKind.ANY)

# 80 moves from its goal, the maximum.
HARDEST = Board(load_instances("hardest_15puzzle.txt")[0].tiles)


def assert_solves(board, goal, result):
    final = naive.apply_moves(tuple(board.cells.tolist()), board.width, to_letters(result.moves))
    assert final == tuple(goal.cells.tolist())
    assert result.lower_bound <= result.upper_bound


def test_princeton_boards():
    for instance in load_instances("princeton_8puzzle.txt"):
        board = instance.board
        goal = blank_last(board.size)
        if instance.length is None:
            with pytest.raises(UnsolvableError, match="cannot reach its goal") as error:
                solve(board, goal)
            assert "is odd, so the goal cannot be reached" in str(error.value.explanation)
        elif instance.length < 50:
            result = solve(board, goal)
            assert result.upper_bound == result.lower_bound == instance.length
            assert_solves(board, goal, result)


@given(data=st.data())
def test_any_goal_of_any_size_is_reached(data):
    goal = data.draw(boards(smallest=2, largest=7))
    board = data.draw(boards(size=tuple(goal.size)))
    if not board.is_solvable(goal):
        with pytest.raises(UnsolvableError):
            solve(board, goal)
        return
    assert_solves(board, goal, solve(board, goal, target=ANY))


@pytest.mark.parametrize("size", [(1, 1), (6, 1), (1, 6)], ids=str)
def test_one_line_slides_the_blank(size):
    cells = size[0] * size[1]
    for blank in range(cells):
        board = Board([*range(1, blank + 1), 0, *range(blank + 1, cells)], *size)
        goal = blank_last(board.size)
        result = solve(board, goal)
        assert result.upper_bound == result.lower_bound == cells - 1 - blank
        reverse = solve(goal, board)
        replay(goal, reverse.moves, board)
        assert reverse.optimal
    with pytest.raises(UnsolvableError):
        solve(Board([2, 1, 0], 3, 1), Board([1, 2, 0], 3, 1))
    board = Board([2, 1, *range(3, 1 << 20), 0], 1 << 10)
    with pytest.raises(UnsolvableError) as error:  # without counting inversions
        solve(board, blank_last(board.size))
    assert error.value.explanation is None


@pytest.mark.parametrize(
    ("side", "algorithm", "heuristic", "message"),
    [
        (5, "a-star", "auto", "a-star is limited to 16 cells and 5×5 boards have 25"),
        (3, "a-star", "pattern-database", "a-star does not support pattern-database"),
        (34, "beam", "auto", "beam is limited to 1100 .*; choose from auto, constructive"),
        (5, "beam", "manhattan", "beam does not support manhattan for 5×5 boards"),
        (9, "auto", "pattern-database", "for 9×9 boards .* choose from linear-conflict, manhattan"),
    ],
)
def test_incompatible_options_are_rejected(side, algorithm, heuristic, message):
    goal = blank_last(Size(side, side))
    with pytest.raises(OptionError, match=message):
        solve(
            next(goal.neighbors()),
            goal,
            algorithm=Algorithm(algorithm),
            heuristic=Heuristic(heuristic),
        )
    with pytest.raises(BoardError, match="a goal of size 3×3 does not fit a board of size 4×4"):
        solve(blank_last(Size(4, 4)), blank_last(Size(3, 3)))


def test_limits_stop_the_search():
    goal = blank_last(HARDEST.size)
    for limits, reason in (
        (Limits(seconds=0.0), StopReason.TIME),
        (Limits(nodes=1000), StopReason.NODES),
        (Limits(cancelled=lambda: True), StopReason.CANCELLED),
    ):
        result = solve(HARDEST, goal, limits=limits)
        assert result.stopped_by is reason
        assert not result.optimal
        assert HARDEST.manhattan(goal) <= result.lower_bound < 80


def list_steps(width, height, algorithm=Algorithm.AUTO, heuristic=Heuristic.AUTO, **options):
    goal = blank_last(Size(width, height))
    return [stage.step.value for stage in stages_for(goal, algorithm, heuristic, **options)]


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        ((7, 1), "slide"),
        ((3, 3), "a-star deepen"),
        ((4, 4), "deepen construct deepen improve deepen"),
        ((5, 5), "construct deepen improve deepen"),
        ((8, 8), "nearby construct improve"),
        ((256, 256), "nearby improve"),
        ((400, 400), "nearby sweep-huge"),
    ],
    ids=str,
)
def test_steps_of_the_automatic_strategy(size, expected):
    assert list_steps(*size) == expected.split()


def test_strategy_proves_the_solution_of_a_beam(pattern_databases, monkeypatch):
    monkeypatch.setattr("tilework.core.solver.optimal.ida_star._PROGRESS_INTERVAL_S", 0.0)
    goal = blank_last(Size(5, 5))
    board = scramble(goal.size, goal, seed=4, moves=120)
    reports = []
    result = solve(board, goal, progress=reports.append, pdb_folder=pattern_databases)
    assert (result.optimal, result.algorithm) == (True, "beam")
    assert reports[0].upper_bound >= result.upper_bound
    assert_solves(board, goal, result)
    by_ida_star = solve(board, goal, algorithm=Algorithm.IDA_STAR, pdb_folder=pattern_databases)
    assert by_ida_star.upper_bound == result.upper_bound
    target = Target(TargetKind.GAP, 0.1)
    result = solve(board, goal, target=target, pdb_folder=pattern_databases)
    assert result.stopped_by is None
    assert 10 * (result.upper_bound - result.lower_bound) <= result.lower_bound


def test_steps_that_need_too_much_memory_end(pattern_databases):
    goal = blank_last(Size(5, 5))
    board = scramble(goal.size, goal, seed=2, moves=40)
    limits = Limits(memory_bytes=50_000)
    result = solve(board, goal, limits=limits, pdb_folder=pattern_databases)
    assert (result.optimal, result.algorithm) == (True, "ida-star")
    goal = blank_last(Size(40, 40))
    board = scramble(goal.size, goal, seed=1)
    result = solve(board, goal, limits=limits, workers_continue=True)
    assert (result.moves, result.stopped_by) == (None, StopReason.MEMORY)
