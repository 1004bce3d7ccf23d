"""Lower bounds from Manhattan distance, linear conflicts and tile groups."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tilework.core.puzzle.arrangement import inverse
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.metric import BoundProof
from tilework.core.search.limits import Limits
from tilework.core.solver.heuristics.tile_groups import cover_needs, find_groups_in_need
from tilework.core.solver.kernels import line_conflicts
from tilework.core.solver.kernels.constants import MAX_GROUP_CELLS

PLAIN_CELLS = 36  # largest board for which kernels are fast enough before they are compiled


@dataclass(frozen=True, slots=True)
class Bound:
    value: int
    proof: BoundProof  # the simplest proof of this value


def lower_bound(board: Board, goal: Board, *, conflicts: bool = True) -> int:
    """Return the Manhattan distance, plus linear conflicts if requested; takes linear time.

    All solutions have the parity of this bound, since each move changes the distance by one.

    Hansson, Mayer, Yung, "Criticizing solutions to relaxed models yields powerful admissible
    heuristics", 1992.
    """
    is_small = board.size.cells <= PLAIN_CELLS
    distance = line_conflicts.distance.call_on_small_input if is_small else line_conflicts.distance
    lines = np.empty(sum(board.size), dtype=np.int64)
    return int(sum(distance(board.cells, inverse(goal.cells), board.width, conflicts, lines)))


def distance_bound(board: Board, goal: Board, *, conflicts: bool = True) -> Bound:
    """Return the distance bound and its proof."""
    manhattan = lower_bound(board, goal, conflicts=False)
    if conflicts and board != goal and (with_conflicts := lower_bound(board, goal)) > manhattan:
        return Bound(with_conflicts, BoundProof.LINEAR_CONFLICT)
    return Bound(manhattan, BoundProof.MANHATTAN)


def best_lower_bound(board: Board, goal: Board, limits: Limits | None = None) -> Bound:
    """Return the greatest of several lower bounds."""
    best = distance_bound(board, goal)
    if board == goal or board.size.cells > MAX_GROUP_CELLS:
        return best
    groups = cover_needs(board, goal, find_groups_in_need(board, goal, limits or Limits()))
    value = lower_bound(board, goal, conflicts=False) + groups
    return Bound(value, BoundProof.TILE_GROUPS) if value > best.value else best
