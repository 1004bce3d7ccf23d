"""The search kernels as plain Python: the same moves, and no warning of an overflow."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

PROGRAM = """
from tilework.core.solver.heuristics.lower_bound import lower_bound
from tilework.core.solver.large.constructive import construct
from tilework.core.solver.optimal.a_star import a_star
from tilework.core.solver.optimal.nearby import nearby
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_first, blank_last, spiral
from tilework.core.puzzle.moves import to_letters
from tilework.core.puzzle.scramble import scramble

for goal in (blank_last(Size(3, 3)), spiral(Size(4, 2)), blank_first(Size(4, 4))):
    for seed in range(2):
        board = scramble(goal.size, goal, seed=seed, moves=30)
        result = a_star(board, goal)
        print(to_letters(result.moves), result.statistics.generated, lower_bound(board, goal))
for goal in (blank_first(Size(6, 5)), spiral(Size(2, 7)), blank_last(Size(4, 5))):
    board = scramble(goal.size, goal, seed=1)
    moves = construct(board, goal, lambda rest, its_goal: a_star(rest, its_goal).moves)
    print(to_letters(moves), lower_bound(board, goal))
for goal in (blank_last(Size(9, 7)), spiral(Size(3, 3))):
    result = nearby(scramble(goal.size, goal, seed=4, moves=24), goal, 40)
    print(to_letters(result.moves), result.statistics.generated)
"""


def printed(disable_jit):
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", PROGRAM],
        env={**os.environ, "NUMBA_DISABLE_JIT": disable_jit},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.timeout(120)
def test_compiled_and_plain_kernels_do_the_same():
    compiled = printed("0")
    assert len(compiled.splitlines()) == 11
    assert printed("1") == compiled
