"""The options of a job in the solver's own terms: all that the web knows of the solver."""

from __future__ import annotations

from tilework.core.puzzle.metric import Metric
from tilework.core.solver.target import Algorithm, Heuristic, Target, TargetKind

__all__ = ["Algorithm", "Heuristic", "Metric", "Target", "TargetKind"]
