"""What the plan does on boards of more than 16 cells: first solutions, beams, proofs."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest

from tests.support import naive
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.moves import to_letters
from tilework.core.puzzle.scramble import scramble
from tilework.core.search.limits import Limits, StopReason
from tilework.core.solver.known import Known
from tilework.core.solver.names import Algorithm, Heuristic
from tilework.core.solver.result import SearchResult
from tilework.core.solver.solve import solve
from tilework.core.solver.target import Target, TargetKind

ANY = Target(TargetKind.ANY)


def assert_solves(board, goal, result):
    reached = naive.played(tuple(board.cells.tolist()), board.width, to_letters(result.moves))
    assert reached == tuple(goal.cells.tolist())
    assert result.lower_bound <= result.upper_bound


@pytest.mark.parametrize("side", [5, 6, 8, 9, 20])
def test_larger_boards_get_some_solution_and_a_bound(side, pattern_databases):
    goal = blank_last(Size(side, side))
    board = scramble(goal.size, goal, seed=side)
    limits = Limits(nodes=10_000)
    result = solve(board, goal, limits=limits, pdb_folder=pattern_databases)
    assert_solves(board, goal, result)
    assert 0 < result.lower_bound < result.upper_bound < 5 * result.lower_bound
    assert result.lower_bound >= board.manhattan(goal)
    assert result.lower_bound % 2 == result.upper_bound % 2
    assert result.stopped_by in (None, StopReason.NODES)


@pytest.mark.parametrize("size", [(5, 5), (6, 5), (3, 7), (8, 8)], ids=str)
def test_large_boards_get_a_far_shorter_solution_from_a_beam(size, pattern_databases):
    goal = blank_last(Size(*size))
    board = scramble(goal.size, goal, seed=8)
    lengths = {}
    for algorithm in (Algorithm.CONSTRUCTIVE, Algorithm.BEAM):
        limits = Limits(nodes=5_000_000)
        result = solve(
            board, goal, algorithm=algorithm, limits=limits, pdb_folder=pattern_databases
        )
        assert result.algorithm == algorithm
        assert_solves(board, goal, result)
        lengths[algorithm] = len(result.moves)
    assert lengths[Algorithm.BEAM] < 0.7 * lengths[Algorithm.CONSTRUCTIVE]


def test_the_plan_proves_what_a_beam_found(pattern_databases):
    goal = blank_last(Size(5, 5))
    board = scramble(goal.size, goal, seed=1, moves=70)
    told = []
    result = solve(board, goal, progress=told.append, pdb_folder=pattern_databases)
    assert result.optimal
    assert result.algorithm == "beam"
    assert told[0].upper_bound >= result.upper_bound
    alone = solve(board, goal, algorithm=Algorithm.IDA_STAR, pdb_folder=pattern_databases)
    assert alone.upper_bound == result.upper_bound
    assert_solves(board, goal, result)


def test_a_gap_may_be_met_between_two_thresholds(pattern_databases):
    goal = blank_last(Size(5, 5))
    board = scramble(goal.size, goal, seed=2, moves=60)
    target = Target(TargetKind.GAP, 0.1)
    result = solve(board, goal, target=target, pdb_folder=pattern_databases)
    assert result.stopped_by is None
    assert 10 * (result.upper_bound - result.lower_bound) <= result.lower_bound


def test_beams_that_lack_memory_leave_the_search_to_others(pattern_databases):
    goal = blank_last(Size(5, 5))
    board = scramble(goal.size, goal, seed=2, moves=40)
    limits = Limits(memory_bytes=50_000)
    result = solve(board, goal, limits=limits, pdb_folder=pattern_databases)
    assert (result.optimal, result.algorithm) == (True, "ida-star")


def test_a_near_goal_is_found_on_a_board_too_large_for_a_long_search():
    goal = blank_last(Size(9, 9))
    board = scramble(goal.size, goal, seed=2, moves=20)
    result = solve(board, goal)
    assert result.optimal
    assert result.upper_bound <= 20


@pytest.mark.parametrize("side", [6, 9])
def test_a_time_limit_is_used_and_kept(side, pattern_databases):
    goal = blank_last(Size(side, side))
    board = scramble(goal.size, goal, seed=side)
    # Kernels may have to be compiled.
    solve(board, goal, limits=Limits(nodes=100_000), pdb_folder=pattern_databases)
    lengths = []
    for seconds in (0.3, 2.5):
        began = time.perf_counter()
        result = solve(board, goal, limits=Limits(seconds), pdb_folder=pattern_databases, threads=2)
        assert result.stopped_by is StopReason.TIME
        assert 0.8 * seconds < time.perf_counter() - began < seconds + 0.5
        assert_solves(board, goal, result)
        lengths.append(result.upper_bound)
    assert lengths[1] <= lengths[0]


def test_time_that_ran_out_between_two_searches_is_told():
    goal = blank_last(Size(6, 6))
    board = scramble(goal.size, goal, seed=6)
    for seconds, told in ((0.001, StopReason.TIME), (1_000.0, None)):
        known = Known(board, goal, Target(), Limits(seconds), Heuristic.AUTO, None, None)
        time.sleep(0.002)
        known.take(SearchResult(140, None, "ida-star"))
        assert known.result().stopped_by is told


def test_the_same_nodes_and_threads_give_the_same_result(pattern_databases):
    goal = blank_last(Size(7, 6))
    board = scramble(goal.size, goal, seed=3)
    limits = Limits(nodes=2_000_000)
    results = [
        solve(board, goal, limits=limits, pdb_folder=pattern_databases, threads=2) for _ in range(2)
    ]
    one, other = ((done.moves.tobytes(), done.statistics.generated) for done in results)
    assert one == other
    # A beam that does not fit is not begun, and what threads share is cut in equal parts.
    assert 1_000_000 < results[0].statistics.generated < 2_200_000
    assert_solves(board, goal, results[0])


def test_better_solutions_are_told_at_once_and_once(pattern_databases):
    goal = blank_last(Size(8, 6))
    board = scramble(goal.size, goal, seed=3)
    told = []
    result = solve(
        board,
        goal,
        limits=Limits(nodes=3_000_000),
        pdb_folder=pattern_databases,
        threads=2,
        found=lambda _lower, moves, _algorithm: told.append(len(moves)),
    )
    assert told == sorted(set(told), reverse=True)
    assert told[-1] == result.upper_bound


def test_small_boards_load_no_kernels_of_beams(pattern_databases):
    program = f"""
import sys
from pathlib import Path
from tilework.core.solver.solve import warm_up, warm_up_beams
folder = Path({str(pattern_databases)!r})
warm_up(folder)
assert "tilework.core.solver.kernels.beam.beam" not in sys.modules
warm_up_beams(folder)
for used in ("beam.beam", "learned.beam", "sweeps.staged_beam", "nearby"):
    assert f"tilework.core.solver.kernels.{{used}}" in sys.modules, used
"""
    subprocess.run([sys.executable, "-c", program], check=True)
