"""States, queues and counters."""

from __future__ import annotations

from enum import StrEnum


class JobState(StrEnum):
    """``queued → running → …``; the other five states are final."""

    QUEUED = "queued"
    RUNNING = "running"
    OPTIMAL = "optimal"
    BOUNDED = "bounded"
    CANCELLED = "cancelled"
    EXPIRED = "expired"
    FAILED = "failed"

    @property
    def terminal(self) -> bool:
        """Whether the state is final."""
        return self not in ACTIVE_JOB_STATES


ACTIVE_JOB_STATES = (JobState.QUEUED, JobState.RUNNING)


class Priority(StrEnum):
    """The order in which a client's own jobs are searched."""

    LOW = "low"
    NORMAL = "normal"
    HIGH = "high"

    @property
    def rank(self) -> int:
        """A number for comparisons: 0 is normal, and larger numbers go first."""
        return _RANKS[self]

    @classmethod
    def from_rank(cls, rank: int) -> Priority:
        return _PRIORITIES[rank]


_RANKS = {Priority.LOW: -1, Priority.NORMAL: 0, Priority.HIGH: 1}
_PRIORITIES = {rank: priority for priority, rank in _RANKS.items()}


class SolveState(StrEnum):
    """The shared work on one canonical puzzle.

    ``idle``: without unfinished jobs. ``active``: with unfinished jobs. ``settled``: the bounds are
    equal.
    """

    IDLE = "idle"
    ACTIVE = "active"
    SETTLED = "settled"


class SliceKind(StrEnum):
    """The kinds of slices.

    ``initial``: the initial search with a configuration, up to the search by thresholds.
    ``search``: a part of one threshold's tree, given by its cursor; the proof needs all of them.
    ``improve``: a trial to find a shorter solution, with the width in its cursor.
    ``check``: checks whether the record of a threshold's search proves the bound in its cursor.
    """

    INITIAL = "initial"
    SEARCH = "search"
    IMPROVE = "improve"
    CHECK = "check"

    @property
    def proves(self) -> bool:
        """Whether it is part of the search by thresholds."""
        return self in (SliceKind.SEARCH, SliceKind.CHECK)


class SliceState(StrEnum):
    """The states of a slice.

    ``parked``: without unfinished jobs; the cursor is stored.
    ``quarantined``: suspended for an hour because it crashed or failed repeatedly.
    """

    READY = "ready"
    LEASED = "leased"
    DONE = "done"
    PARKED = "parked"
    QUARANTINED = "quarantined"


class RunState(StrEnum):
    """The states of a task. The last three are final; a run stopped by a limit is ``done``."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def ended(self) -> bool:
        """Whether the state is final."""
        return self not in (RunState.QUEUED, RunState.RUNNING)


class Queue(StrEnum):
    """The queues. ``interactive`` and ``quick-analysis`` work takes less than two seconds."""

    INTERACTIVE = "interactive"
    QUICK_ANALYSIS = "quick-analysis"
    BATCH = "batch"
    ANALYSIS = "analysis"
    LAB = "lab"
    SEARCH = "search"


TASK_QUEUES = (Queue.QUICK_ANALYSIS, Queue.ANALYSIS, Queue.LAB)
"""The queues of tasks. The others contain slices."""


class SuspensionKind(StrEnum):
    """What an operator can suspend.

    ``queue``: its work waits. ``worker``: it stores its current work and takes no more. ``client``:
    it can submit nothing.
    """

    QUEUE = "queue"
    WORKER = "worker"
    CLIENT = "client"


class CounterName(StrEnum):
    """The counters of incidents.

    ``foreign-messages``: rejected messages in the broker, by queue.
    ``restarts``: crashed processes, by name.
    ``damaged-solves``: solves that started again because their stored data was damaged.
    ``probes``: test writes of the health check.
    """

    FOREIGN_MESSAGES = "foreign-messages"
    RESTARTS = "restarts"
    DAMAGED_SOLVES = "damaged-solves"
    PROBES = "probes"
