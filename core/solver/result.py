"""What every search returns, whatever the algorithm."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from tilework.core.formats.bound_proof import BoundProof
from tilework.core.puzzle.metric import Metric
from tilework.core.puzzle.moves import Moves
from tilework.core.search.limits import StopReason
from tilework.core.search.statistics import Statistics


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The bounds a search proved and the best solution it found.

    Attributes
    ----------
    lower_bound : int
        No solution is shorter; proved.
    moves : Moves or None
        The best solution. It is replayed before it is stored, and before it is shown.
    stopped_by : StopReason or None
        None where the search ended by itself.
    bound_proof : BoundProof
        What proves the lower bound.
    """

    lower_bound: int
    moves: Moves | None
    algorithm: str
    statistics: Statistics = field(default_factory=Statistics)
    stopped_by: StopReason | None = None
    bound_proof: BoundProof = BoundProof.SEARCH

    @property
    def metric(self) -> Metric:
        """What the bounds count."""
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


FoundListener = Callable[[int, Moves, str], None]
"""Called with a lower bound, a better solution, not replayed yet, and what found it."""

ProgressListener = Callable[[Progress], None]
