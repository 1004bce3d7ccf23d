"""What searches prove and find, by moves and by slides."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from tilework.core.puzzle.metric import BoundProof, Metric
from tilework.core.puzzle.moves import Moves
from tilework.core.search.limits import Statistics, StopReason


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The bounds a search proved and the best solution it found."""

    lower_bound: int  # no solution is shorter; proved
    # The best solution. It is replayed before it is stored, and before it is shown.
    moves: Moves | None
    algorithm: str
    statistics: Statistics = field(default_factory=Statistics)
    stopped_by: StopReason | None = None  # None where the search ended by itself
    bound_proof: BoundProof = BoundProof.SEARCH  # what proves the lower bound

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
    """Where a running search stands, for a progress line."""

    lower_bound: int
    upper_bound: int | None
    nodes: int
    seconds: float


# Called with a lower bound, a better solution, not replayed yet, and what found it
FoundListener = Callable[[int, Moves, str], None]

ProgressListener = Callable[[Progress], None]


class SearchedThreshold(NamedTuple):
    """A threshold, in slides, whose tree was searched completely without a solution."""

    threshold: int
    # Boards generated. The board and the tables decide the number, so that anybody who searches
    # again comes to the same.
    nodes: int
    seconds: float
    next: int  # least f over the threshold: no solution has fewer slides


@dataclass(frozen=True, slots=True)
class SlidesResult(SearchResult):
    """The best solution by slides, and what is proved of it: its bounds are numbers of slides."""

    # What proves the lower bound, each from the one before; None where the search did not go beyond
    # its estimate
    thresholds: tuple[SearchedThreshold, ...] = ()

    @property
    def metric(self) -> Metric:
        return Metric.SLIDES

    @property
    def slides(self) -> int | None:
        return self.upper_bound
