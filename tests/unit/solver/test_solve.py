"""solve(): published lengths, limits, targets and options."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
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
from tilework.core.solver.optimal import ida_star
from tilework.core.solver.solve import solve
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
@settings(max_examples=25)
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


def test_requested_heuristic_is_used():
    board = Board([2, 1, 3, 4, 5, 6, 8, 7, 0])
    goal = blank_last(board.size)
    for heuristic, bound in ((Heuristic.MANHATTAN, 4), (Heuristic.LINEAR_CONFLICT, 8)):
        for algorithm in (Algorithm.AUTO, Algorithm.A_STAR):
            assert solve(board, goal, algorithm=algorithm, heuristic=heuristic).optimal
        result = solve(board, goal, algorithm=Algorithm.CONSTRUCTIVE, heuristic=heuristic)
        assert result.lower_bound == bound
        assert_solves(board, goal, result)


@pytest.mark.parametrize(
    ("side", "algorithm", "heuristic", "message"),
    [
        (5, "a-star", "auto", "a-star is limited to 16 cells and 5×5 boards have 25"),
        (7, "ida-star", "auto", "limited to 36 cells and .* have 49; choose from auto, beam, con"),
        (3, "a-star", "pattern-database", "a-star does not support pattern-database"),
        (34, "beam", "auto", "beam is limited to 1100 .*; choose from auto, constructive"),
        (5, "beam", "manhattan", "beam does not support manhattan for 5×5 boards"),
        (4, "ida-star", "manhattan", "ida-star does not support manhattan"),
        (4, "constructive", "pattern-database", "constructive does not support pattern"),
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


@pytest.mark.parametrize("algorithm", [Algorithm.AUTO, Algorithm.A_STAR, Algorithm.IDA_STAR])
def test_limits_stop_the_search(algorithm):
    goal = blank_last(HARDEST.size)
    for limits, reason in (
        (Limits(seconds=0.0), StopReason.TIME),
        (Limits(nodes=1000), StopReason.NODES),
        (Limits(cancelled=lambda: True), StopReason.CANCELLED),
    ):
        result = solve(HARDEST, goal, limits=limits, algorithm=algorithm)
        assert result.stopped_by is reason
        assert not result.optimal
        assert HARDEST.manhattan(goal) <= result.lower_bound < 80


def test_target_that_is_met_ends_the_search_early():
    for size, target in ((Size(4, 4), ANY), (Size(5, 5), Target(TargetKind.GAP, 5.0))):
        goal = blank_last(size)
        board = scramble(size, goal, seed=4)
        result = solve(board, goal, target=target)
        assert (result.algorithm, result.stopped_by) == ("constructive", None)
        assert_solves(board, goal, result)


def test_reported_bounds_are_valid(pattern_databases, monkeypatch):
    monkeypatch.setattr(ida_star, "_PROGRESS_INTERVAL_S", 0.0)
    reports = []
    goal, limits = blank_last(HARDEST.size), Limits(nodes=2_000_000)
    solve(HARDEST, goal, limits=limits, progress=reports.append, pdb_folder=pattern_databases)
    assert len(reports) > 2
    assert all(progress.lower_bound <= 80 for progress in reports)
    # There may be no solution at first.
    lengths = [progress.upper_bound for progress in reports]
    lengths = lengths[lengths.count(None) :]
    assert all(length is not None and length >= 80 for length in lengths)
    assert all(first.nodes <= second.nodes for first, second in pairwise(reports))
