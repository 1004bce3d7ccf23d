"""solve() ends where its limits or its target are, and tells bounds on the way."""

from __future__ import annotations

import pytest

from tests.support import naive
from tests.support.instances import instances
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.moves import to_letters
from tilework.core.puzzle.scramble import scramble
from tilework.core.search.limits import Limits, StopReason
from tilework.core.solver.names import Algorithm
from tilework.core.solver.solve import solve
from tilework.core.solver.target import Target, TargetKind

ANY = Target(TargetKind.ANY)

# 80 moves from its goal, the most there are.
HARDEST = Board(instances("hardest_15puzzle.txt")[0].tiles)


@pytest.mark.parametrize("algorithm", [Algorithm.AUTO, Algorithm.A_STAR, Algorithm.IDA_STAR])
@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        (Limits(seconds=0.0), StopReason.TIME),
        (Limits(nodes=1000), StopReason.NODES),
        (Limits(cancelled=lambda: True), StopReason.CANCELLED),
    ],
)
def test_limits_are_results(algorithm, limits, reason):
    goal = blank_last(HARDEST.size)
    result = solve(HARDEST, goal, limits=limits, algorithm=algorithm)
    assert result.stopped_by is reason
    assert not result.optimal
    assert HARDEST.manhattan(goal) <= result.lower_bound < 80


def test_a_star_alone_stops_where_its_memory_ends():
    goal = blank_last(HARDEST.size)
    result = solve(HARDEST, goal, algorithm=Algorithm.A_STAR, limits=Limits(memory_bytes=4_000_000))
    assert result.stopped_by is StopReason.MEMORY
    assert (result.moves, result.algorithm) == (None, "a-star")
    assert HARDEST.manhattan(goal) < result.lower_bound <= 80


def test_any_is_met_by_the_first_solution():
    goal = blank_last(Size(4, 4))
    board = scramble(goal.size, goal, seed=4)
    result = solve(board, goal, target=ANY)
    assert (result.algorithm, result.stopped_by) == ("constructive", None)
    played = naive.played(tuple(board.cells.tolist()), 4, to_letters(result.moves))
    assert played == tuple(goal.cells.tolist())


def test_a_gap_ends_the_search_early():
    goal = blank_last(Size(5, 5))
    board = scramble(goal.size, goal, seed=5)
    result = solve(board, goal, target=Target(TargetKind.GAP, 5.0))
    assert result.algorithm == "constructive"


def test_progress_tells_bounds_that_hold():
    told = []
    solve(HARDEST, blank_last(HARDEST.size), limits=Limits(nodes=40_000_000), progress=told.append)
    assert told
    assert all(one.lower_bound <= 80 for one in told)
    # There may be no solution yet at first: the proof of most 15-puzzles is there before.
    lengths = [one.upper_bound for one in told]
    found = lengths[lengths.count(None) :]
    assert found
    assert all(length is not None and length >= 80 for length in found)
    assert [report.nodes for report in told] == sorted(report.nodes for report in told)
