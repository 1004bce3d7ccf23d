"""A session: the repositories of one connection."""

from __future__ import annotations

from functools import cached_property
from typing import TypeVar

from sqlalchemy import Connection

from tilework.core.storage.comparisons import ComparisonRepository
from tilework.core.storage.counters import CounterRepository
from tilework.core.storage.farm.change_repository import ChangeRepository
from tilework.core.storage.farm.damage import DamageRepository
from tilework.core.storage.farm.proofs import ProofRepository
from tilework.core.storage.farm.slices import SliceRepository
from tilework.core.storage.farm.solutions import SolutionRepository
from tilework.core.storage.farm.solve_repository import SolveRepository
from tilework.core.storage.farm.workers import WorkerRepository
from tilework.core.storage.history.entries import HistoryRepository
from tilework.core.storage.jobs.batches import BatchRepository
from tilework.core.storage.jobs.clients import ClientRepository
from tilework.core.storage.jobs.events import EventRepository
from tilework.core.storage.jobs.jobs import JobRepository
from tilework.core.storage.jobs.priorities import PriorityRepository
from tilework.core.storage.jobs.views import JobViewRepository
from tilework.core.storage.operation import OperationRepository
from tilework.core.storage.retention import RetentionRepository
from tilework.core.storage.statistics import StatisticsRepository
from tilework.core.storage.tasks import TaskRepository

Repo = TypeVar("Repo")


def _lazy(repository: type[Repo]) -> cached_property[Repo]:
    """Return an attribute that is created at its first use."""
    return cached_property(lambda session: repository(session.connection))  # type: ignore[call-arg]


class Session:
    """The repositories of one connection, for the duration of a transaction."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection

    solves = _lazy(SolveRepository)
    damage = _lazy(DamageRepository)
    solutions = _lazy(SolutionRepository)
    changes = _lazy(ChangeRepository)
    jobs = _lazy(JobRepository)
    priorities = _lazy(PriorityRepository)
    job_views = _lazy(JobViewRepository)
    slices = _lazy(SliceRepository)
    proofs = _lazy(ProofRepository)
    workers = _lazy(WorkerRepository)
    events = _lazy(EventRepository)
    clients = _lazy(ClientRepository)
    batches = _lazy(BatchRepository)
    tasks = _lazy(TaskRepository)
    comparisons = _lazy(ComparisonRepository)
    history = _lazy(HistoryRepository)
    operation = _lazy(OperationRepository)
    counters = _lazy(CounterRepository)
    statistics = _lazy(StatisticsRepository)
    retention = _lazy(RetentionRepository)
