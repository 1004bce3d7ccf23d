import threading
from dataclasses import replace

import pytest

from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.moves import reverse_moves
from tilework.core.puzzle.replay import replay
from tilework.core.puzzle.scramble import scramble
from tilework.core.search.limits import Limits, StopReason
from tilework.core.solver.costs import BeamCosts
from tilework.core.solver.large.anytime.choice import Effort, Searches
from tilework.core.solver.large.anytime.portfolio import Listener, Portfolio, Solution
from tilework.core.solver.large.anytime.trials import run_suffix_trial
from tilework.core.solver.large.constructive import construct
from tilework.core.solver.large.learned.search import learned_beam
from tilework.core.solver.large.outcome import Outcome
from tilework.core.solver.target import Algorithm
from tilework.core.solver.trial import Trial, TrialKind

GOAL = blank_last(Size(6, 5))
BOARD = scramble(GOAL.size, GOAL, seed=3)


def construct_solution():
    return Solution(construct(BOARD, GOAL), Algorithm.CONSTRUCTIVE)


def search_window(start, end, moves, width, *, limits):
    return learned_beam(start, end, width, limits=limits, upper_bound=len(moves))


def make_searches(beam=learned_beam, window=search_window, board_bytes=500):
    costs = BeamCosts(16, 50, board_bytes, nodes=330, seconds=1.6e-4)
    return Searches(beam, costs, window, (Effort(30, 50), Effort(60, 100)))


def make_listener(on_solution=None, enough=lambda _length: False, tick=lambda _nodes: None):
    return Listener(enough, on_solution or (lambda _solution, _nodes: None), tick)


def make_portfolio(searches=None, threads=2):
    return Portfolio(BOARD, GOAL, searches or make_searches(), threads)


def test_beams_fit_their_memory():
    widths, numbers, threads = [], [], 3

    def record_width(_board, _goal, width, *, limits, upper_bound):
        widths.append(width)
        assert limits.memory_bytes == 600_000 // threads
        return Outcome(None, 100, 0.001, None)

    def record_number(_board, _goal, _moves, _width, number, *, limits):
        numbers.append(number)
        return Outcome(None, 1, 0.001, None)

    searches = replace(make_searches(record_width, board_bytes=1_000), suffix=record_number)
    result = make_portfolio(searches, threads).run(
        construct_solution(), Limits(memory_bytes=600_000), make_listener()
    )
    assert 400 // threads <= max(widths) <= 600 // threads
    # The search ends once windows and suffixes find nothing shorter.
    assert result.stopped_by is None
    assert 40 <= len(set(numbers)) == len(numbers)


def test_several_views_are_searched_with_the_same_width():
    searched = []

    def record(board, goal, width, *, limits, upper_bound):
        searched.append((width, board.cells.tobytes(), goal.cells.tobytes()))
        return Outcome(None, 330 * width, 0.001, None)

    searches = make_searches(record)
    searches = replace(searches, costs=replace(searches.costs, views=4))
    make_portfolio(searches).run(construct_solution(), Limits(nodes=600_000), make_listener())
    # There are enough nodes for four beams of the first width, two at a time.
    (width, *_), *others = searched[:4]
    assert {other for other, *_ in others} == {width}
    assert len(set(searched[:4])) == 4
    assert 4 * 330 * width <= 600_000 < 6 * 330 * width


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


def wait_for_limit(_board, _goal, _width, *, limits, upper_bound):
    """Run until a limit is reached."""
    pause = threading.Event()
    while (reason := limits.check(0.0)) is None:
        pause.wait(0.001)
    return Outcome(None, 1, 0.0, reason)


def test_results_do_not_depend_on_timing():
    outcomes = set()
    for order in (False, True):
        solutions, ended = [], threading.Event()

        def delayed_search(board, goal, width, *, order=order, ended=ended, **options):
            # A trial of one view waits for a trial of the other view.
            if (board.blank % 2 == 0) is order:
                ended.wait(60)
            outcome = learned_beam(board, goal, width, **options)
            ended.set()
            return outcome

        result = make_portfolio(make_searches(delayed_search)).run(
            construct_solution(),
            Limits(nodes=100_000),
            make_listener(lambda solution, _nodes, found=solutions: found.append(solution)),
        )
        replay(BOARD, result.best.moves, GOAL)
        lengths = [len(solution.moves) for solution in solutions]
        assert lengths == sorted(set(lengths), reverse=True)
        assert lengths[-1] == len(result.best.moves) < 0.9 * len(construct_solution().moves)
        assert result.stopped_by is StopReason.NODES
        outcomes.add((result.best.moves.tobytes(), result.nodes))
    assert len(outcomes) == 1
    result = make_portfolio().run(
        construct_solution(), Limits(nodes=10**7), make_listener(enough=lambda length: length < 250)
    )
    assert result.stopped_by is None
    assert len(result.best.moves) < 250


def test_nodes_of_beams_and_windows_are_counted():
    spent = []

    def record_nodes(search):
        def attempt(*arguments, **options):
            outcome = search(*arguments, **options)
            spent.append(outcome.nodes)
            return outcome

        return attempt

    searches = make_searches(record_nodes(learned_beam), record_nodes(search_window))
    limits = Limits(nodes=100_000)
    result = make_portfolio(searches).run(construct_solution(), limits, make_listener())
    assert result.nodes == sum(spent)


def test_limits_and_errors_stop_all_threads():
    best = construct_solution()
    waiting = make_portfolio(make_searches(wait_for_limit))
    result = waiting.run(best, Limits(seconds=0.0), make_listener())
    assert (result.best, result.stopped_by) == (best, StopReason.TIME)
    interrupt, ticks = threading.Event(), []

    def tick(nodes):
        # Progress is reported while trials run.
        ticks.append(nodes)
        if len(ticks) == 2:
            interrupt.set()

    limits = Limits(cancelled=interrupt.is_set)
    result = waiting.run(best, limits, make_listener(tick=tick))
    assert (result.best, result.stopped_by) == (best, StopReason.CANCELLED)
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("search")]

    def fail_on_one_view(board, goal, width, **options):
        if goal == GOAL:
            raise ZeroDivisionError
        return wait_for_limit(board, goal, width, **options)

    with pytest.raises(ZeroDivisionError):
        make_portfolio(make_searches(fail_on_one_view)).run(best, Limits(), make_listener())


def test_beam_that_would_exceed_the_time_limit_is_not_started():
    widths = []

    def slow_search(_board, _goal, width, *, limits, upper_bound):
        widths.append(width)
        # The next beam, twice as wide, would exceed the limit by far.
        return Outcome(None, 1000 * width, 1e6 * width, None)

    single = make_portfolio(make_searches(slow_search), threads=1)
    assert single.run(None, Limits(seconds=1e6), make_listener()).stopped_by is StopReason.TIME
    assert len(widths) == 1
