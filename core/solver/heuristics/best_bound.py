"""The best lower bound that is proved without a search, and by what it is proved."""

from __future__ import annotations

from tilework.core.formats.bound_proof import BoundProof
from tilework.core.puzzle.board import Board
from tilework.core.search.limits import Limits
from tilework.core.solver.heuristics.group_cover import covered
from tilework.core.solver.heuristics.lower_bound import Bound, distance_bound, lower_bound
from tilework.core.solver.heuristics.tile_groups import groups_in_need
from tilework.core.solver.kernels.constants import MAX_GROUP_CELLS


def best_lower_bound(board: Board, goal: Board, limits: Limits | None = None) -> Bound:
    """Return the greatest of several lower bounds.

    The same each time where time and cancellation do not end it.

    Parameters
    ----------
    board, goal : Board
        Of one size; the goal must be reachable.
    limits : Limits, optional
        Of the search for groups of tiles; see `groups_in_need`.
    """
    best = distance_bound(board, goal)
    if board == goal or board.size.cells > MAX_GROUP_CELLS:
        return best
    groups = covered(board, goal, groups_in_need(board, goal, limits or Limits()))
    value = lower_bound(board, goal, conflicts=False) + groups
    return Bound(value, BoundProof.TILE_GROUPS) if value > best.value else best
