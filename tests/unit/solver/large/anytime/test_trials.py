"""Tries: always the same, always right, and none longer than what was known."""

from __future__ import annotations

import pytest

from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.replay import apply, replay
from tilework.core.puzzle.scramble import scramble
from tilework.core.search.limits import Limits
from tilework.core.solver.large.anytime.trials import try_beam, try_windows
from tilework.core.solver.large.constructive import construct
from tilework.core.solver.large.rest import solve_rest
from tilework.core.solver.trial import Trial, TrialKind

GOAL = blank_last(Size(8, 7))
BOARD = scramble(GOAL.size, GOAL, seed=5)
PATH = construct(BOARD, GOAL, solve_rest, Limits())


@pytest.mark.parametrize("view", [0, 1, 2, 5, 17])
@pytest.mark.parametrize("kind", [TrialKind.BEAM, TrialKind.FRESH])
def test_a_beam_on_any_view_solves_the_board_itself(kind, view):
    trial = Trial(kind, width=100, view=view)
    found = try_beam(BOARD, GOAL, trial, len(PATH), Limits())
    assert found.whole
    replay(BOARD, found.moves, GOAL)
    assert len(found.moves) < len(PATH)


def test_a_beam_that_finds_nothing_shorter_returns_nothing():
    trial = Trial(TrialKind.BEAM, width=100)
    found = try_beam(BOARD, GOAL, trial, BOARD.manhattan(GOAL), Limits())
    assert found.moves is None
    assert found.whole


def test_a_fresh_beam_is_bettered_by_windows():
    beams = [
        try_beam(BOARD, GOAL, Trial(kind, width=100, view=3), 10**6, Limits())
        for kind in (TrialKind.BEAM, TrialKind.FRESH)
    ]
    # No bound is near, so that both found the same at first.
    assert len(beams[1].moves) < len(beams[0].moves)
    assert beams[1].nodes > beams[0].nodes


def test_windows_shorten_a_stretch_between_the_same_boards():
    first, count = 100, 600
    start = apply(BOARD, PATH[:first])
    stretch = PATH[first : first + count]
    trial = Trial(TrialKind.WINDOWS, count=count, nodes=2_000_000)
    found = try_windows(start, stretch, trial, Limits())
    assert len(found.moves) < count
    assert apply(start, found.moves) == apply(start, stretch)


def test_a_try_is_the_same_each_time():
    stretch = PATH[:500]
    for trial in (
        Trial(TrialKind.WINDOWS, count=500, nodes=300_000, number=3),
        Trial(TrialKind.WINDOWS, count=500, nodes=300_000, number=4),
    ):
        one, other = (try_windows(BOARD, stretch, trial, Limits()) for _ in range(2))
        assert (one.moves == other.moves).all()
        assert one.nodes == other.nodes


def test_windows_keep_their_budget():
    trial = Trial(TrialKind.WINDOWS, count=len(PATH), nodes=50_000)
    found = try_windows(BOARD, PATH, trial, Limits())
    # And what one call of a kernel makes beyond.
    assert found.nodes <= 50_000 + 100_000
    assert not found.whole


def test_a_cancelled_try_ends_and_keeps_what_it_gained():
    asked = iter([False] * 40)
    limits = Limits(cancelled=lambda: next(asked, True))
    trial = Trial(TrialKind.WINDOWS, count=len(PATH), nodes=10**9)
    found = try_windows(BOARD, PATH, trial, limits)
    assert not found.whole
    assert apply(BOARD, found.moves) == GOAL


def test_a_trial_is_read_as_it_was_written():
    trial = Trial(TrialKind.WINDOWS, 300, effort=2, number=5, count=77, nodes=10**6)
    assert Trial.from_bytes(trial.to_bytes()) == trial


@pytest.mark.parametrize("damaged", [b"", b"4000", b"{}", b'{"kind": "no such"}'])
def test_damaged_trials_are_refused(damaged):
    with pytest.raises((ValueError, TypeError, KeyError)):
        Trial.from_bytes(damaged)
