"""The next move of a board, in this process."""

from __future__ import annotations

from tilework.core.puzzle.board import Board
from tilework.core.puzzle.hint import Hint
from tilework.core.search.limits import Limits
from tilework.core.solver.hint_target import HINT_S, hint_target
from tilework.core.solver.solve import solve


def find_hint(board: Board, goal: Board) -> Hint:
    """Return the first move of a way to the goal that is as good as hints need to be.

    It takes no longer than `HINT_S` where a first way is found in that time.

    Raises
    ------
    BoardError
        For a goal of another size.
    UnsolvableError
        Where no moves lead to the goal.
    """
    found = solve(board, goal, target=hint_target(board.size.cells), limits=Limits(seconds=HINT_S))
    return Hint(board, found.lower_bound, found.moves)
