"""What follows from an event: one value that storage applies in one transaction, or not at all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import NamedTuple

from tilework.core.messages import Message
from tilework.core.model.jobs import Ending, Job
from tilework.core.model.solves import SearchConfig, Slice, SliceResult, Solve
from tilework.core.model.states import Queue, SliceKind, SliceState
from tilework.core.puzzle.moves import Moves


class SliceAction(Enum):
    """What becomes of the slice that an event is about."""

    KEEP = auto()
    FINISH = auto()
    """Done: a part of the proof."""
    DELETE = auto()
    """No proof rests on it."""
    RETURN = auto()
    """It waits again, or is quarantined."""


@dataclass(frozen=True, slots=True)
class SliceChange:
    """What becomes of the slice that an event is about. Where its lease is lost, nothing changes.

    ``expired``: whether the lease must have run out, instead of being held.
    ``found``: of a finished slice.
    ``state``, ``expiries``, ``message``: of a returned one.
    """

    slice: Slice
    action: SliceAction
    expired: bool = False
    found: SliceResult | None = None
    state: SliceState = SliceState.READY
    expiries: int = 0
    message: Message | None = None


class Revival(NamedTuple):
    """Parked slices wait again, as do those quarantined before a time.

    A config names its initial search; None is the search by thresholds.
    """

    config: SearchConfig | None
    priority: float
    quarantined_before: float
    queue: Queue


@dataclass(frozen=True, slots=True)
class NewSolution:
    """A better solution of the canonical board, replayed; without moves the stored one goes.

    With a count, the moves replace only that stretch of the stored solution.
    """

    moves: Moves | None
    algorithm: str | None
    first: int = 0
    count: int | None = None


@dataclass(slots=True)
class Changes:
    """What follows from an event; applied in the order of these fields.

    ``moved_jobs``: go on in the queue of long searches; their work began at ``started_at``.
    ``forgotten_from``: all slices of thresholds from this one on are deleted, done or not.
    ``drops_unfinished``: all slices that are not done are deleted.
    ``withdrawn``: their waiting initial searches are deleted.
    ``drops_trials``: waiting trials are deleted.
    ``parks``: waiting slices of the search by thresholds are parked.
    ``charged_s``: by which the clock of the client who pays advances, where others wait.
    ``split_roots``: stored as done: they were only split.
    ``added``: new slices that wait or are parked, with the seconds that each is expected to take,
        by which the client who pays is charged for turns; None where they have their turns already.
    """

    solve: Solve
    solution: NewSolution | None = None
    slice_change: SliceChange | None = None
    added_job: Job | None = None
    ended_jobs: list[Ending] = field(default_factory=list)
    started_jobs: tuple[str, ...] = ()
    moved_jobs: tuple[str, ...] = ()
    started_at: float = 0.0
    forgotten_from: int | None = None
    drops_unfinished: bool = False
    withdrawn: set[SearchConfig] = field(default_factory=set)
    drops_trials: bool = False
    parks: bool = False
    revived: list[Revival] = field(default_factory=list)
    charged_s: float = 0.0
    split_roots: list[Slice] = field(default_factory=list)
    added: list[tuple[tuple[Slice, ...], float | None]] = field(default_factory=list)


class Applied(NamedTuple):
    """What changes led to.

    ``done``: false where the lease that they rested on was lost: nothing has changed then.
    ``fresh``: where slices wait now that did not before, one for each.
    ``onward``: one that its worker goes on with.
    """

    done: bool = False
    fresh: tuple[Queue, ...] = ()
    onward: Slice | None = None


class WorkGroup(NamedTuple):
    """Unfinished slices of one kind, state and config.

    ``message`` says why one of them was quarantined; ``oldest`` is when the first of them was last
    changed.
    """

    kind: SliceKind
    state: SliceState
    config: SearchConfig
    slices: int
    message: Message | None
    oldest: float


class Snapshot(NamedTuple):
    """A locked solve; its jobs and slices are read only where a decision needs them.

    ``jobs`` reads the unfinished jobs, oldest first; ``work`` the slices that are not done, but for
    the one that the event is about; ``find_twin`` finds an unfinished job that asks for the same.
    """

    solve: Solve
    jobs: Callable[[], Sequence[Job]]
    work: Callable[[], Sequence[WorkGroup]]
    find_twin: Callable[[Job], Job | None]
