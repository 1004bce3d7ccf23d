"""The effort of a search, counted the same way by all searches."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Statistics:
    """The effort of one search, or of several together.

    Attributes
    ----------
    expanded : int
        Nodes whose successors were made.
    generated : int
        Successors made, known ones too.
    seconds : float
        Of wall time.
    max_frontier : int
        Nodes that waited at most. Of a search that keeps only its path: the path.
    """

    expanded: int = 0
    generated: int = 0
    seconds: float = 0.0
    max_frontier: int = 0

    def __add__(self, other: Statistics) -> Statistics:
        return Statistics(
            self.expanded + other.expanded,
            self.generated + other.generated,
            self.seconds + other.seconds,
            max(self.max_frontier, other.max_frontier),
        )
