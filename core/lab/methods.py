"""The lab's algorithms and heuristics with their guarantees, and methods, which combine them.

The web server uses them without loading the searches.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from tilework.core.arguments import check_choice
from tilework.core.errors import OptionError

RUN_MEMORY_BYTES: Final = 512 << 20  # for the nodes of a run, unless another limit is given


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


# The names of the heuristics in the program that `a-star-replace` reproduces
PUBLISHED_NAMES: dict[str, str] = {
    LabHeuristic.HAMMING_BLANK: "h1",
    LabHeuristic.MANHATTAN: "h2",
    LabHeuristic.MEAN_BLANK: "h3",
}
_BY_PUBLISHED_NAME: Final = {
    alias: LabHeuristic(heuristic) for heuristic, alias in PUBLISHED_NAMES.items()
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


DEFAULT_HEURISTIC = LabHeuristic.MANHATTAN
DEFAULT_WEIGHT = 2.0
MAX_WEIGHT = 100.0
DEFAULT_WIDTH = 100
MAX_WIDTH = 100_000


@dataclass(frozen=True, slots=True)
class Method:
    """An algorithm with its heuristic and parameter; create it with `Method.of`."""

    algorithm: LabAlgorithm
    heuristic: LabHeuristic | None = None  # None if the algorithm uses none
    weight: float | None = None  # from 1 to 100; only for weighted A*
    width: int | None = None  # from 1 to 100,000; only for beam search

    @classmethod
    def of(
        cls,
        algorithm: str,
        heuristic: str | None = None,
        weight: float | None = None,
        width: int | None = None,
    ) -> Method:
        """Check the names and numbers, and apply defaults."""
        name = check_choice(algorithm, LabAlgorithm)
        facts = ALGORITHMS[name]
        heuristic_name = None if heuristic is None else _parse_heuristic(heuristic)
        if heuristic_name is not None and not facts.informed:
            raise OptionError(
                "heuristic-unused",
                "{algorithm} uses no heuristic; omit {heuristic!r}",
                algorithm=name,
                heuristic=heuristic,
            )
        if weight is not None and facts.parameter is not Parameter.WEIGHT:
            raise OptionError(
                "weight-unused",
                "{algorithm} takes no weight; omit {weight:g}",
                algorithm=name,
                weight=weight,
            )
        if width is not None and facts.parameter is not Parameter.WIDTH:
            raise OptionError(
                "width-unused",
                "{algorithm} takes no width; omit {width}",
                algorithm=name,
                width=width,
            )
        if weight is not None and not 1 <= weight <= MAX_WEIGHT:
            raise OptionError(
                "weight",
                "invalid weight {weight:g}; use 1 to {max:g}",
                weight=weight,
                max=MAX_WEIGHT,
            )
        if width is not None and not 1 <= width <= MAX_WIDTH:
            raise OptionError(
                "beam-width",
                "invalid width {width}; use 1 to {max}",
                width=str(width)[:40],
                max=MAX_WIDTH,
            )
        return cls(
            name,
            (heuristic_name or DEFAULT_HEURISTIC) if facts.informed else None,
            (weight or DEFAULT_WEIGHT) if facts.parameter is Parameter.WEIGHT else None,
            (width or DEFAULT_WIDTH) if facts.parameter is Parameter.WIDTH else None,
        )

    @classmethod
    def from_text(cls, text: str) -> Method:
        """Parse the form of `text`: ``a-star:manhattan``, ``beam:manhattan:50``."""
        name, *parts = text.strip().split(":")
        if len(parts) > 2:
            raise OptionError(
                "method",
                "{text!r} is not a method; write one like a-star:manhattan",
                text=text[:60],
            )
        if not parts and name in PUBLISHED_NAMES.values():
            return cls.of(PUBLISHED, name)
        facts = ALGORITHMS[check_choice(name, LabAlgorithm)]
        heuristic = parts[0] if parts else None
        if len(parts) < 2:
            return cls.of(name, heuristic)
        number = _parse_number(parts[1])
        if facts.parameter is Parameter.WIDTH:
            if number != int(number):
                raise OptionError(
                    "fractional-width", "invalid width {width:g}; use a whole number", width=number
                )
            return cls.of(name, heuristic, width=int(number))
        return cls.of(name, heuristic, weight=number)

    @property
    def text(self) -> str:
        parts: list[str] = [self.algorithm]
        if self.heuristic is not None:
            parts.append(self.heuristic)
        if self.weight is not None:
            parts.append(format_number(self.weight))
        if self.width is not None:
            parts.append(str(self.width))
        return ":".join(parts)

    @property
    def title(self) -> str:
        """The English title, such as ``Weighted A* · Manhattan · 2``."""
        return " · ".join(self.title_parts)

    @property
    def title_parts(self) -> list[str]:
        parts = [ALGORITHMS[self.algorithm].title]
        if self.heuristic is not None:
            parts.append(HEURISTICS[self.heuristic].title)
        if self.weight is not None:
            parts.append(format_number(self.weight))
        if self.width is not None:
            parts.append(str(self.width))
        return parts

    @property
    def guarantees_optimum(self) -> bool:
        """Whether solutions found by the algorithm with this heuristic are shortest."""
        guarantee = ALGORITHMS[self.algorithm].optimal
        if self.heuristic is None or guarantee in (Guarantee.ALWAYS, Guarantee.NEVER):
            return guarantee is Guarantee.ALWAYS
        facts = HEURISTICS[self.heuristic]
        return facts.consistent if guarantee is Guarantee.CONSISTENT else facts.admissible


def _parse_heuristic(name: str) -> LabHeuristic:
    return _BY_PUBLISHED_NAME.get(name) or check_choice(name, LabHeuristic)


def _parse_number(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise OptionError(
            "number", "{text!r} is not a number; write one like 2 or 1.5", text=text[:40]
        )
    return number


def format_number(number: float) -> str:
    """Return all digits of a number, without a fraction if it is whole."""
    return repr(number).removesuffix(".0")


# The methods compared by default, fast ones first
DEFAULT_METHODS = tuple(
    Method.from_text(text)
    for text in (
        "a-star:manhattan",
        "a-star:linear-conflict",
        "a-star:hamming",
        "ida-star:manhattan",
        "greedy:manhattan",
        "weighted-a-star:manhattan:2",
        "beam:manhattan:100",
        "bidirectional",
        "breadth-first",
        "depth-first",
    )
)


def pair_methods(algorithms: Sequence[str], heuristics: Sequence[str] = ()) -> tuple[Method, ...]:
    """Pair every algorithm with every heuristic; an uninformed algorithm appears once."""
    names = [_parse_heuristic(name) for name in heuristics] or [DEFAULT_HEURISTIC]
    methods = []
    for algorithm in algorithms:
        is_informed = ALGORITHMS[check_choice(algorithm, LabAlgorithm)].informed
        methods += [Method.of(algorithm, name) for name in (names if is_informed else [None])]
    return tuple(dict.fromkeys(methods))


def proven_length(runs: Iterable[tuple[Method, int | None]]) -> int | None:
    """Return the optimal length of a board if the method of one of its runs guarantees it."""
    return next(
        (length for method, length in runs if length is not None and method.guarantees_optimum),
        None,
    )


def is_optimal(method: Method, length: int | None, optimum: int | None) -> bool | None:
    """Return whether a method's solution is shortest; None if unknown."""
    if length is None:
        return None
    if method.guarantees_optimum:
        return True
    return None if optimum is None else length == optimum
