"""The best lower bound that is proved without a search, and by what it is proved."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from core.puzzle.board import Board
from core.search.limits import Limits
from core.solver.heuristics.group_cover import covered
from core.solver.heuristics.lower_bound import lower_bound
from core.solver.heuristics.tile_groups import groups_in_need


class BoundProof(StrEnum):
    """What proves a lower bound, the simplest first.

    ``manhattan``: each tile's distance. ``linear-conflict``: with the tiles that must leave their
    line. ``tile-groups``: with groups of a few tiles that get in each other's way.
    """

    MANHATTAN = "manhattan"
    LINEAR_CONFLICT = "linear-conflict"
    TILE_GROUPS = "tile-groups"


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


MOST_CELLS = 1_024
"""Cells of the largest board whose groups of tiles are looked for: beyond, they add next to
nothing to the distances."""


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
    manhattan = lower_bound(board, goal, conflicts=False)
    best = Bound(manhattan, BoundProof.MANHATTAN)
    if board == goal:
        return best
    conflicts = lower_bound(board, goal)
    if conflicts > best.value:
        best = Bound(conflicts, BoundProof.LINEAR_CONFLICT)
    if board.size.cells <= MOST_CELLS:
        groups = manhattan + covered(board, goal, groups_in_need(board, goal, limits or Limits()))
        if groups > best.value:
            best = Bound(groups, BoundProof.TILE_GROUPS)
    return best
