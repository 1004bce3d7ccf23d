"""The events that can happen to a solve."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from tilework.core.messages import Message
from tilework.core.model.farm.solves import Slice
from tilework.core.model.farm.workload import FarmState
from tilework.core.model.jobs import Job
from tilework.core.puzzle.moves import Moves
from tilework.core.search.limits import Statistics
from tilework.core.solver.result import SearchResult, SliceOutcome, WorkUnit
from tilework.core.solver.trial import TrialOutcome


@dataclass(frozen=True, slots=True)
class JobSubmitted:
    """A client requests a solution, which may be known already.

    ``priority``: the priority of its work in its queue; lower values go first.
    ``search_priority``: returns the priority in the queue of long searches; called only if needed.
    """

    job: Job
    priority: float
    search_priority: Callable[[], float]


@dataclass(frozen=True, slots=True)
class BoundsLearned:
    """Bounds derived from another board; the moves were replayed on this one."""

    lower_bound: int
    moves: Moves
    algorithm: str


@dataclass(frozen=True, slots=True)
class SolutionInvalidated:
    """The row of the solve is damaged or its bounds are wrong, so its results are not trusted.

    ``lower_bound`` is the bound proven without any search.
    """

    lower_bound: int


@dataclass(frozen=True, slots=True)
class WorkDamaged:
    """Slices of the current work are damaged. Proven bounds and the solution are still valid."""


@dataclass(frozen=True, slots=True)
class JobCancelled:
    """A client cancels a job."""

    job_id: str


@dataclass(frozen=True, slots=True)
class TimePassed:
    """Deadlines may have passed, and work may have been lost."""


@dataclass(frozen=True, slots=True)
class SliceEvent:
    """Reported by the holder of a slice's lease, or by the process that revokes the lease.

    ``effort``: nodes and seconds since the slice's previous event. The solve adds them up.
    """

    slice: Slice
    effort: Statistics = field(default=Statistics(), kw_only=True)


@dataclass(frozen=True, slots=True)
class SliceRunning(SliceEvent):
    """A slice, begun at ``started_at``, has run long enough to show its jobs as running."""

    started_at: float


@dataclass(frozen=True, slots=True)
class BoundsImproved(SliceEvent):
    """An initial search that started at ``started_at`` found better bounds and continues."""

    result: SearchResult
    started_at: float


@dataclass(frozen=True, slots=True)
class InitialSearchEnded(SliceEvent):
    """An initial search has ended.

    ``threshold``: the first threshold of a search by thresholds; None if none follows.
    ``root``: the whole tree of a threshold.
    ``seconds``: the duration of the whole slice.
    """

    result: SearchResult
    threshold: int | None
    root: WorkUnit
    started_at: float
    seconds: float


@dataclass(frozen=True, slots=True)
class SearchSliceEnded(SliceEvent):
    """A slice of a threshold search has ended, and its remainder was split for other workers.

    ``outcome``: the remainder may be in several parts; the search stopped in the first one.
    ``seconds``: wall time of the work.
    ``missing_parts``: how many more parts the farm needs in reserve.
    ``tree``: splits the whole tree of a threshold into at most this many parts.
    ``workers``: number of workers with a heartbeat; 0 if unknown.
    """

    outcome: SliceOutcome
    seconds: float
    missing_parts: int
    tree: Callable[[int], Sequence[WorkUnit]]
    workers: int = 0


@dataclass(frozen=True, slots=True)
class ProofChecked(SliceEvent):
    """The record of a threshold's search was checked.

    ``bound``: the lower bound that it claims to prove; None if the check was stopped.
    ``error``: the error in the record, if any; then the whole tree, ``root``, is searched again.
    ``seconds``: of the repeated searches.
    """

    bound: int | None
    error: Message | None
    root: WorkUnit
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class TrialEnded(SliceEvent):
    """A trial, an attempt to find a shorter solution, has ended."""

    outcome: TrialOutcome
    seconds: float
    farm: FarmState


@dataclass(frozen=True, slots=True)
class WorkersIdle(SliceEvent):
    """While a trial runs, ``count`` workers have nothing to do and could run more trials."""

    count: int
    farm: FarmState


@dataclass(frozen=True, slots=True)
class LeaseLost(SliceEvent):
    """The lease of a slice expired: its worker died or hangs."""


@dataclass(frozen=True, slots=True)
class SliceFailed(SliceEvent):
    """The work on a slice raised an exception."""

    message: Message


@dataclass(frozen=True, slots=True)
class SliceSplit(SliceEvent):
    """A slice that may crash its workers was split; ``halves`` is None if that was impossible."""

    halves: tuple[WorkUnit, WorkUnit] | None


Event = (
    SliceEvent
    | JobSubmitted
    | BoundsLearned
    | SolutionInvalidated
    | WorkDamaged
    | JobCancelled
    | TimePassed
)
