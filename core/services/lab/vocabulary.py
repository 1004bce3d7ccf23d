"""The names and limits of comparisons, for the web."""

from __future__ import annotations

from tilework.core.lab.method import (
    DEFAULT_HEURISTIC,
    DEFAULT_METHODS,
    DEFAULT_WEIGHT,
    DEFAULT_WIDTH,
    MAX_WIDTH,
    Method,
    format_number,
    pair_methods,
    proven_length,
)
from tilework.core.lab.names import (
    ALGORITHMS,
    HEURISTICS,
    PATH_SEARCHES,
    Guarantee,
    LabAlgorithm,
    LabHeuristic,
    Parameter,
)
from tilework.core.lab.pseudocode import PSEUDOCODE, Moment
from tilework.core.lab.result import RunStatistics
from tilework.core.lab.trace import MAX_GAP, MAX_STEPS, Outcome, TraceWindow

__all__ = [
    "ALGORITHMS",
    "DEFAULT_HEURISTIC",
    "DEFAULT_METHODS",
    "DEFAULT_WEIGHT",
    "DEFAULT_WIDTH",
    "HEURISTICS",
    "MAX_GAP",
    "MAX_STEPS",
    "MAX_WIDTH",
    "PATH_SEARCHES",
    "PSEUDOCODE",
    "Guarantee",
    "LabAlgorithm",
    "LabHeuristic",
    "Method",
    "Moment",
    "Outcome",
    "Parameter",
    "RunStatistics",
    "TraceWindow",
    "format_number",
    "pair_methods",
    "proven_length",
]
