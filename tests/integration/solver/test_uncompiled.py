"""Kernels run as plain Python give the same results, and no overflow warnings."""

import json
import os
import subprocess
import sys

from tests.unit.solver.optimal.naive_search import random_walk
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_first, blank_last, spiral
from tilework.core.solver.heuristics.additive_patterns import AdditivePatterns
from tilework.core.solver.heuristics.lower_bounds import lower_bound
from tilework.core.solver.large.beam import beam_search
from tilework.core.solver.large.constructive import construct
from tilework.core.solver.optimal.a_star import a_star
from tilework.core.solver.optimal.cursor import Cursor
from tilework.core.solver.optimal.engines import LineEngine
from tilework.core.solver.optimal.move_pruning import pruning_rules
from tilework.core.solver.optimal.nearby import solve_nearby
from tilework.core.solver.optimal.slice import Walk


def summarize() -> list[object]:
    """Return results of searches with kernels of every kind."""
    results: list[object] = []
    for goal in (blank_last(Size(3, 3)), spiral(Size(4, 2)), blank_first(Size(4, 4))):
        board = random_walk(goal, 24, 1)
        results += [lower_bound(board, goal), record_walk(board, goal)]
        for result in (a_star(board, goal), solve_nearby(board, goal, 40)):
            results.append([result.moves.tolist(), result.statistics.generated])
    goal = spiral(Size(4, 2))
    patterns = AdditivePatterns.from_small_board(goal)
    beam = beam_search(random_walk(goal, 8, 1), goal, 9, patterns, upper_bound=99)
    results.append([beam.moves.tolist(), beam.nodes])
    goal = blank_first(Size(6, 5))
    moves = construct(random_walk(goal, 200, 1), goal)
    return [*results, moves.tolist()]


def record_walk(board: Board, goal: Board) -> list[object]:
    """Run a depth-first search, a few nodes at a time."""
    engine = LineEngine("lines", goal, pruning_rules(goal.size, 6))
    start = engine.start(board)
    walk = Walk(engine, start, start.estimate + 2, Cursor.root())
    return [
        [walk.search(17), walk.report.tolist(), walk.cursor().to_bytes().hex()] for _ in range(4)
    ]


def test_plain_python_gives_the_same_results() -> None:
    program = f"import json; from {__name__} import summarize; print(json.dumps(summarize()))"
    output = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        stdout=subprocess.PIPE,
        check=True,
    ).stdout
    assert json.loads(output) == summarize()
