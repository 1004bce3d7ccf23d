"""The limits of game analyses and of searches for all shortest solutions, for the web."""

from __future__ import annotations

from tilework.core.solver.analysis.game import EXACT_CELLS, MAX_CELLS, MAX_MOVES
from tilework.core.solver.shortest_paths.graph import MAX_DRAWN
from tilework.core.solver.shortest_paths.stored_solutions import MAX_CELLS as MAX_WAYS_CELLS
from tilework.core.solver.shortest_paths.stored_solutions import MAX_LISTED

__all__ = [
    "EXACT_CELLS",
    "MAX_CELLS",
    "MAX_DRAWN",
    "MAX_LISTED",
    "MAX_MOVES",
    "MAX_WAYS_CELLS",
]
