"""Proved lower bounds for boards of any size, from the distances of the tiles."""

from __future__ import annotations

from dataclasses import dataclass

from tilework.core.formats.bound_proof import BoundProof
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.distance import inverse
from tilework.core.solver.kernels import line_order

PLAIN_CELLS = 36
"""Boards for which plain Python does if nothing is compiled."""


@dataclass(frozen=True, slots=True)
class Bound:
    """A lower bound on the moves of any solution.

    Attributes
    ----------
    proof : BoundProof
        The simplest that gives this value.
    """

    value: int
    proof: BoundProof


def lower_bound(board: Board, goal: Board, *, conflicts: bool = True) -> int:
    """Return Manhattan distance, with linear conflicts where asked; linear in the cells.

    Every solution has the parity of this bound, since each move changes the distance by one.

    Notes
    -----
    Hansson, Mayer, Yung, "Criticizing solutions to relaxed models yields powerful admissible
    heuristics", 1992.
    """
    few = board.size.cells <= PLAIN_CELLS
    distance = line_order.distance.briefly if few else line_order.distance
    return int(distance(board.cells, inverse(goal.cells), board.width, conflicts))


def distance_bound(board: Board, goal: Board, *, conflicts: bool = True) -> Bound:
    """Return the bound of the tiles' distances, with linear conflicts where asked."""
    manhattan = lower_bound(board, goal, conflicts=False)
    if conflicts and board != goal and (more := lower_bound(board, goal)) > manhattan:
        return Bound(more, BoundProof.LINEAR_CONFLICT)
    return Bound(manhattan, BoundProof.MANHATTAN)
