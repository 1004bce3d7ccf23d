"""The state of the service as its operators see it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

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
class WorkView:
    """Work that a worker holds: a slice, with its board and one of its jobs, or a task."""

    worker: str
    queue: str
    kind: str
    since: float
    width: int | None = None
    height: int | None = None
    job_id: str | None = None


@dataclass(frozen=True)
class WorkerView:
    """A worker and its work. Only workers of long searches report a version and a heartbeat."""

    name: str
    version: str | None
    seen_at: float | None
    preparing: bool
    suspended: bool
    work: Sequence[WorkView]


@dataclass(frozen=True)
class QuarantineView:
    """The slices of a solve that are suspended because they crashed workers or failed."""

    solve_id: str
    width: int
    height: int
    slices: int
    message: Message | None
    since: float


@dataclass(frozen=True)
class Throughput:
    """Jobs of the last minute; ``ended`` counts those submitted in the last ten minutes."""

    submitted: int
    ended: int
    nodes_per_s: float


@dataclass(frozen=True)
class OperatorView:
    """Queues, workers, jobs by state, throughput, quarantined work and suspensions."""

    queues: Sequence[QueueView]
    workers: Sequence[WorkerView]
    jobs: Mapping[JobState, int]
    throughput: Throughput
    quarantine: Sequence[QuarantineView]
    suspensions: Sequence[Suspension]
