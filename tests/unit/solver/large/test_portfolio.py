import threading

import pytest

from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.moves import reverse_moves
from tilework.core.puzzle.replay import replay
from tilework.core.puzzle.scramble import scramble
from tilework.core.search.limits import Limits, StopReason
from tilework.core.solver.large import portfolio, trials
from tilework.core.solver.large.constructive import construct
from tilework.core.solver.large.learned.search import learned_beam
from tilework.core.solver.large.portfolio import Listener, Portfolio, Solution
from tilework.core.solver.large.trials import run_suffix_trial
from tilework.core.solver.target import Algorithm
from tilework.core.solver.trial import Trial, TrialKind, TrialOutcome

GOAL = blank_last(Size(6, 5))
BOARD = scramble(GOAL.size, GOAL, seed=3)


def construct_solution():
    return Solution(construct(BOARD, GOAL), Algorithm.CONSTRUCTIVE)


def make_listener(on_solution=None, enough=lambda _length: False, tick=lambda _nodes: None):
    return Listener(enough, on_solution or (lambda _solution, _nodes: None), tick)


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


def test_search_ends_once_a_solution_is_good_enough():
    result = run(Limits(nodes=10**7), make_listener(enough=lambda length: length < 250))
    assert result.stopped_by is None
    assert len(result.best.moves) < 250


def test_nodes_of_all_trials_are_counted(replace_trials):
    spent, shown = [], []

    def record(run_trial, _trial, _limits):
        outcome = run_trial()
        spent.append(outcome.nodes)
        return outcome

    replace_trials(record)
    result = run(Limits(nodes=1_000_000), make_listener(tick=shown.append))
    assert result.nodes == sum(spent) == shown[-1]
    assert shown == sorted(shown)


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
