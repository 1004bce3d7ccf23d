"""Rounds of tries: the same outcome each time, limits kept, nothing gained twice."""

from __future__ import annotations

import threading
import time
from functools import partial

import numpy as np
import pytest

from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.moves import NO_MOVES
from tilework.core.puzzle.replay import replay
from tilework.core.puzzle.scramble import scramble
from tilework.core.search.limits import Limits, StopReason
from tilework.core.solver.costs import BeamCosts
from tilework.core.solver.large.anytime.portfolio import Listener, Portfolio, Solution
from tilework.core.solver.large.anytime.searches import Beams, Effort, First, Searches, Windows
from tilework.core.solver.large.beam import beam_search
from tilework.core.solver.large.constructive import construct
from tilework.core.solver.large.outcome import Outcome
from tilework.core.solver.names import Algorithm
from tilework.core.solver.optimal.a_star import a_star

GOAL = blank_last(Size(6, 5))
BOARD = scramble(GOAL.size, GOAL, seed=3)


def solved_rest(board, goal):
    return a_star(board, goal).moves


def constructed():
    return Solution(construct(BOARD, GOAL, solved_rest), Algorithm.CONSTRUCTIVE)


def window(start, end, moves, width, *, limits):
    return beam_search(start, end, width, limits=limits, upper_bound=len(moves))


def beams(search, board_bytes=500):
    return Beams(search, Algorithm.BEAM, BeamCosts(16, 50, board_bytes, nodes=330, seconds=1.6e-4))


def searches(beam=beam_search, window=window, board_bytes=500):
    return Searches(
        beams=beams(beam, board_bytes),
        windows=Windows(window, Algorithm.BEAM, (Effort(30, 50), Effort(60, 100))),
    )


def listener(found=None, enough=lambda _length: False, tick=lambda _nodes: None):
    return Listener(enough, found or (lambda _solution: None), tick)


def portfolio(made=None, threads=2, seed=0):
    return Portfolio(BOARD, GOAL, made or searches(), threads=threads, seed=seed)


def test_the_outcome_is_the_same_whatever_ends_first():
    def hindered(order, board, goal, width, **options):
        # One of the two views of a round is held up, another one each time.
        if (board.blank % 2 == 0) is order:
            time.sleep(0.05)
        return beam_search(board, goal, width, **options)

    outcomes = set()
    for order in (False, True, False):
        told = []
        made = searches(partial(hindered, order))
        done = portfolio(made).run(constructed(), Limits(nodes=300_000), listener(told.append))
        replay(BOARD, done.best.moves, GOAL)
        lengths = [len(one.moves) for one in told]
        assert lengths == sorted(set(lengths), reverse=True)
        assert lengths[-1] == len(done.best.moves) < 0.8 * len(constructed().moves)
        assert done.stopped_by is StopReason.NODES
        outcomes.add((done.best.moves.tobytes(), done.nodes))
    assert len(outcomes) == 1


def test_a_solution_that_is_good_enough_ends_the_search_the_same_way_each_time():
    outcomes = set()
    for delay in (0.0, 0.1):

        def delayed(board, goal, width, *, limits, upper_bound, delay=delay):
            if goal != GOAL:
                time.sleep(delay)
            return beam_search(board, goal, width, limits=limits, upper_bound=upper_bound)

        done = portfolio(searches(delayed)).run(
            constructed(), Limits(nodes=10**7), listener(enough=lambda length: length < 250)
        )
        assert done.stopped_by is None
        assert len(done.best.moves) < 250
        outcomes.add((done.best.moves.tobytes(), done.nodes))
    assert len(outcomes) == 1


def test_a_later_run_goes_on_where_the_first_has_ended():
    widths = []

    def noted(board, goal, width, **options):
        widths.append(width)
        return beam_search(board, goal, width, **options)

    made = portfolio(searches(noted), threads=1)
    first = made.run(constructed(), Limits(nodes=100_000), listener())
    before = len(widths)
    second = made.run(first.best, Limits(nodes=1_000_000), listener())
    assert len(second.best.moves) <= len(first.best.moves)
    assert widths[before] > widths[0]


def test_the_deadline_is_kept():
    began = time.perf_counter()
    done = portfolio().run(constructed(), Limits(seconds=0.4), listener())
    assert time.perf_counter() - began < 0.8
    assert done.stopped_by is StopReason.TIME
    replay(BOARD, done.best.moves, GOAL)


