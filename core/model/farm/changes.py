"""The changes that follow from an event. Storage applies them in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import NamedTuple, Self

from tilework.core.messages import Message
from tilework.core.model.farm.solves import SearchConfig, Slice, SliceResult, Solve
from tilework.core.model.jobs import Ending, Job
from tilework.core.model.states import Queue, SliceKind, SliceState
from tilework.core.puzzle.moves import MoveSequence


class SliceAction(Enum):
    """The change of the slice that an event reports."""

    KEEP = auto()
    FINISH = auto()
    """It is done and part of the proof."""
    DELETE = auto()
    """No proof depends on it."""
    RETURN = auto()
    """It waits again, or is quarantined."""


@dataclass(frozen=True, slots=True)
class SliceChange:
    """The change of the event's slice. If its lease is lost, nothing changes.

    ``expired``: whether the lease must have expired; otherwise it must still be valid.
    ``result``: for a finished slice, or with further nodes of a kept one.
    ``state``, ``expiries``, ``message``: for a returned slice.
    """

    slice: Slice
    action: SliceAction
    expired: bool = False
    result: SliceResult | None = None
    state: SliceState = SliceState.READY
    expiries: int = 0
    message: Message | None = None


class Revival(NamedTuple):
    """Parked slices, and those quarantined before a given time, become ready.

    ``config``: the config of the initial search; None for the search by thresholds.
    """

    config: SearchConfig | None
    priority: float
    quarantined_before: float
    queue: Queue


@dataclass(frozen=True, slots=True)
class NewSolution:
    """A better, replayed solution of the canonical board. Without moves, the stored one is deleted.

    With a count, the moves replace only that segment of the stored solution.
    """

    moves: MoveSequence | None
    algorithm: str | None
    first: int = 0
    count: int | None = None


class NewSlices(NamedTuple):
    """Waiting or parked slices to add.

    ``cost_s``: expected seconds of each, by which the paying client is charged for priorities; None
        if they have their priorities already.
    ``wait_s``: seconds of the client's other work that come first; None to be next.
    """

    slices: tuple[Slice, ...]
    cost_s: float | None = None
    wait_s: float | None = None


@dataclass(slots=True)
class Changes:
    """The changes that follow from an event, applied in the order of these fields.

    ``moved_jobs``: continue in the queue of long searches, started at ``started_at``.
    ``deleted_from``: all slices of this and higher thresholds are deleted.
    ``drops_unfinished``: all unfinished slices are deleted.
    ``withdrawn``: the waiting initial searches of these configs are deleted.
    ``drops_trials``: waiting trials are deleted.
    ``parks``: waiting slices of the search by thresholds are parked.
    ``expedited``: the waiting initial search of this config moves from the queue of batches to that
        of single boards, with this priority.
    ``charged_s``: seconds charged to the paying client if others wait.
    ``split_roots``: stored as done, because they were only split.
    """

    solve: Solve
    solution: NewSolution | None = None
    slice_change: SliceChange | None = None
    added_job: Job | None = None
    ended_jobs: list[Ending] = field(default_factory=list)
    started_jobs: tuple[str, ...] = ()
    moved_jobs: tuple[str, ...] = ()
    started_at: float = 0.0
    deleted_from: int | None = None
    drops_unfinished: bool = False
    withdrawn: set[SearchConfig] = field(default_factory=set)
    drops_trials: bool = False
    parks: bool = False
    revivals: list[Revival] = field(default_factory=list)
    expedited: tuple[SearchConfig, float] | None = None
    charged_s: float = 0.0
    split_roots: list[Slice] = field(default_factory=list)
    added: list[NewSlices] = field(default_factory=list)


class Applied(NamedTuple):
    """The outcome of applying changes.

    ``is_applied``: False if the lease was lost, so that nothing was changed.
    ``ready_queues``: the queue of each slice that has become ready.
    ``next_slice``: the slice with which the worker continues.
    """

    is_applied: bool = False
    ready_queues: tuple[Queue, ...] = ()
    next_slice: Slice | None = None


class WorkGroup(NamedTuple):
    """Unfinished slices of one kind, state and config.

    ``message``: why one of them was quarantined.
    ``oldest``: the earliest time of their last changes.
    """

    kind: SliceKind
    state: SliceState
    config: SearchConfig
    slices: int
    message: Message | None
    oldest: float

    @classmethod
    def from_slices(cls, slices: Sequence[Slice], now: float) -> Self:
        first = slices[0]
        return cls(first.kind, first.state, first.config, len(slices), None, now)

    @property
    def is_waiting_proof(self) -> bool:
        """Whether these are waiting slices of the search by thresholds, or its checks."""
        return self.kind.proves and self.state is SliceState.READY

    @property
    def is_quarantined(self) -> bool:
        return self.state is SliceState.QUARANTINED


class Snapshot(NamedTuple):
    """A locked solve; its jobs and slices are read only if a decision needs them.

    ``jobs``: reads the unfinished jobs, oldest first.
    ``work``: reads the unfinished slices, without that of the event.
    ``find_twin``: finds an unfinished job with the same request.
    """

    solve: Solve
    jobs: Callable[[], Sequence[Job]]
    work: Callable[[], Sequence[WorkGroup]]
    find_twin: Callable[[Job], Job | None]

    @classmethod
    def of_new(cls, solve: Solve) -> Self:
        """Return the snapshot of a solve that has no jobs and no work yet."""
        return cls(solve, list, list, lambda _job: None)
