"""A session: the repositories of one connection."""

from __future__ import annotations

from functools import cached_property
from typing import TypeVar

from sqlalchemy import Connection

from tilework.core.storage.batches import BatchRepository
from tilework.core.storage.clients import ClientRepository
from tilework.core.storage.comparisons import ComparisonRepository
from tilework.core.storage.events import EventRepository
from tilework.core.storage.job_views import JobViewRepository
from tilework.core.storage.jobs import JobRepository
from tilework.core.storage.operation import OperationRepository
from tilework.core.storage.retention import RetentionRepository
from tilework.core.storage.slices import SliceRepository
from tilework.core.storage.solutions import SolutionRepository
from tilework.core.storage.solves import SolveRepository
from tilework.core.storage.tasks import TaskRepository
from tilework.core.storage.workers import WorkerRepository

Repo = TypeVar("Repo")


def _lazy(repository: type[Repo]) -> cached_property[Repo]:
    """Return an attribute that is created at its first use."""
    return cached_property(lambda session: repository(session.connection))  # type: ignore[call-arg]


class Session:
    """The repositories of one connection, for the duration of a transaction."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection

    solves = _lazy(SolveRepository)
    solutions = _lazy(SolutionRepository)
    slices = _lazy(SliceRepository)
    events = _lazy(EventRepository)
    jobs = _lazy(JobRepository)
    job_views = _lazy(JobViewRepository)
    batches = _lazy(BatchRepository)
    clients = _lazy(ClientRepository)
    tasks = _lazy(TaskRepository)
    comparisons = _lazy(ComparisonRepository)
    workers = _lazy(WorkerRepository)
    operation = _lazy(OperationRepository)
    retention = _lazy(RetentionRepository)
