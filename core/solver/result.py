"""Results of searches, in moves and in slides, and of their parts."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

from tilework.core.puzzle.metric import BoundProof, Metric
from tilework.core.puzzle.moves import Moves, MoveSequence
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


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of one search for a short solution."""

    moves: Moves | None  # a solution, not replayed; None if none was found
    nodes: int  # number of nodes generated
    seconds: float  # wall time
    stopped_by: StopReason | None  # None if the search completed
    width_share: float = 1.0  # mean width of a staged beam, relative to its planned width


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


_SOLVER = Path(__file__).parent
_FOLDERS = ("heuristics", "kernels", "optimal", "pdb", "slides")


@lru_cache(maxsize=1)
def engine_version() -> str:
    """Return the version of the package and a digest of the sources of the search."""
    digest = hashlib.sha256()
    for folder in _FOLDERS:
        for source in sorted((_SOLVER / folder).rglob("*.py")):
            digest.update(source.relative_to(_SOLVER).as_posix().encode() + source.read_bytes())
    return f"tilework {version('tilework')}, sources {digest.hexdigest()[:12]}"


@dataclass(frozen=True, slots=True)
class WorkUnit:
    """A part of a threshold's tree that has not been searched yet."""

    cursor: bytes
    share: float  # of the threshold's tree, 0 to 1


@dataclass(frozen=True, slots=True)
class SliceOutcome:
    """The outcome of searching a slice."""

    nodes: int  # number of nodes generated
    # Minimum f above the threshold; None if no node was pruned. Once a threshold is exhausted, the
    # minimum over all its slices is the next lower bound.
    next_threshold: int | None
    moves: Moves | None  # a path to the goal of at most `threshold` moves, which ends the slice
    # Remaining work if the budget ran out or the slice was cancelled
    remaining: tuple[WorkUnit, ...]
    engine: str  # name of the engine; see `tilework.core.solver.optimal.engines`
