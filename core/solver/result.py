"""Results of searches, in moves and in slides."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from tilework.core.puzzle.metric import BoundProof, Metric
from tilework.core.puzzle.moves import MoveSequence
from tilework.core.search.limits import Statistics, StopReason


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The bounds that a search proved, and the best solution that it found."""

    lower_bound: int  # proven: no solution is shorter
    moves: MoveSequence | None  # the best solution; replayed before it is stored or shown
    algorithm: str
    statistics: Statistics = field(default_factory=Statistics)
    stopped_by: StopReason | None = None  # None if the search completed
    bound_proof: BoundProof = BoundProof.SEARCH  # what proves the lower bound
    engine: str | None = None  # of A* or IDA*

    @property
    def metric(self) -> Metric:
        return Metric.MOVES

    @property
    def upper_bound(self) -> int | None:
        return None if self.moves is None else self.metric.length(self.moves)

    @property
    def optimal(self) -> bool:
        return self.upper_bound == self.lower_bound


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a running search."""

    lower_bound: int
    upper_bound: int | None
    nodes: int
    seconds: float


# Called with the bounds and the effort so far, and a shorter solution that is not yet replayed
SolutionListener = Callable[[SearchResult], None]

ProgressListener = Callable[[Progress], None]


class SearchedThreshold(NamedTuple):
    """A threshold, in slides, whose tree was exhausted without a solution."""

    threshold: int
    nodes: int  # boards generated; depends only on the board and the tables
    seconds: float
    next: int  # minimum f above the threshold: no solution has fewer slides


@dataclass(frozen=True, slots=True)
class SlidesResult(SearchResult):
    """The best solution and bounds in slides."""

    # The proof of the lower bound, threshold by threshold; empty if the estimate proves it
    thresholds: tuple[SearchedThreshold, ...] = ()

    @property
    def metric(self) -> Metric:
        return Metric.SLIDES

    @property
    def slides(self) -> int | None:
        return self.upper_bound
