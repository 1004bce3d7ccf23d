"""Searches, heuristics and methods of the lab in the visitor's language, and their promises."""

from __future__ import annotations

from flask_babel import format_decimal
from flask_babel import gettext as _

from core.services.lab.vocabulary import ALGORITHMS, LabAlgorithm, LabHeuristic, Method, Promise

# A weight may have any number of digits, and tells two methods apart by all of them.
_IN_FULL = "#,##0.################"


def algorithm_names() -> dict[LabAlgorithm, str]:
    """What the searches are called."""
    return {
        LabAlgorithm.BACKTRACKING: _("Backtracking, recursive"),
        LabAlgorithm.BACKTRACKING_VISITED: _("Backtracking, recursive, with memory"),
        LabAlgorithm.BACKTRACKING_STACK: _("Backtracking with a stack"),
        LabAlgorithm.DEPTH_FIRST_RECURSIVE: _("Depth-first, recursive"),
        LabAlgorithm.DEPTH_FIRST: _("Depth-first"),
        LabAlgorithm.BREADTH_FIRST: _("Breadth-first"),
        LabAlgorithm.ITERATIVE_DEEPENING: _("Iterative deepening"),
        LabAlgorithm.BIDIRECTIONAL: _("Bidirectional breadth-first"),
        LabAlgorithm.UNIFORM_COST: _("Uniform cost"),
        LabAlgorithm.GREEDY: _("Greedy best-first"),
        LabAlgorithm.A_STAR: _("A*"),
        LabAlgorithm.A_STAR_CLOSED: _("A*, closed for good"),
        LabAlgorithm.A_STAR_DECREASE_KEY: _("A* with decrease-key"),
        LabAlgorithm.A_STAR_REPLACE: _("A* that replaces, as published"),
        LabAlgorithm.A_STAR_PARENT: _("A* that forbids the parent"),
        LabAlgorithm.WEIGHTED_A_STAR: _("Weighted A*"),
        LabAlgorithm.IDA_STAR: _("IDA*"),
        LabAlgorithm.BEAM: _("Beam"),
    }


def heuristic_names() -> dict[LabHeuristic, str]:
    """What the estimates are called."""
    return {
        LabHeuristic.ZERO: _("Zero"),
        LabHeuristic.HAMMING: _("Hamming"),
        LabHeuristic.HAMMING_BLANK: _("Hamming with the blank"),
        LabHeuristic.MANHATTAN: _("Manhattan"),
        LabHeuristic.MEAN: _("Mean of Hamming and Manhattan"),
        LabHeuristic.MEAN_BLANK: _("Mean, the blank counted"),
        LabHeuristic.SUM: _("Sum of Hamming and Manhattan"),
        LabHeuristic.MAXIMUM: _("Maximum of Hamming and Manhattan"),
        LabHeuristic.LINEAR_CONFLICT: _("Linear conflict"),
        LabHeuristic.WALKING_DISTANCE: _("Walking distance"),
        LabHeuristic.PATTERN_DATABASE: _("Additive pattern database"),
        LabHeuristic.FAULTY: _("Faulty |Δrow + Δcolumn|"),
    }


def method_title(method: Method) -> str:
    """The method for people: ``Weighted A* · Manhattan · 2``."""
    parts = [algorithm_names()[method.algorithm]]
    if method.heuristic is not None:
        parts.append(heuristic_names()[method.heuristic])
    for number in (method.weight, method.width):
        if number is not None:
            parts.append(str(format_decimal(number, _IN_FULL)))
    return " · ".join(parts)


def promise_words(algorithm: LabAlgorithm) -> str:
    """What an algorithm promises, in a few words."""
    facts = ALGORITHMS[algorithm]
    words = {
        Promise.ALWAYS: _("always the shortest"),
        Promise.ADMISSIBLE: _("the shortest, if the heuristic is admissible"),
        Promise.CONSISTENT: _("the shortest, if the heuristic is consistent"),
        Promise.NEVER: _("a solution of any length"),
    }
    return words[facts.optimal] if facts.complete else str(_("may find none"))
