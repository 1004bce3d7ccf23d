"""The proof that a certificate names is one that gives the bound."""

from __future__ import annotations

import numpy as np
import pytest

from tilework.core.formats.bound_proof import BoundProof
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.scramble import scramble
from tilework.core.services.certificates.bounds import proof_of
from tilework.core.solver.heuristics.best_bound import best_lower_bound
from tilework.core.solver.heuristics.lower_bound import lower_bound


@pytest.mark.parametrize("size", [(4, 4), (8, 8), (12, 5), (3, 20), (16, 16)])
def test_distances_and_conflicts_are_those_of_the_solver(size):
    random = np.random.default_rng(1)
    for seed in range(5):
        goal = Board(random.permutation(size[0] * size[1]), *size)
        rows = goal.cells.reshape(size[1], size[0]).copy()
        random.permuted(rows, axis=1, out=rows)
        for board in (scramble(goal.size, goal, seed), Board(rows)):
            manhattan = lower_bound(board, goal, conflicts=False)
            conflicts = lower_bound(board, goal)
            assert proof_of(board, goal, manhattan) is BoundProof.MANHATTAN
            if conflicts > manhattan:
                assert proof_of(board, goal, conflicts) is BoundProof.LINEAR_CONFLICT
            assert proof_of(board, goal, conflicts + 2) not in (
                BoundProof.MANHATTAN,
                BoundProof.LINEAR_CONFLICT,
            )


@pytest.mark.parametrize("side", [5, 7, 8, 40])
def test_the_name_of_the_solvers_bound(side):
    goal = blank_last(Size(side, side))
    for seed in range(3):
        board = scramble(goal.size, goal, seed)
        found = best_lower_bound(board, goal)
        if side == 5 and found.proof is BoundProof.TILE_GROUPS:
            # On small boards a search may have brought it that far.
            assert proof_of(board, goal, found.value) is BoundProof.SEARCH
        else:
            assert proof_of(board, goal, found.value) is found.proof


def test_near_a_goal_a_window_may_have_been_searched():
    goal = blank_last(Size(10, 10))
    board = scramble(goal.size, goal, 1, moves=40)
    assert proof_of(board, goal, lower_bound(board, goal) + 2) is BoundProof.SEARCH
