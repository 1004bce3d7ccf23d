"""The state of the service: statistics, and what its operators see."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from pydantic import Field, computed_field

from tilework.core.model.states import CounterName, JobState, Queue, SuspensionKind
from tilework.core.model.views import Seconds, Text, View


@dataclass(frozen=True, slots=True)
class QueueCounts:
    """Waiting work, leased work, and the time since which the oldest work has been waiting."""

    ready: int
    leased: int
    oldest: float | None


class QueueView(View):
    """A queue: the work that is ready or leased, and the tickets in the broker."""

    name: Queue
    ready: int
    leased: int
    oldest_wait_s: float
    tickets: int | None = Field(description="null if the broker does not answer.")
    suspended: bool = Field(description="Whether an operator has suspended the queue.")


@dataclass(frozen=True)
class SizeStatistics:
    """What is known about the boards of one size."""

    width: int
    height: int
    puzzles: int
    solved: int
    optimal: int
    longest: Annotated[int | None, Field(description="The length of the longest one.")]
    best_ratio: Annotated[
        float | None,
        Field(
            description="The smallest ratio of length to lower bound among the solutions that are "
            "not proven optimal. null for up to 16 cells.",
            examples=[1.21],
        ),
    ]
    mean_ratio: Annotated[
        float | None,
        Field(
            description="The mean ratio of length to lower bound among those solutions.",
            examples=[1.38],
        ),
    ]


class StatisticsView(View):
    """Stored jobs and puzzles, and current activity."""

    jobs: Mapping[JobState, int]
    cached_jobs: int
    nodes: int
    seconds: float
    nodes_per_s: float = Field(
        description="Nodes per second over the last few seconds, summed over all long searches "
        "and workers."
    )
    workers: int = Field(description="The number of workers that take long searches.")
    quarantined: int = Field(
        description="The number of slices that are suspended because they crashed workers."
    )
    sizes: tuple[SizeStatistics, ...]
    counters: Mapping[tuple[CounterName, str], int] = Field(exclude=True)
    """The number of incidents by kind and label."""

    @computed_field  # type: ignore[prop-decorator]
    @property
    def total_jobs(self) -> int:
        """The number of all stored jobs; old ones are deleted."""
        return sum(self.jobs.values())

    @computed_field  # type: ignore[prop-decorator]
    @property
    def foreign_messages(self) -> int:
        """The messages in the broker that were rejected as not sent by this service."""
        return self._sum(CounterName.FOREIGN_MESSAGES)

    @computed_field  # type: ignore[prop-decorator]
    @property
    def restarts(self) -> int:
        """The number of processes that crashed and were restarted."""
        return self._sum(CounterName.RESTARTS)

    @computed_field  # type: ignore[prop-decorator]
    @property
    def damaged_solves(self) -> int:
        """The number of searches that started again because their stored data was damaged."""
        return self._sum(CounterName.DAMAGED_SOLVES)

    def _sum(self, counter: CounterName) -> int:
        return sum(count for (name, _label), count in self.counters.items() if name is counter)


@dataclass(frozen=True)
class Suspension:
    """A queue, worker or client that an operator has suspended."""

    kind: SuspensionKind
    name: str
    since: Seconds


@dataclass(frozen=True)
class HeldWorkView:
    """Work that a worker is doing: a slice of a search, or a task."""

    worker: str
    queue: str
    kind: str
    since: Seconds
    width: Annotated[int | None, Field(description="The columns of the board.")] = None
    height: Annotated[int | None, Field(description="The rows of the board.")] = None
    job_id: Annotated[
        str | None, Field(description="An unfinished job that the search serves. null for tasks.")
    ] = None
    solve_id: Annotated[str | None, Field(exclude=True)] = None


@dataclass(frozen=True)
class WorkerView:
    """A worker and what it is doing."""

    name: str
    version: Annotated[
        str | None, Field(description="null for workers that take no long searches.")
    ]
    seen_at: Seconds | None
    preparing: Annotated[bool, Field(description="Whether it is still compiling its search code.")]
    suspended: bool
    work: Sequence[HeldWorkView]


@dataclass(frozen=True)
class QuarantineView:
    """The work of a solve that is suspended because it crashed workers or failed repeatedly."""

    solve_id: str
    width: int
    height: int
    slices: int
    message: Text
    since: Seconds


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
    """A pattern database in the folder of the web process."""

    name: Annotated[str, Field(examples=["5x5-6-6-6-6"])]
    bytes: int
    state: DatabaseState
    progress: Annotated[
        float | None,
        Field(description="The fraction built so far, from 0 to 1, while it is being built."),
    ]


@dataclass(frozen=True)
class Throughput:
    """What the service did in the last minute."""

    submitted: Annotated[int, Field(description="The number of jobs submitted.")]
    ended: Annotated[
        int,
        Field(
            description="The number of jobs that ended, of those submitted in the last ten minutes."
        ),
    ]
    nodes_per_s: float


class OperatorView(View):
    """The state of the service for its operators."""

    queues: Sequence[QueueView]
    workers: Sequence[WorkerView]
    jobs: Mapping[JobState, int]
    throughput: Throughput
    quarantine: Sequence[QuarantineView]
    suspensions: Sequence[Suspension]
    databases: Sequence[DatabaseView]