def slow(_board, _goal, _width, *, limits, upper_bound):
    began = time.perf_counter()
    while (reason := limits.reached(time.perf_counter() - began)) is None:
        time.sleep(0.005)
    return Outcome(None, 1, time.perf_counter() - began, reason)


def test_a_cancel_ends_all_threads_and_keeps_the_best():
    before = threading.active_count()
    pressed = threading.Event()
    threading.Timer(0.2, pressed.set).start()
    began = time.perf_counter()
    best = constructed()
    done = portfolio(searches(slow)).run(best, Limits(cancelled=pressed.is_set), listener())
    assert 0.1 < time.perf_counter() - began < 0.7
    assert done.stopped_by is StopReason.CANCELLED
    assert done.best == best
    assert threading.active_count() <= before + 1


def test_progress_is_told_while_a_try_runs():
    ticks = []
    limits = Limits(seconds=0.4)
    portfolio(searches(slow)).run(constructed(), limits, listener(tick=ticks.append))
    assert len(ticks) >= 3


def test_a_try_that_fails_ends_the_others():
    def failing(_board, goal, _width, *, limits, upper_bound):
        if goal == GOAL:
            raise ZeroDivisionError
        return slow(_board, goal, _width, limits=limits, upper_bound=upper_bound)

    began = time.perf_counter()
    with pytest.raises(ZeroDivisionError):
        portfolio(searches(failing)).run(constructed(), Limits(seconds=20), listener())
    assert time.perf_counter() - began < 2


@pytest.mark.parametrize("threads", [1, 3])
def test_no_beam_is_wider_than_the_memory_allows(threads):
    widths = []

    def noted(_board, _goal, width, *, limits, upper_bound):
        widths.append(width)
        assert limits.memory_bytes == 600_000 // threads
        return Outcome(None, 100, 0.001, None)

    made = searches(noted, board_bytes=1_000)
    done = portfolio(made, threads).run(constructed(), Limits(memory_bytes=600_000), listener())
    assert 400 // threads <= max(widths) <= 600 // threads
    # Then all views have been seen in vain.
    assert done.stopped_by is None


def test_nothing_is_tried_where_there_is_no_memory():
    def never(*_arguments, **_options):
        raise AssertionError

    made = Searches(beams=beams(never))
    done = portfolio(made).run(None, Limits(memory_bytes=1_000), listener())
    assert (done.best, done.nodes, done.stopped_by) == (None, 0, None)


def test_a_beam_that_does_not_fit_the_time_is_not_begun():
    widths = []

    def crawling(_board, _goal, width, *, limits, upper_bound):
        widths.append(width)
        seconds = width / 500
        time.sleep(min(seconds, limits.seconds))
        reason = None if seconds < limits.seconds else StopReason.TIME
        return Outcome(None, 1000 * width, seconds, reason)

    done = portfolio(searches(crawling), threads=1).run(None, Limits(seconds=1.0), listener())
    assert done.stopped_by is StopReason.TIME
    # 0.1 s, then at most 70% of the rest, not the three times 150 that would just fit.
    assert widths[:1] == [50]
    assert 75 <= widths[1] <= 315


def test_the_first_solution_comes_before_the_beams():
    kinds = []

    def first(_board, _goal, *, limits):
        kinds.append("first")
        return Outcome(constructed().moves, 5, 0.0, None)

    def noted(_board, _goal, _width, *, limits, upper_bound):
        kinds.append("beam")
        assert upper_bound == len(constructed().moves)
        return Outcome(None, 10, 0.0, None)

    made = Searches(first=First(first, Algorithm.CONSTRUCTIVE), beams=beams(noted))
    done = portfolio(made).run(None, Limits(nodes=10_000_000), listener())
    assert kinds[:2] == ["first", "beam"]
    assert done.best.algorithm is Algorithm.CONSTRUCTIVE


def test_a_solved_board_has_no_windows():
    made = Portfolio(GOAL, GOAL, searches(slow))
    limits = Limits(seconds=0.1)
    done = made.run(Solution(NO_MOVES, Algorithm.BEAM), limits, listener())
    assert np.array_equal(done.best.moves, NO_MOVES)
