"""The bounds of games and of ways: all that the web knows of how they are analysed."""

from __future__ import annotations

from tilework.core.solver.analysis.game import EXACT_CELLS, MOST_CELLS, MOST_MOVES
from tilework.core.solver.shortest_paths.kept import MOST_CELLS as MOST_WAYS_CELLS
from tilework.core.solver.shortest_paths.kept import MOST_LISTED
from tilework.core.solver.shortest_paths.shortest_ways import MOST_DRAWN

__all__ = [
    "EXACT_CELLS",
    "MOST_CELLS",
    "MOST_DRAWN",
    "MOST_LISTED",
    "MOST_MOVES",
    "MOST_WAYS_CELLS",
]
