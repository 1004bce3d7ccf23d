"""The functions behind the names of algorithms and heuristics."""

from __future__ import annotations

from collections.abc import Callable

from tilework.core.lab.algorithms.informed.a_star import a_star
from tilework.core.lab.algorithms.informed.a_star_closed import a_star_closed
from tilework.core.lab.algorithms.informed.a_star_decrease_key import a_star_decrease_key
from tilework.core.lab.algorithms.informed.a_star_parent import a_star_parent
from tilework.core.lab.algorithms.informed.a_star_replace import a_star_replace
from tilework.core.lab.algorithms.informed.beam import beam
from tilework.core.lab.algorithms.informed.greedy import greedy
from tilework.core.lab.algorithms.informed.ida_star import ida_star
from tilework.core.lab.algorithms.informed.weighted_a_star import weighted_a_star
from tilework.core.lab.algorithms.uninformed.backtracking import backtracking
from tilework.core.lab.algorithms.uninformed.backtracking_stack import backtracking_stack
from tilework.core.lab.algorithms.uninformed.backtracking_visited import backtracking_visited
from tilework.core.lab.algorithms.uninformed.bidirectional import bidirectional
from tilework.core.lab.algorithms.uninformed.breadth_first import breadth_first
from tilework.core.lab.algorithms.uninformed.depth_first import depth_first
from tilework.core.lab.algorithms.uninformed.depth_first_recursive import depth_first_recursive
from tilework.core.lab.algorithms.uninformed.depth_first_unchecked import depth_first_unchecked
from tilework.core.lab.algorithms.uninformed.iterative_deepening import iterative_deepening
from tilework.core.lab.algorithms.uninformed.uniform_cost import uniform_cost
from tilework.core.lab.heuristics.combined import Maximum, Mean, MeanBlank, Sum
from tilework.core.lab.heuristics.hamming import Hamming, HammingBlank, HammingDiagonal, Zero
from tilework.core.lab.heuristics.linear_conflict import LinearConflict
from tilework.core.lab.heuristics.manhattan import Faulty, Manhattan
from tilework.core.lab.heuristics.pattern_database import PatternDatabase
from tilework.core.lab.heuristics.walking_distance import WalkingDistance
from tilework.core.lab.meter import Meter
from tilework.core.lab.method import Method
from tilework.core.lab.names import LabAlgorithm, LabHeuristic
from tilework.core.lab.problem import Heuristic, Node, Problem

Search = Callable[[Problem, Meter], Node | None]

_UNINFORMED: dict[LabAlgorithm, Search] = {
    LabAlgorithm.BACKTRACKING: backtracking,
    LabAlgorithm.BACKTRACKING_VISITED: backtracking_visited,
    LabAlgorithm.BACKTRACKING_STACK: backtracking_stack,
    LabAlgorithm.DEPTH_FIRST_RECURSIVE: depth_first_recursive,
    LabAlgorithm.DEPTH_FIRST: depth_first,
    LabAlgorithm.DEPTH_FIRST_UNCHECKED: depth_first_unchecked,
    LabAlgorithm.BREADTH_FIRST: breadth_first,
    LabAlgorithm.ITERATIVE_DEEPENING: iterative_deepening,
    LabAlgorithm.BIDIRECTIONAL: bidirectional,
    LabAlgorithm.UNIFORM_COST: uniform_cost,
}
_INFORMED: dict[LabAlgorithm, Callable[[Problem, Meter, Heuristic], Node | None]] = {
    LabAlgorithm.GREEDY: greedy,
    LabAlgorithm.A_STAR: a_star,
    LabAlgorithm.A_STAR_CLOSED: a_star_closed,
    LabAlgorithm.A_STAR_DECREASE_KEY: a_star_decrease_key,
    LabAlgorithm.A_STAR_REPLACE: a_star_replace,
    LabAlgorithm.A_STAR_PARENT: a_star_parent,
    LabAlgorithm.IDA_STAR: ida_star,
}
_HEURISTICS: dict[LabHeuristic, Callable[[Problem], Heuristic]] = {
    LabHeuristic.ZERO: Zero,
    LabHeuristic.HAMMING: Hamming,
    LabHeuristic.HAMMING_BLANK: HammingBlank,
    LabHeuristic.MANHATTAN: Manhattan,
    LabHeuristic.MEAN: Mean,
    LabHeuristic.MEAN_BLANK: MeanBlank,
    LabHeuristic.SUM: Sum,
    LabHeuristic.MAXIMUM: Maximum,
    LabHeuristic.LINEAR_CONFLICT: LinearConflict,
    LabHeuristic.WALKING_DISTANCE: WalkingDistance,
    LabHeuristic.PATTERN_DATABASE: PatternDatabase,
    LabHeuristic.FAULTY: Faulty,
    LabHeuristic.HAMMING_DIAGONAL: HammingDiagonal,
}


def make_search(method: Method, problem: Problem) -> Search:
    """Return the search function of a method, with the heuristic built for the problem's goal."""
    if method.heuristic is None:
        return _UNINFORMED[method.algorithm]
    heuristic = make_heuristic(method.heuristic, problem)
    if method.weight is not None:
        weight = method.weight
        return lambda problem, meter: weighted_a_star(problem, meter, heuristic, weight)
    if method.width is not None:
        width = method.width
        return lambda problem, meter: beam(problem, meter, heuristic, width)
    informed = _INFORMED[method.algorithm]
    return lambda problem, meter: informed(problem, meter, heuristic)


def make_heuristic(heuristic: LabHeuristic, problem: Problem) -> Heuristic:
    return _HEURISTICS[heuristic](problem)
