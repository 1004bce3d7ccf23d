"""Tries at a shorter solution beside a search that proves one: whose turn it is, and when."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from tests.support.services.staging import search_end
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.moves import from_letters
from tilework.core.services.farm.life.events import Improved, Share
from tilework.core.services.farm.life.improving import REACH_S
from tilework.core.services.farm.life.proof_pace import is_in_reach
from tilework.core.services.farm.records import Iteration
from tilework.core.services.leases import Holder
from tilework.core.services.states import Queue, SliceKind, SliceState
from tilework.core.solver.piece import Piece, SliceOutcome
from tilework.core.solver.result import SearchResult
from tilework.core.solver.trial import TrialOutcome

GOAL = blank_last(Size(5, 5))
# One move to the left solves it.
BOARD = Board([*range(1, 24), 0, 24])


@pytest.fixture
def proving(house):
    """A search whose first threshold is 1, beside tries at a path shorter than 7 moves."""

    def some(board, goal, limits):
        letters = "LRLRLRL" if board == BOARD else "UDUDUDU"
        return SearchResult(0, from_letters(letters), "scripted")

    house.solver.first_threshold = lambda board, goal: 1
    house.solver.openings.append(some)
    job = house.ask(BOARD, goal=GOAL)
    with house.database.writing() as session:
        solve = session.solves.lock(session.jobs.solve_of(job.id))
        session.solves.save(replace(solve, lower_bound=0), house.clock())
    house.work("interactive")
    assert waiting(house) == {SliceKind.SEARCH: 1, SliceKind.IMPROVE: 1}
    return house


@pytest.fixture
def solve(proving):
    """Its solve."""
    [waits, _] = waiting_claims(proving)
    with proving.database.writing() as session:
        return session.solves.lock(waits.slice.solve_id)


def waiting_claims(house):
    with house.database.writing() as session:
        return session.slices.next(Queue.SEARCH, 100)


def waiting(house):
    """What waits, by kind, but for beams aimed at a threshold."""
    slices = [one.slice for one in waiting_claims(house)]
    return Counter(
        one.kind for one in slices if one.kind is not SliceKind.IMPROVE or not one.threshold
    )


def claim(house, kind, owner="w"):
    """Claim the slice of a kind; what else waits goes on waiting."""
    worker = house.worker()
    claims = []
    while taken := worker._claims.take(Queue.SEARCH, owner):
        claims += taken
    [wanted, *others] = sorted(claims, key=lambda one: one.slice.kind is not kind)
    worker._claims.give_back(others)
    assert wanted.slice.kind is kind
    return wanted.slice


def end_try(house, piece, seconds=5.0):
    """End a try in vain; return what its worker goes on with."""
    outcome = TrialOutcome(None, 100, "beam", whole=True)
    holder = Holder("w", house.clock() + 15)
    return house.settle(Improved(piece, outcome, seconds, Share(1.0, 2)), holder).onward


def end_search(house, seconds, *, left=0.0, short=0):
    piece = claim(house, SliceKind.SEARCH)
    remaining = (Piece(b"rest:0.5", left),) if left else ()
    outcome = SliceOutcome(1_000_000, piece.threshold + 2, None, remaining, "scripted")
    house.settle(search_end(piece, outcome, seconds=seconds, short=short))
    if not left:
        assert house.pass_checks() == 1


def test_who_ends_a_try_leaves_the_next_one_to_search_the_same_board(proving):
    assert end_try(proving, claim(proving, SliceKind.IMPROVE)) is None
    assert waiting(proving) == {SliceKind.SEARCH: 1, SliceKind.IMPROVE: 1}
    [first, _] = (one.slice for one in waiting_claims(proving))
    assert first.kind is SliceKind.SEARCH


def test_who_ends_a_try_makes_the_next_one_where_nothing_else_waits(proving):
    piece = claim(proving, SliceKind.IMPROVE)
    proving.worker()._claims.take(Queue.SEARCH, "another")
    onward = end_try(proving, piece)
    assert (onward.kind, onward.state) == (SliceKind.IMPROVE, SliceState.LEASED)


def test_a_search_that_is_nearly_done_has_all_workers_for_itself(proving):
    piece = claim(proving, SliceKind.IMPROVE)
    end_search(proving, seconds=0.001)
    assert end_try(proving, piece) is None
    assert SliceKind.IMPROVE not in waiting(proving)


def test_tries_go_on_beside_a_search_that_takes_long(proving):
    piece = claim(proving, SliceKind.IMPROVE)
    end_search(proving, seconds=REACH_S)
    assert end_try(proving, piece).kind is SliceKind.IMPROVE


def test_they_begin_again_where_it_takes_longer_than_it_seemed(proving):
    piece = claim(proving, SliceKind.IMPROVE)
    end_search(proving, seconds=0.001)
    end_try(proving, piece)
    end_search(proving, seconds=1.0, left=0.5)
    assert SliceKind.IMPROVE not in waiting(proving)
    end_search(proving, seconds=REACH_S, left=0.25)
    assert waiting(proving) == {SliceKind.SEARCH: 1, SliceKind.IMPROVE: 1}


@pytest.mark.parametrize(("short", "comes_first"), [(0, False), (1, True)])
def test_where_others_search_the_beam_for_the_next_threshold_begins_at_once(
    proving, short, comes_first
):
    claim(proving, SliceKind.IMPROVE)
    end_search(proving, seconds=20.0, short=short)
    claims = waiting_claims(proving)
    [beam] = [one.slice for one in claims if one.slice.kind is SliceKind.IMPROVE]
    assert beam.threshold == 5
    search = [one.slice.turn for one in claims if one.slice.kind is SliceKind.SEARCH]
    assert (beam.turn < min(search)) == comes_first


@pytest.mark.parametrize(
    ("iterations", "upper", "reached"),
    [
        # The threshold of 60 itself; then those of 62 and 64, seven times as long each.
        ([(58, 1.0), (60, 0.0)], 62, 7.0),
        ([(58, 1.0), (60, 0.0)], 64, 49.0),
        ([(58, 1.0), (60, 0.0)], 66, 343.0),
        ([(58, 1.0), (60, 30.0)], 64, 210.0),
    ],
)
def test_how_long_a_proof_takes_is_told_from_its_thresholds(solve, iterations, upper, reached):
    told = tuple(Iteration(threshold, 10, seconds) for threshold, seconds in iterations)
    solve = replace(solve, iterations=told, upper_bound=upper)
    assert is_in_reach(solve, reached)
    assert not is_in_reach(solve, reached - 0.1)
    assert not is_in_reach(replace(solve, iterations=told[1:]), 1e9)
