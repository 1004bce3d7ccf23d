"""What a search for few slides returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from tilework.core.puzzle.metric import Metric
from tilework.core.solver.result import SearchResult


class SearchedThreshold(NamedTuple):
    """A threshold, in slides, under which there is no solution: its tree was searched completely.

    Attributes
    ----------
    nodes : int
        Boards generated. The board and the tables decide the number, so that anybody who searches
        again comes to the same.
    next : int
        Least f over the threshold: no solution has fewer slides.
    """

    threshold: int
    nodes: int
    seconds: float
    next: int


@dataclass(frozen=True, slots=True)
class SlidesResult(SearchResult):
    """The best solution by slides, and what is proved of it: its bounds are numbers of slides.

    Attributes
    ----------
    thresholds : tuple of SearchedThreshold
        What proves the lower bound, each from the one before; none where the search did not go
        beyond its estimate.
    """

    thresholds: tuple[SearchedThreshold, ...] = ()

    @property
    def metric(self) -> Metric:
        return Metric.SLIDES

    @property
    def slides(self) -> int | None:
        """Slides of the solution."""
        return self.upper_bound
