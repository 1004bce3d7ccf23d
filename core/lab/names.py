"""The names and guarantees of the lab's algorithms and heuristics.

The web server uses them without loading the searches.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class LabAlgorithm(StrEnum):
    """The textbook searches."""

    BACKTRACKING = "backtracking"
    BACKTRACKING_VISITED = "backtracking-visited"
    BACKTRACKING_STACK = "backtracking-stack"
    DEPTH_FIRST_RECURSIVE = "depth-first-recursive"
    DEPTH_FIRST = "depth-first"
    DEPTH_FIRST_UNCHECKED = "depth-first-unchecked"
    BREADTH_FIRST = "breadth-first"
    ITERATIVE_DEEPENING = "iterative-deepening"
    BIDIRECTIONAL = "bidirectional"
    UNIFORM_COST = "uniform-cost"
    GREEDY = "greedy"
    A_STAR = "a-star"
    A_STAR_CLOSED = "a-star-closed"
    A_STAR_DECREASE_KEY = "a-star-decrease-key"
    A_STAR_REPLACE = "a-star-replace"
    A_STAR_PARENT = "a-star-parent"
    WEIGHTED_A_STAR = "weighted-a-star"
    IDA_STAR = "ida-star"
    BEAM = "beam"


class LabHeuristic(StrEnum):
    """The heuristics. Three also have the names of a published program: ``h1``, ``h2``, ``h3``."""

    ZERO = "zero"
    HAMMING = "hamming"
    HAMMING_BLANK = "hamming-blank"
    MANHATTAN = "manhattan"
    MEAN = "mean"
    MEAN_BLANK = "mean-blank"
    SUM = "sum"
    MAXIMUM = "maximum"
    LINEAR_CONFLICT = "linear-conflict"
    WALKING_DISTANCE = "walking-distance"
    PATTERN_DATABASE = "pattern-database"
    FAULTY = "faulty"
    HAMMING_DIAGONAL = "hamming-diagonal"

    @classmethod
    def _missing_(cls, value: object) -> LabHeuristic | None:
        return next((name for name in cls if PUBLISHED_NAMES.get(name) == value), None)


# The names of the heuristics in the program that `a-star-replace` reproduces
PUBLISHED_NAMES: dict[str, str] = {
    LabHeuristic.HAMMING_BLANK: "h1",
    LabHeuristic.MANHATTAN: "h2",
    LabHeuristic.MEAN_BLANK: "h3",
}

PUBLISHED: Final = LabAlgorithm.A_STAR_REPLACE  # the algorithm of that program


class Guarantee(StrEnum):
    """Whether an algorithm guarantees a shortest solution, possibly only with such a heuristic."""

    ALWAYS = "always"
    ADMISSIBLE = "admissible"
    CONSISTENT = "consistent"
    NEVER = "never"


class FrontierOrder(StrEnum):
    """Which node of the frontier is next: the oldest, the newest, or the smallest by its key."""

    QUEUE = "queue"
    STACK = "stack"
    HEAP = "heap"


class Parameter(StrEnum):
    """A parameter of an algorithm, other than the heuristic."""

    WEIGHT = "weight"
    WIDTH = "width"


@dataclass(frozen=True, slots=True)
class AlgorithmFacts:
    title: str
    informed: bool  # whether it uses a heuristic
    complete: bool  # whether it solves every solvable board, given time and memory
    optimal: Guarantee
    order: FrontierOrder
    parameter: Parameter | None = None


# Algorithms that never undo the last move
FORBID_UNDO: Final = frozenset(
    {
        LabAlgorithm.BACKTRACKING,
        LabAlgorithm.BACKTRACKING_VISITED,
        LabAlgorithm.BACKTRACKING_STACK,
        LabAlgorithm.ITERATIVE_DEEPENING,
        LabAlgorithm.A_STAR_PARENT,
        LabAlgorithm.IDA_STAR,
    }
)

# Recursive algorithms, which extend a single path; traces record it as their frontier
PATH_SEARCHES: Final = frozenset(
    {
        LabAlgorithm.BACKTRACKING,
        LabAlgorithm.BACKTRACKING_VISITED,
        LabAlgorithm.DEPTH_FIRST_RECURSIVE,
    }
)


@dataclass(frozen=True, slots=True)
class HeuristicFacts:
    title: str
    admissible: bool  # whether it never overestimates
    consistent: bool  # whether a move changes it by at most one, which implies admissible


_STACK, _QUEUE, _HEAP = FrontierOrder.STACK, FrontierOrder.QUEUE, FrontierOrder.HEAP
_NEVER, _ALWAYS = Guarantee.NEVER, Guarantee.ALWAYS
_ADMISSIBLE, _CONSISTENT = Guarantee.ADMISSIBLE, Guarantee.CONSISTENT

ALGORITHMS: dict[LabAlgorithm, AlgorithmFacts] = {
    LabAlgorithm.BACKTRACKING: AlgorithmFacts(
        "Recursive backtracking", False, False, _NEVER, _STACK
    ),
    LabAlgorithm.BACKTRACKING_VISITED: AlgorithmFacts(
        "Recursive backtracking with memory", False, False, _NEVER, _STACK
    ),
    LabAlgorithm.BACKTRACKING_STACK: AlgorithmFacts(
        "Backtracking with a stack", False, True, _NEVER, _STACK
    ),
    LabAlgorithm.DEPTH_FIRST_RECURSIVE: AlgorithmFacts(
        "Recursive depth-first search", False, False, _NEVER, _STACK
    ),
    LabAlgorithm.DEPTH_FIRST: AlgorithmFacts("Depth-first search", False, True, _NEVER, _STACK),
    LabAlgorithm.DEPTH_FIRST_UNCHECKED: AlgorithmFacts(
        "Unchecked depth-first search (course version)", False, True, _NEVER, _STACK
    ),
    LabAlgorithm.BREADTH_FIRST: AlgorithmFacts(
        "Breadth-first search", False, True, _ALWAYS, _QUEUE
    ),
    LabAlgorithm.ITERATIVE_DEEPENING: AlgorithmFacts(
        "Iterative deepening", False, True, _ALWAYS, _STACK
    ),
    LabAlgorithm.BIDIRECTIONAL: AlgorithmFacts(
        "Bidirectional breadth-first search", False, True, _ALWAYS, _QUEUE
    ),
    LabAlgorithm.UNIFORM_COST: AlgorithmFacts("Uniform-cost search", False, True, _ALWAYS, _HEAP),
    LabAlgorithm.GREEDY: AlgorithmFacts("Greedy best-first search", True, True, _NEVER, _HEAP),
    LabAlgorithm.A_STAR: AlgorithmFacts("A*", True, True, _ADMISSIBLE, _HEAP),
    LabAlgorithm.A_STAR_CLOSED: AlgorithmFacts(
        "A* without reopening", True, True, _CONSISTENT, _HEAP
    ),
    LabAlgorithm.A_STAR_DECREASE_KEY: AlgorithmFacts(
        "A* with decrease-key", True, True, _ADMISSIBLE, _HEAP
    ),
    LabAlgorithm.A_STAR_REPLACE: AlgorithmFacts(
        "A* with replacement (course version)", True, True, _NEVER, _HEAP
    ),
    LabAlgorithm.A_STAR_PARENT: AlgorithmFacts(
        "A* with parent pruning", True, True, _ADMISSIBLE, _HEAP
    ),
    LabAlgorithm.WEIGHTED_A_STAR: AlgorithmFacts(
        "Weighted A*", True, True, _NEVER, _HEAP, Parameter.WEIGHT
    ),
    LabAlgorithm.IDA_STAR: AlgorithmFacts("IDA*", True, True, _ADMISSIBLE, _STACK),
    LabAlgorithm.BEAM: AlgorithmFacts("Beam search", True, False, _NEVER, _QUEUE, Parameter.WIDTH),
}

HEURISTICS: dict[LabHeuristic, HeuristicFacts] = {
    LabHeuristic.ZERO: HeuristicFacts("Zero", True, True),
    LabHeuristic.HAMMING: HeuristicFacts("Hamming", True, True),
    LabHeuristic.HAMMING_BLANK: HeuristicFacts("Hamming with the blank", False, False),
    LabHeuristic.MANHATTAN: HeuristicFacts("Manhattan", True, True),
    LabHeuristic.MEAN: HeuristicFacts("Mean of Hamming and Manhattan", True, True),
    LabHeuristic.MEAN_BLANK: HeuristicFacts(
        "Mean of Hamming and Manhattan, with the blank", False, False
    ),
    LabHeuristic.SUM: HeuristicFacts("Sum of Hamming and Manhattan", False, False),
    LabHeuristic.MAXIMUM: HeuristicFacts("Maximum of Hamming and Manhattan", True, True),
    LabHeuristic.LINEAR_CONFLICT: HeuristicFacts("Linear conflict", True, True),
    LabHeuristic.WALKING_DISTANCE: HeuristicFacts("Walking distance", True, True),
    LabHeuristic.PATTERN_DATABASE: HeuristicFacts("Additive pattern databases", True, True),
    LabHeuristic.FAULTY: HeuristicFacts("Faulty |Δrow + Δcolumn|", True, True),
    LabHeuristic.HAMMING_DIAGONAL: HeuristicFacts(
        "Hamming plus |Δrow + Δcolumn|, with the blank", False, False
    ),
}
