import numpy as np

from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.metric import BoundProof
from tilework.core.puzzle.scramble import scramble
from tilework.core.services.certificates.reader import find_bound_proof
from tilework.core.solver.heuristics.lower_bounds import best_lower_bound, lower_bound

QUICK_PROOFS = (BoundProof.MANHATTAN, BoundProof.LINEAR_CONFLICT)


def test_manhattan_and_linear_conflict_bounds_are_recognized():
    random = np.random.default_rng(1)
    for width, height in ((4, 4), (12, 5), (3, 20)):
        goal = Board(random.permutation(width * height), width, height)
        rows = goal.cells.reshape(height, width).copy()
        random.permuted(rows, axis=1, out=rows)
        for board in (scramble(goal.size, goal, 1), Board(rows)):
            manhattan = lower_bound(board, goal, conflicts=False)
            conflicts = lower_bound(board, goal)
            assert find_bound_proof(board, goal, manhattan) is BoundProof.MANHATTAN
            if conflicts > manhattan:
                assert find_bound_proof(board, goal, conflicts) is BoundProof.LINEAR_CONFLICT
            assert find_bound_proof(board, goal, conflicts + 2) not in QUICK_PROOFS


def test_proofs_of_the_solvers_bounds():
    for side in (5, 7, 8):
        goal = blank_last(Size(side, side))
        board = scramble(goal.size, goal, 1)
        bound = best_lower_bound(board, goal)
        # On small boards, this bound may have been proved by a search.
        is_searched = side == 5 and bound.proof is BoundProof.TILE_GROUPS
        expected = BoundProof.SEARCH if is_searched else bound.proof
        assert find_bound_proof(board, goal, bound.value) is expected
    # Near a goal, a window may have been searched.
    goal = blank_last(Size(10, 10))
    board = scramble(goal.size, goal, 1, moves=40)
    assert find_bound_proof(board, goal, lower_bound(board, goal) + 2) is BoundProof.SEARCH
