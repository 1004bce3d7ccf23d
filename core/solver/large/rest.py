"""The few cells that the constructive solver leaves over."""

from __future__ import annotations

from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import NO_MOVES, Moves
from tilework.core.solver.optimal.a_star import a_star


def solve_rest(board: Board, goal: Board) -> Moves:
    """Solve up to nine cells, optimally."""
    moves = a_star(board, goal).moves
    return NO_MOVES if moves is None else moves
