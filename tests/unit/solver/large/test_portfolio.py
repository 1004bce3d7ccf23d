import threading

import pytest

from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.replay import replay
from tilework.core.puzzle.scramble import scramble
from tilework.core.search.limits import Limits, StopReason
from tilework.core.solver.costs import BeamCosts
from tilework.core.solver.large.anytime.choice import Effort, Searches
from tilework.core.solver.large.anytime.portfolio import Listener, Portfolio, Solution
from tilework.core.solver.large.constructive import construct
from tilework.core.solver.large.learned.search import learned_beam
from tilework.core.solver.large.outcome import Outcome
from tilework.core.solver.target import Algorithm

GOAL = blank_last(Size(6, 5))
BOARD = scramble(GOAL.size, GOAL, seed=3)


def construct_solution():
    return Solution(construct(BOARD, GOAL), Algorithm.CONSTRUCTIVE)


def window(start, end, moves, width, *, limits):
    return learned_beam(start, end, width, limits=limits, upper_bound=len(moves))


def searches(beam=learned_beam, window=window, board_bytes=500):
    costs = BeamCosts(16, 50, board_bytes, nodes=330, seconds=1.6e-4)
    return Searches(beam, costs, window, (Effort(30, 50), Effort(60, 100)))


def listener(on_solution=None, enough=lambda _length: False, tick=lambda _nodes: None):
    return Listener(enough, on_solution or (lambda _solution: None), tick)


def portfolio(planned=None, threads=2):
    return Portfolio(BOARD, GOAL, planned or searches(), threads)


def test_beams_fit_their_memory():
    widths, threads = [], 3

    def recorded(_board, _goal, width, *, limits, upper_bound):
        widths.append(width)
        assert limits.memory_bytes == 600_000 // threads
        return Outcome(None, 100, 0.001, None)

    planned = searches(recorded, board_bytes=1_000)
    result = portfolio(planned, threads).run(
        construct_solution(), Limits(memory_bytes=600_000), listener()
    )
    assert 400 // threads <= max(widths) <= 600 // threads
    # Then windows gain nothing more.
    assert result.stopped_by is None


def until_stopped(_board, _goal, _width, *, limits, upper_bound):
    """A trial that runs until a limit is reached."""
    pause = threading.Event()
    while (reason := limits.check(0.0)) is None:
        pause.wait(0.001)
    return Outcome(None, 1, 0.0, reason)


def test_results_do_not_depend_on_timing():
    outcomes = set()
    for order in (False, True):
        reported, ended = [], threading.Event()

        def delayed_search(board, goal, width, *, order=order, ended=ended, **options):
            # The first trial of one view waits for one of the other.
            if (board.blank % 2 == 0) is order:
                ended.wait(60)
            outcome = learned_beam(board, goal, width, **options)
            ended.set()
            return outcome

        result = portfolio(searches(delayed_search)).run(
            construct_solution(), Limits(nodes=100_000), listener(reported.append)
        )
        replay(BOARD, result.best.moves, GOAL)
        lengths = [len(progress.moves) for progress in reported]
        assert lengths == sorted(set(lengths), reverse=True)
        assert lengths[-1] == len(result.best.moves) < 0.9 * len(construct_solution().moves)
        assert result.stopped_by is StopReason.NODES
        outcomes.add((result.best.moves.tobytes(), result.nodes))
    assert len(outcomes) == 1
    good = portfolio().run(
        construct_solution(), Limits(nodes=10**7), listener(enough=lambda length: length < 250)
    )
    assert good.stopped_by is None
    assert len(good.best.moves) < 250


def test_nodes_of_beams_and_windows_are_counted():
    spent = []

    def recorded(search):
        def attempt(*arguments, **options):
            outcome = search(*arguments, **options)
            spent.append(outcome.nodes)
            return outcome

        return attempt

    planned = searches(recorded(learned_beam), recorded(window))
    result = portfolio(planned).run(construct_solution(), Limits(nodes=100_000), listener())
    assert result.nodes == sum(spent)


def test_limits_and_errors_stop_all_threads_with_the_best_solution():
    best = construct_solution()
    result = portfolio(searches(until_stopped)).run(best, Limits(seconds=0.0), listener())
    assert (result.best, result.stopped_by) == (best, StopReason.TIME)
    interrupt, ticks = threading.Event(), []

    def tick(nodes):
        # Progress is reported while trials run.
        ticks.append(nodes)
        if len(ticks) == 2:
            interrupt.set()

    limits = Limits(cancelled=interrupt.is_set)
    result = portfolio(searches(until_stopped)).run(best, limits, listener(tick=tick))
    assert (result.best, result.stopped_by) == (best, StopReason.CANCELLED)
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("search")]

    def failing(board, goal, width, **options):
        if goal == GOAL:
            raise ZeroDivisionError
        return until_stopped(board, goal, width, **options)

    with pytest.raises(ZeroDivisionError):
        portfolio(searches(failing)).run(best, Limits(), listener())


def test_beam_that_exceeds_the_time_is_not_started():
    widths = []

    def slow_search(_board, _goal, width, *, limits, upper_bound):
        widths.append(width)
        # It is predicted, not measured: the next one would exceed the limit many times over.
        return Outcome(None, 1000 * width, 1e6 * width, None)

    result = portfolio(searches(slow_search), threads=1).run(None, Limits(seconds=1e6), listener())
    assert result.stopped_by is StopReason.TIME
    assert len(widths) == 1
