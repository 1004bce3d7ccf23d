from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import naive
from tilework.core.errors import BoardError, MoveError, OptionError
from tilework.core.puzzle import replay as replay_module
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.moves import LETTERS, from_letters
from tilework.core.puzzle.replay import apply
from tilework.core.puzzle.scramble import scramble
from tilework.core.search.limits import Limits, StopReason
from tilework.core.solver.analysis import analyse as analyse_module
from tilework.core.solver.analysis.analyse import analyse
from tilework.core.solver.analysis.game import Game
from tilework.core.solver.solve import solve
from tilework.core.solver.target import Algorithm

GOAL = naive.solved_tiles(3, 3)


def walk_letters(tiles, width, choices):
    """Return the letters of a walk from a board; each choice selects one of the legal moves."""
    letters = ""
    for choice in choices:
        legal = [letter for letter in LETTERS if naive.apply_move(tiles, width, letter)]
        letters += legal[choice % len(legal)]
        tiles = naive.apply_move(tiles, width, letters[-1])
    return letters


def visit_boards(tiles, width, letters):
    boards = [tiles]
    for letter in letters:
        boards.append(naive.apply_move(boards[-1], width, letter))
    return boards


def check_sums(analysis, letters, start, goal, width):
    """Check the properties of an exact analysis, and replay its solutions."""
    remaining = analysis.lower
    assert analysis.is_exact
    assert analysis.upper == remaining
    assert 2 * len(analysis.losses) == len(letters) + remaining[-1] - remaining[0]
    assert analysis.lost == (2 * len(analysis.losses),) * 2
    boards = visit_boards(start, width, letters)
    for loss in analysis.losses:
        assert remaining[loss.move] == remaining[loss.move - 1] + 1
        assert loss.remaining == len(loss.way) == remaining[loss.move - 1]
        assert naive.apply_moves(boards[loss.move - 1], width, loss.way) == goal


solvable_tiles = (
    st.permutations(range(9)).map(tuple).filter(lambda tiles: tiles in naive.distances(GOAL, 3))
)


@given(solvable_tiles, st.lists(st.integers(0, 11), max_size=40))
def test_every_position_of_an_eight_puzzle_game_is_exact(tiles, choices):
    letters = walk_letters(tiles, 3, choices)
    analysis = analyse(Board(tiles), blank_last(Size(3, 3)), from_letters(letters))
    distances = naive.distances(GOAL, 3)
    boards = visit_boards(tiles, 3, letters)
    assert list(analysis.lower) == [distances[board] for board in boards]
    assert analysis.is_solution == (boards[-1] == GOAL)
    check_sums(analysis, letters, tiles, GOAL, 3)
    check_loops(analysis, boards)


def check_loops(analysis, boards):
    end = 0
    remaining = []
    for loop in analysis.loops:
        assert end <= loop.first < loop.last
        assert boards[loop.first] == boards[loop.last]
        remaining += boards[end : loop.first]
        end = loop.last
    remaining += boards[end:]
    assert len(set(remaining)) == len(remaining)


@given(st.lists(st.integers(0, 11), max_size=30), st.lists(st.integers(0, 11), max_size=60))
def test_a_path_visits_the_boards_that_it_shares_with_a_game(choices, path_choices):
    letters, path = (walk_letters(GOAL, 3, steps) for steps in (choices, path_choices))
    boards = visit_boards(GOAL, 3, letters)
    goal = blank_last(Size(3, 3))
    game = Game(goal, goal, from_letters(letters))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(replay_module, "CHUNK_MOVES", 7)
        visits = list(game.visits(goal, from_letters(path)))
    assert visits == [
        (count, boards.index(board))
        for count, board in enumerate(visit_boards(GOAL, 3, path))
        if board in boards
    ]


