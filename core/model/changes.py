"""What follows from an event, for the storage to apply in order, all or nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from tilework.core.messages import Message
from tilework.core.model.jobs import Ending, Job
from tilework.core.model.solves import Course, Found, Slice, Solve
from tilework.core.model.states import Queue, SliceKind, SliceState
from tilework.core.puzzle.moves import Moves


@dataclass(frozen=True, slots=True)
class Keep:
    """Go on only where the slice's lease is still held."""

    piece: Slice


@dataclass(frozen=True, slots=True)
class Finish:
    """Mark a slice done, as a part of the proof. Only its holder can."""

    piece: Slice
    found: Found


@dataclass(frozen=True, slots=True)
class Drop:
    """Delete a slice that no proof rests on. Only its holder can."""

    piece: Slice


@dataclass(frozen=True, slots=True)
class Return:
    """Take a slice from its holder, to wait again or to be quarantined. Only its holder can."""

    piece: Slice
    state: SliceState
    expiries: int
    message: Message | None = None


@dataclass(frozen=True, slots=True)
class Overdue:
    """Go on only where the slice's lease has run out and was not renewed meanwhile."""

    piece: Slice


SliceEnd = Keep | Overdue | Finish | Drop | Return
"""The first effect of a slice's event: where the lease is lost, none of the others follows."""


@dataclass(frozen=True, slots=True)
class AddJob:
    """Store a job, which may have ended already."""

    job: Job


@dataclass(frozen=True, slots=True)
class EndJob:
    """Give a job its last state."""

    ending: Ending


@dataclass(frozen=True, slots=True)
class StartJobs:
    """Turn queued jobs into running ones."""

    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MoveJobs:
    """Let jobs that have started go on in another queue."""

    ids: tuple[str, ...]
    queue: Queue
    started_at: float


@dataclass(frozen=True, slots=True)
class AddSlices:
    """Add slices that wait, or are parked.

    Attributes
    ----------
    cost_s : float or None
        Seconds that each is expected to take, by which the client who pays for the solve is charged
        for turns; None where the slices already have their turns.
    """

    slices: tuple[Slice, ...]
    cost_s: float | None = None


@dataclass(frozen=True, slots=True)
class Charge:
    """Advance the clock of the client who pays for the solve, where others wait."""

    seconds: float


@dataclass(frozen=True, slots=True)
class AddProof:
    """Add a slice that was only split: it is done, and the root of those that follow."""

    piece: Slice


@dataclass(frozen=True, slots=True)
class Revive:
    """Let parked slices wait again, and quarantined ones that have rested long enough.

    Attributes
    ----------
    course : Course or None
        Openings of this course; None for the search by thresholds.
    rested_before : float
        Those that were quarantined by this time.
    queue : Queue
        Where they wait.
    """

    course: Course | None
    turn: float
    rested_before: float
    queue: Queue


@dataclass(frozen=True, slots=True)
class Park:
    """Park the waiting slices of the search by thresholds: nobody asks for them."""


@dataclass(frozen=True, slots=True)
class Withdraw:
    """Delete the waiting openings of courses that nobody asks for."""

    courses: tuple[Course, ...]


@dataclass(frozen=True, slots=True)
class DropTrials:
    """Delete the waiting tries at a shorter solution: nobody asks for one."""


@dataclass(frozen=True, slots=True)
class DropUnfinished:
    """Delete every slice that is not done."""


@dataclass(frozen=True, slots=True)
class Forget:
    """Delete the slices of thresholds from one on, done or not."""

    threshold: int


Effect = (
    SliceEnd
    | AddJob
    | EndJob
    | StartJobs
    | MoveJobs
    | AddSlices
    | Charge
    | AddProof
    | Revive
    | Park
    | Withdraw
    | DropTrials
    | DropUnfinished
    | Forget
)


@dataclass(frozen=True, slots=True)
class Solution:
    """A better solution of the canonical board, replayed; None discards the stored one."""

    moves: Moves | None
    algorithm: str | None


@dataclass(frozen=True, slots=True)
class Splice:
    """A shorter way for a stretch of the stored solution, between the same boards.

    Attributes
    ----------
    first, count : int
        The stretch.
    moves : Moves
        Take its place.
    """

    first: int
    count: int
    moves: Moves
    algorithm: str


@dataclass(frozen=True, slots=True)
class Decision:
    """What follows from an event.

    Attributes
    ----------
    solve : Solve
        As it is from now on.
    solution : Solution, Splice or None
        Where the stored one changes.
    """

    solve: Solve
    effects: tuple[Effect, ...]
    solution: Solution | Splice | None = None


@dataclass(frozen=True, slots=True)
class Applied:
    """What a decision led to.

    Attributes
    ----------
    done : bool
        False where the lease that it rested on was lost: nothing has changed then.
    fresh : tuple of Queue
        Where slices wait now that did not before, one for each.
    onward : Slice or None
        One that its worker goes on with.
    """

    done: bool = False
    fresh: tuple[Queue, ...] = ()
    onward: Slice | None = None


def pending_after(pending: int, effect: Effect) -> int:
    """Return how many slices of search are not done after an effect, by their number before."""
    match effect:
        case AddSlices():
            return pending + sum(one.kind is SliceKind.SEARCH for one in effect.slices)
        case Finish():
            return pending - 1
        case DropUnfinished() | Forget():
            return 0
    return pending


@dataclass(frozen=True, slots=True)
class WorkGroup:
    """Unfinished slices of one kind, state and course.

    Attributes
    ----------
    message : Message or None
        Why one of them was quarantined.
    oldest : float
        Epoch seconds at which the first of them was last changed.
    """

    kind: SliceKind
    state: SliceState
    course: Course
    count: int
    message: Message | None
    oldest: float


class Situation(Protocol):
    """A locked solve; jobs and slices are read only where a decision needs them."""

    @property
    def solve(self) -> Solve:
        """The solve, locked."""

    @property
    def jobs(self) -> Sequence[Job]:
        """Its unfinished jobs, oldest first."""

    @property
    def work(self) -> Sequence[WorkGroup]:
        """Its slices that are not done, but for the one that the event is about."""

    def twin_of(self, job: Job) -> Job | None:
        """One of the unfinished jobs that asks for the same, found without reading them all."""
