"""The limits of game analyses and of searches for all shortest solutions, for the web."""

from __future__ import annotations

from tilework.core.solver.analysis.game import EXACT_CELLS, MOST_CELLS, MOST_MOVES
from tilework.core.solver.shortest_paths.graph import MOST_DRAWN
from tilework.core.solver.shortest_paths.stored_solutions import MOST_CELLS as MOST_WAYS_CELLS
from tilework.core.solver.shortest_paths.stored_solutions import MOST_LISTED

__all__ = [
    "EXACT_CELLS",
    "MOST_CELLS",
    "MOST_DRAWN",
    "MOST_LISTED",
    "MOST_MOVES",
    "MOST_WAYS_CELLS",
]
