import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import naive
from tests.support.strategies import boards, walks
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.moves import from_letters, reverse_moves, to_letters
from tilework.core.puzzle.replay import apply, replay
from tilework.core.puzzle.scramble import scramble
from tilework.core.search.limits import Limits, StopReason
from tilework.core.solver.large import portfolio, trials
from tilework.core.solver.large.constructive import construct
from tilework.core.solver.large.learned.search import learned_beam
from tilework.core.solver.large.portfolio import Listener, Portfolio, Solution
from tilework.core.solver.large.trials import (
    WindowSelection,
    apply_view,
    make_view,
    run_beam_trial,
    run_suffix_trial,
    run_window_trial,
)
from tilework.core.solver.target import Algorithm
from tilework.core.solver.trial import Effort, Trial, TrialKind, TrialOutcome

GOAL = blank_last(Size(6, 5))
BOARD = scramble(GOAL.size, GOAL, seed=3)


def construct_solution():
    return Solution(construct(BOARD, GOAL), Algorithm.CONSTRUCTIVE)


def make_listener(on_solution=lambda _solution, _nodes: None, tick=lambda _nodes: None):
    return Listener(lambda _length: False, on_solution, tick)


def run(limits, listener=None, threads=2, best=None):
    searched = Portfolio(BOARD, GOAL, BOARD.manhattan(GOAL), threads)
    return searched.run(best or construct_solution(), limits, listener or make_listener())


@pytest.fixture
def replace_trials(monkeypatch):
    def replace(attempt):
        """Replace all trials by a function of the original, its trial, and its limits."""
        for name in ("run_beam_trial", "run_suffix_trial", "run_window_trial"):
            original = getattr(trials, name)

            def run_trial(*arguments, original=original):
                *_, limits = arguments
                [trial] = [value for value in arguments if isinstance(value, Trial)]
                return attempt(lambda: original(*arguments), trial, limits)

            monkeypatch.setattr(portfolio, name, run_trial)

    return replace


@pytest.mark.parametrize("step", [1, -1])
def test_suffixes_keep_the_moves_where_the_beam_began(step):
    goal = blank_last(Size(8, 8))
    board = scramble(goal.size, goal, seed=5)
    moves = learned_beam(*(board, goal)[::step], 20).moves
    moves = moves if step == 1 else reverse_moves(moves)
    for number in range(1, 5):
        trial = Trial(TrialKind.SUFFIX, 400, number=number)
        shorter = run_suffix_trial(board, moves, trial, Limits()).moves
        replay(board, shorter, goal)
        assert len(shorter) < len(moves)
        assert shorter[::step][:5].tolist() == moves[::step][:5].tolist()


def test_trials_fit_their_memory(replace_trials):
    widths, threads = [], 3

    def record(_run, trial, limits):
        assert limits.memory_bytes == 1_500_000 // threads
        widths.append(trial.width if trial.kind is TrialKind.BEAM else 0)
        return TrialOutcome(None, 1_000, complete=True)

    replace_trials(record)
    run(Limits(nodes=1_000_000, memory_bytes=1_500_000), threads=threads)
    assert 150 < max(widths) * 700 <= 1_500_000 // threads


def test_results_do_not_depend_on_timing(replace_trials):
    outcomes = set()
    for order in (0, 1):
        solutions, ended = [], threading.Event()

        def delay(run_trial, trial, limits, *, order=order, ended=ended):
            # A trial waits for a later or an earlier one on the other thread.
            if trial.number % 2 == order and trial.number < 4:
                ended.wait(60)
            outcome = run_trial()
            ended.set()
            return outcome

        replace_trials(delay)
        listener = make_listener(lambda solution, _nodes, found=solutions: found.append(solution))
        result = run(Limits(nodes=1_000_000), listener)
        replay(BOARD, result.best.moves, GOAL)
        lengths = [len(solution.moves) for solution in solutions]
        assert lengths == sorted(set(lengths), reverse=True)
        assert lengths[-1] == len(result.best.moves) < 0.9 * len(construct_solution().moves)
        assert result.stopped_by is StopReason.NODES
        outcomes.add((result.best.moves.tobytes(), result.nodes, *lengths))
    assert len(outcomes) == 1