def test_short_games_and_games_that_pass_the_goal():
    goal = goal_4x4 = blank_last(Size(4, 4))
    analysis = analyse(goal, goal, from_letters("RDLU" * 3 + "RD"))
    # Three tiles on four cells are back after twelve moves.
    assert analysis.lower == (0, 1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1, 0, 1, 2)
    assert [loop.last for loop in analysis.loops] == [12]
    assert not analysis.is_solution
    goal = blank_last(Size(3, 3))
    solved = analyse(goal, goal, from_letters(""))
    assert (solved.lower, solved.losses, solved.loops, solved.slides) == ((0,), (), (), 0)
    assert solved.is_solution
    start = scramble(goal.size, goal, seed=1)
    tiles = tuple(start.cells.tolist())
    assert analyse(start, goal, from_letters("")).lower == (naive.distances(GOAL, 3)[tiles],)
    row = Board([1, 2, 3, 0], 4, 1)
    analysis = analyse(row, row, from_letters("RRLRL"))
    assert analysis.lower == analysis.upper == (0, 1, 2, 1, 2, 1)
    assert analyse(goal_4x4, goal_4x4, from_letters("RRDDLU")).slides == 4


def test_long_game_on_a_large_board_has_valid_bounds(monkeypatch):
    monkeypatch.setattr(analyse_module, "_PROGRESS_INTERVAL_S", 0.0)
    goal = blank_last(Size(5, 5))
    start = scramble(goal.size, goal, seed=3)
    # Like a game of a person who solves line by line.
    moves = solve(start, goal, algorithm=Algorithm.CONSTRUCTIVE).moves
    reports = []
    analysis = analyse(start, goal, moves, limits=Limits(nodes=40_000), progress=reports.append)
    assert reports
    for first, second in pairwise(reports):
        assert first.settled <= second.settled <= second.total
        assert first.nodes <= second.nodes
        assert first.lower <= second.lower
        assert second.upper <= first.upper
    count = len(moves)
    assert analysis.lower[-8:] == analysis.upper[-8:]
    for position in range(count):
        lower, upper = analysis.lower[position], analysis.upper[position]
        assert start.manhattan(goal) <= analysis.lower[0]
        assert lower <= upper <= count - position
        assert (upper - lower) % 2 == 0
        assert abs(analysis.lower[position + 1] - lower) == 1
        assert abs(analysis.upper[position + 1] - upper) == 1
    assert analysis.stopped_by is StopReason.NODES
    least, most = analysis.lost
    assert 2 * len(analysis.losses) <= least <= most
    for loss in analysis.losses:
        assert apply(apply(start, moves[: loss.move - 1]), from_letters(loss.way)) == goal
        assert len(loss.way) == loss.remaining < analysis.lower[loss.move]


def test_board_too_large_for_ida_star():
    goal = blank_last(Size(8, 8))
    letters = "RRDDLURDLLUURDRUL" * 2
    moves = from_letters(walk_letters(tuple(goal.cells.tolist()), 8, map(LETTERS.index, letters)))
    start = apply(goal, moves)
    solution = moves[::-1] ^ 1
    # With so few nodes, there is no search for shorter solutions.
    analysis = analyse(start, goal, solution, limits=Limits(nodes=9_000))
    assert analysis.is_exact
    assert analysis.is_solution
    cancelled = analyse(start, goal, solution, limits=Limits(cancelled=lambda: True))
    assert cancelled.stopped_by is StopReason.CANCELLED
    assert start.manhattan(goal) <= cancelled.lower[0]
    assert cancelled.upper[0] <= len(solution)


def test_invalid_games_are_rejected():
    goal = blank_last(Size(3, 3))
    with pytest.raises(MoveError, match="move 2, L, is illegal"):
        analyse(goal, goal, from_letters("DL"))
    with pytest.raises(BoardError, match="does not fit"):
        analyse(goal, blank_last(Size(4, 4)), from_letters(""))
    with pytest.raises(OptionError, match="10002 moves is too long; at most 10000"):
        analyse(goal, goal, from_letters("RL" * 5001))
    with pytest.raises(OptionError, match="boards of at most 10000"):
        analyse(blank_last(Size(101, 100)), blank_last(Size(101, 100)), from_letters("R"))
