"""What can happen to a solve."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tilework.core.messages import Message
from tilework.core.model.jobs import Job
from tilework.core.model.solves import Slice
from tilework.core.puzzle.moves import Moves
from tilework.core.solver.result import SearchResult, SlidesResult
from tilework.core.solver.trial import TrialOutcome
from tilework.core.solver.work_unit import SliceOutcome, WorkUnit


@dataclass(frozen=True, slots=True)
class JobSubmitted:
    """A client asks for a solution; the job may be answered at once.

    ``turn`` is where its work would stand in its queue; ``search_turn`` returns the same for the
    queue of long searches, and is called only if the work goes there.
    """

    job: Job
    priority: float
    search_priority: Callable[[], float]


@dataclass(frozen=True, slots=True)
class BoundsLearned:
    """Bounds follow from those of another board; the moves solve this one, and were replayed."""

    lower_bound: int
    moves: Moves
    algorithm: str


@dataclass(frozen=True, slots=True)
class SolutionInvalidated:
    """The stored solution does not solve the board: nothing that rests on it can be trusted.

    The lower bound is the one that is proved without any search.
    """

    lower_bound: int


@dataclass(frozen=True, slots=True)
class WorkDamaged:
    """Slices of the present work are not what they were: none of them can be trusted.

    Bounds that were proved before, and the solution, stay.
    """


@dataclass(frozen=True, slots=True)
class JobCancelled:
    """A client cancels a job."""

    job_id: str


@dataclass(frozen=True, slots=True)
class TimePassed:
    """Deadlines may have passed, and work may have been lost."""


@dataclass(frozen=True, slots=True)
class SliceStarted:
    """A slice has been worked on long enough for its jobs to be shown as running."""

    slice: Slice


@dataclass(frozen=True, slots=True)
class BoundsImproved:
    """An initial search that is still under way, begun at ``started_at``, found better bounds."""

    slice: Slice
    lower_bound: int
    moves: Moves | None
    algorithm: str
    started_at: float


@dataclass(frozen=True, slots=True)
class InitialSearchEnded:
    """An initial search has ended.

    ``threshold`` is where a search by thresholds would begin, None where there is none for this
    board; ``root`` the whole tree of a threshold.
    """

    slice: Slice
    result: SearchResult
    threshold: int | None
    root: WorkUnit
    started_at: float
    seconds: float


@dataclass(frozen=True, slots=True)
class SlideSearchEnded:
    """A search for few slides has ended."""

    slice: Slice
    result: SlidesResult
    started_at: float
    seconds: float


@dataclass(frozen=True, slots=True)
class SearchSliceEnded:
    """A slice of search has ended, and what remains of it is split for others.

    ``outcome``: what remains may be in several pieces; the first is where the search stands.
    ``seconds``: wall time of the work.
    ``short``: pieces that the farm is short of, to be kept in reserve.
    ``tree``: splits the whole tree of a threshold into at most this many pieces.
    ``workers``: of the farm, as far as is known.
    """

    slice: Slice
    outcome: SliceOutcome
    seconds: float
    short: int
    tree: Callable[[int], Sequence[WorkUnit]]
    workers: int = 0


@dataclass(frozen=True, slots=True)
class ProofChecked:
    """The record of a threshold's search was checked.

    ``bound`` is what it proves, None where the check was stopped; ``fault`` what is wrong with it:
    then it proves nothing, and the whole tree, ``root``, is searched again.
    """

    slice: Slice
    bound: int | None
    fault: Message | None
    root: WorkUnit


@dataclass(frozen=True, slots=True)
class Share:
    """What a solve's trials get of the farm.

    ``pace`` is the part of its time that each gets of a worker, for which others may wait;
    ``workers`` how many the farm has, 0 where that is not known.
    """

    pace: float
    workers: int


ALL = Share(1.0, 0)


@dataclass(frozen=True, slots=True)
class TrialEnded:
    """A try at a shorter solution has ended."""

    slice: Slice
    outcome: TrialOutcome
    seconds: float
    share: Share


@dataclass(frozen=True, slots=True)
class WorkersIdle:
    """While a trial is under way, so many workers have nothing to do: they may make others."""

    slice: Slice
    count: int
    share: Share


@dataclass(frozen=True, slots=True)
class LeaseLost:
    """A slice's lease ran out: its worker died, or hangs."""

    slice: Slice


@dataclass(frozen=True, slots=True)
class SliceFailed:
    """The work on a slice raised an exception."""

    slice: Slice
    message: Message


@dataclass(frozen=True, slots=True)
class SliceSplit:
    """A slice that may crash its workers was split in two; None where that is not possible."""

    slice: Slice
    halves: tuple[WorkUnit, WorkUnit] | None


SliceEvent = (
    SliceStarted
    | BoundsImproved
    | InitialSearchEnded
    | SlideSearchEnded
    | SearchSliceEnded
    | ProofChecked
    | TrialEnded
    | WorkersIdle
    | LeaseLost
    | SliceFailed
    | SliceSplit
)
"""Events that only the holder of a slice's lease, or whoever revokes it, may report."""

Event = (
    SliceEvent
    | JobSubmitted
    | BoundsLearned
    | SolutionInvalidated
    | WorkDamaged
    | JobCancelled
    | TimePassed
)