def wait_for_limit(_run, _trial, limits):
    """Run until a limit is reached."""
    pause = threading.Event()
    while limits.check(0.0) is None:
        pause.wait(0.001)
    return TrialOutcome(None, 1, complete=False)


def test_limits_and_errors_stop_all_threads(replace_trials):
    best = construct_solution()
    replace_trials(wait_for_limit)
    result = run(Limits(seconds=0.0), best=best)
    assert (result.best, result.stopped_by) == (best, StopReason.TIME)
    interrupt, ticks = threading.Event(), []

    def tick(nodes):
        # Progress is reported while trials run.
        ticks.append(nodes)
        if len(ticks) == 2:
            interrupt.set()

    limits = Limits(cancelled=interrupt.is_set)
    result = run(limits, make_listener(tick=tick), best=best)
    assert (result.best, result.stopped_by) == (best, StopReason.CANCELLED)
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("search")]

    def fail_on_one_view(run_trial, trial, limits):
        if trial.view:
            raise ZeroDivisionError
        return wait_for_limit(run_trial, trial, limits)

    replace_trials(fail_on_one_view)
    with pytest.raises(ZeroDivisionError):
        run(Limits(), best=best)


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
    view = make_view(number)
    viewed_board, viewed_goal = apply_view(view, board, goal)
    viewed_moves = view.to_canonical(moves)
    tiles, letters = tuple(viewed_board.cells.tolist()), to_letters(viewed_moves)
    final = naive.apply_moves(tiles, viewed_board.width, letters)
    assert final == tuple(viewed_goal.cells.tolist())
    assert view.from_canonical(viewed_moves).tolist() == moves.tolist()
    # A view may exchange start and goal.
    assert viewed_board.manhattan(viewed_goal) in (board.manhattan(goal), goal.manhattan(board))


LARGE_GOAL = blank_last(Size(8, 7))
LARGE_BOARD = scramble(LARGE_GOAL.size, LARGE_GOAL, seed=5)
CONSTRUCTED = construct(LARGE_BOARD, LARGE_GOAL, Limits())


def test_beam_on_any_view_solves_the_original_board():
    nodes = {}
    for kind, number in ((TrialKind.BEAM, 0), (TrialKind.BEAM, 17), (TrialKind.FRESH, 17)):
        trial = Trial(kind, width=100, view=number)
        outcome = run_beam_trial(LARGE_BOARD, LARGE_GOAL, trial, len(CONSTRUCTED), Limits())
        assert outcome.complete
        replay(LARGE_BOARD, outcome.moves, LARGE_GOAL)
        assert len(outcome.moves) < len(CONSTRUCTED)
        nodes[kind, number] = outcome.nodes
    # Windows improve a new solution.
    assert nodes[TrialKind.FRESH, 17] > nodes[TrialKind.BEAM, 17]
    without_gain = run_beam_trial(
        LARGE_BOARD, LARGE_GOAL, Trial(TrialKind.BEAM, width=100), 10, Limits()
    )
    assert (without_gain.moves, without_gain.complete) == (None, True)


def test_cancelled_trial_keeps_its_gain():
    polls = iter([False] * 40)
    trial = Trial(TrialKind.WINDOWS, count=len(CONSTRUCTED), nodes=10**9)
    limits = Limits(cancelled=lambda: next(polls, True))
    outcome = run_window_trial(LARGE_BOARD, CONSTRUCTED, trial, limits)
    assert not outcome.complete
    assert apply(LARGE_BOARD, outcome.moves) == LARGE_GOAL


def test_trials_round_trip():
    for damaged in (b"", b"4000", b"{}", b'{"kind": "no such"}'):
        with pytest.raises((ValueError, TypeError, KeyError)):
            Trial.from_bytes(damaged)
    trial = Trial(TrialKind.WINDOWS, 300, effort=2, number=5, count=77, nodes=10**6)
    assert Trial.from_bytes(trial.to_bytes()) == trial
