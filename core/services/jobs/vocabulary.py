"""The options of a job in the solver's own terms: all that the web knows of the solver."""

from __future__ import annotations

from tilework.core.puzzle.metric import Metric
from tilework.core.solver.names import Algorithm, Heuristic
from tilework.core.solver.target import Target, TargetKind

__all__ = ["Algorithm", "Heuristic", "Metric", "Target", "TargetKind"]
