"""What a transaction gives: the repositories over its connection."""

from __future__ import annotations

from functools import cached_property
from typing import TypeVar

from sqlalchemy import Connection

from tilework.core.storage.counters import CounterRepository
from tilework.core.storage.damage.rows import DamageRepository
from tilework.core.storage.farm.change_repository import ChangeRepository
from tilework.core.storage.farm.proofs import ProofRepository
from tilework.core.storage.farm.slices import SliceRepository
from tilework.core.storage.farm.solutions import SolutionRepository
from tilework.core.storage.farm.solve_repository import SolveRepository
from tilework.core.storage.farm.workers import WorkerRepository
from tilework.core.storage.history.entries import HistoryRepository
from tilework.core.storage.jobs.batches import BatchRepository
from tilework.core.storage.jobs.clients import ClientRepository
from tilework.core.storage.jobs.deadlines import DeadlineRepository
from tilework.core.storage.jobs.events import EventRepository
from tilework.core.storage.jobs.idempotency import IdempotencyRepository
from tilework.core.storage.jobs.job_runs import JobRunRepository
from tilework.core.storage.jobs.jobs import JobRepository
from tilework.core.storage.retention import RetentionRepository
from tilework.core.storage.statistics import StatisticsRepository
from tilework.core.storage.tasks.comparisons import ComparisonRepository
from tilework.core.storage.tasks.tasks import TaskRepository

Made = TypeVar("Made")


def _made(repository: type[Made]) -> cached_property[Made]:
    """Return an attribute that is made as it is first asked for."""
    return cached_property(lambda session: repository(session.connection))  # type: ignore[call-arg]


class Session:
    """The repositories over one connection; it lives as long as its transaction."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection

    solves = _made(SolveRepository)
    damage = _made(DamageRepository)
    solutions = _made(SolutionRepository)
    changes = _made(ChangeRepository)
    job_runs = _made(JobRunRepository)
    jobs = _made(JobRepository)
    deadlines = _made(DeadlineRepository)
    slices = _made(SliceRepository)
    proofs = _made(ProofRepository)
    workers = _made(WorkerRepository)
    events = _made(EventRepository)
    clients = _made(ClientRepository)
    batches = _made(BatchRepository)
    idempotency = _made(IdempotencyRepository)
    tasks = _made(TaskRepository)
    comparisons = _made(ComparisonRepository)
    history = _made(HistoryRepository)
    counters = _made(CounterRepository)
    statistics = _made(StatisticsRepository)
    retention = _made(RetentionRepository)
