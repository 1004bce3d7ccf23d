import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import naive
from tests.support.strategies import boards, walks
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.moves import from_letters, to_letters
from tilework.core.puzzle.replay import apply, replay
from tilework.core.puzzle.scramble import scramble
from tilework.core.search.limits import Limits
from tilework.core.solver.large.constructive import construct
from tilework.core.solver.large.trials import (
    WindowSelection,
    make_view,
    run_beam_trial,
    run_window_trial,
)
from tilework.core.solver.trial import Effort, Trial, TrialKind

START = blank_last(Size(4, 4))
# Loops around four cells, then moves along the border, then loops again.
LOOPS = from_letters("DRULDRUL" * 3)
PATH = np.concatenate([LOOPS, from_letters("DDDRRRUUULLL"), LOOPS])


def remove_loop(window):
    """Return the path of a window without the moves between two visits of a board."""
    boards = [apply(window.start, window.moves[:count]) for count in range(len(window.moves) + 1)]
    for first, board in enumerate(boards):
        if board in boards[first + 1 :]:
            last = max(index for index, other in enumerate(boards) if other == board)
            return np.concatenate([window.moves[:first], window.moves[last:]])
    return None


def test_shorter_segments_keep_a_path_valid():
    selection = WindowSelection(START, PATH, [Effort(12, 1), Effort(24, 1)])
    length, efforts = len(PATH), []
    while windows := selection.next(2):
        efforts.append(selection.effort.length)
        length -= selection.replace(windows, [remove_loop(window) for window in windows])
        assert len(selection.path) == length
        replay(START, selection.path, apply(START, PATH))
    assert length <= 12 + 2 * 2
    assert sorted(efforts) == efforts
    assert {12, 24} == set(efforts)


@given(data=st.data(), number=st.integers(0, 47))
def test_solutions_are_mapped_in_both_directions(data, number):
    board = data.draw(boards(smallest=2, largest=7))
    moves = from_letters(data.draw(walks(board)))
    goal = apply(board, moves)
    numbered_view = make_view(number)
    viewed_board, viewed_goal = numbered_view.apply(board, goal)
    viewed_moves = numbered_view.transform.to_canonical(moves)
    tiles, letters = tuple(viewed_board.cells.tolist()), to_letters(viewed_moves)
    final = naive.apply_moves(tiles, viewed_board.width, letters)
    assert final == tuple(viewed_goal.cells.tolist())
    assert numbered_view.transform.from_canonical(viewed_moves).tolist() == moves.tolist()
    # A view may exchange start and goal.
    assert viewed_board.manhattan(viewed_goal) in (board.manhattan(goal), goal.manhattan(board))


GOAL = blank_last(Size(8, 7))
BOARD = scramble(GOAL.size, GOAL, seed=5)
CONSTRUCTED = construct(BOARD, GOAL, Limits())


def test_beam_on_any_view_solves_the_original_board():
    nodes = {}
    for kind, number in ((TrialKind.BEAM, 0), (TrialKind.BEAM, 17), (TrialKind.FRESH, 17)):
        trial = Trial(kind, width=100, view=number)
        outcome = run_beam_trial(BOARD, GOAL, trial, len(CONSTRUCTED), Limits())
        assert outcome.complete
        replay(BOARD, outcome.moves, GOAL)
        assert len(outcome.moves) < len(CONSTRUCTED)
        nodes[kind, number] = outcome.nodes
    # Windows improve a new solution.
    assert nodes[TrialKind.FRESH, 17] > nodes[TrialKind.BEAM, 17]
    without_gain = run_beam_trial(BOARD, GOAL, Trial(TrialKind.BEAM, width=100), 10, Limits())
    assert (without_gain.moves, without_gain.complete) == (None, True)


def test_windows_shorten_a_segment_between_the_same_boards():
    start, segment = apply(BOARD, CONSTRUCTED[:100]), CONSTRUCTED[100:700]
    trial = Trial(TrialKind.WINDOWS, count=600, nodes=100_000)
    outcome, repeated = (run_window_trial(start, segment, trial, Limits()) for _ in range(2))
    assert (outcome.moves.tobytes(), outcome.nodes) == (repeated.moves.tobytes(), repeated.nodes)
    assert len(outcome.moves) < 600
    assert apply(start, outcome.moves) == apply(start, segment)
    # One kernel call may exceed the budget of 100,000 nodes.
    assert outcome.nodes <= 100_000 + 100_000


def test_cancelled_trial_keeps_its_gain():
    polls = iter([False] * 40)
    trial = Trial(TrialKind.WINDOWS, count=len(CONSTRUCTED), nodes=10**9)
    limits = Limits(cancelled=lambda: next(polls, True))
    outcome = run_window_trial(BOARD, CONSTRUCTED, trial, limits)
    assert not outcome.complete
    assert apply(BOARD, outcome.moves) == GOAL


def test_trials_round_trip():
    for damaged in (b"", b"4000", b"{}", b'{"kind": "no such"}'):
        with pytest.raises((ValueError, TypeError, KeyError)):
            Trial.from_bytes(damaged)
    trial = Trial(TrialKind.WINDOWS, 300, effort=2, number=5, count=77, nodes=10**6)
    assert Trial.from_bytes(trial.to_bytes()) == trial
