"""The state of the service as its operators see it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from tilework.core.messages import Message
from tilework.core.model.states import JobState, SuspensionKind
from tilework.core.model.statistics import QueueView


@dataclass(frozen=True)
class Suspension:
    """A queue, worker or client that an operator has suspended."""

    kind: SuspensionKind
    name: str
    since: float


@dataclass(frozen=True)
class HeldWorkView:
    """Work that a worker holds: a slice, with its board and one of its jobs, or a task."""

    worker: str
    queue: str
    kind: str
    since: float
    width: int | None = None
    height: int | None = None
    job_id: str | None = None
    solve_id: str | None = None


@dataclass(frozen=True)
class WorkerView:
    """A worker and its work. Only workers of long searches report a version and a heartbeat."""

    name: str
    version: str | None
    seen_at: float | None
    preparing: bool
    suspended: bool
    work: Sequence[HeldWorkView]


@dataclass(frozen=True)
class QuarantineView:
    """The slices of a solve that are suspended because they crashed workers or failed."""

    solve_id: str
    width: int
    height: int
    slices: int
    message: Message | None
    since: float


class DatabaseState(StrEnum):
    """The state of a pattern database.

    ``requested``: an operator has requested it, and a worker will build it. ``over-budget``: it is
    missing, and does not fit into TILEWORK_PDB_BUDGET.
    """

    BUILT = "built"
    BUILDING = "building"
    REQUESTED = "requested"
    MISSING = "missing"
    OVER_BUDGET = "over-budget"
    DAMAGED = "damaged"


@dataclass(frozen=True)
class DatabaseView:
    """A pattern database; `progress` is the fraction built so far, while it is being built."""

    name: str
    bytes: int
    state: DatabaseState
    progress: float | None


@dataclass(frozen=True)
class Throughput:
    """Jobs of the last minute; ``ended`` counts those submitted in the last ten minutes."""

    submitted: int
    ended: int
    nodes_per_s: float


@dataclass(frozen=True)
class OperatorView:
    """The work of the service and what went wrong, suspensions, and pattern databases."""

    queues: Sequence[QueueView]
    workers: Sequence[WorkerView]
    jobs: Mapping[JobState, int]
    throughput: Throughput
    quarantine: Sequence[QuarantineView]
    suspensions: Sequence[Suspension]
    databases: Sequence[DatabaseView]
