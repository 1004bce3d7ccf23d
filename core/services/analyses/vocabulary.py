"""The bounds of games: all that the web knows of how they are analysed."""

from __future__ import annotations

from tilework.core.solver.analysis.game import EXACT_CELLS, MOST_CELLS, MOST_MOVES

__all__ = ["EXACT_CELLS", "MOST_CELLS", "MOST_MOVES"]
