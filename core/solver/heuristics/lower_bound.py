"""A proved lower bound for boards of any size."""

from __future__ import annotations

from core.puzzle.board import Board
from core.puzzle.distance import inverse
from core.solver.kernels import line_order


def lower_bound(board: Board, goal: Board, *, conflicts: bool = True) -> int:
    """Return Manhattan distance, with linear conflicts where asked; linear in the cells.

    Every solution has the parity of this bound, since each move changes the distance by one.

    Notes
    -----
    Hansson, Mayer, Yung, "Criticizing solutions to relaxed models yields powerful admissible
    heuristics", 1992.
    """
    return int(line_order.distance(board.cells, inverse(goal.cells), board.width, conflicts))
