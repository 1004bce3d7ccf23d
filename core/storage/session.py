"""One connection's repositories."""

from __future__ import annotations

from functools import cached_property

from sqlalchemy import Connection

from tilework.core.storage.damage.rows import StoredDamage
from tilework.core.storage.farm.lives import StoredLives
from tilework.core.storage.farm.proofs import StoredProofs
from tilework.core.storage.farm.slices import StoredSlices
from tilework.core.storage.farm.solutions import StoredSolutions
from tilework.core.storage.farm.solves import StoredSolves
from tilework.core.storage.farm.workers import StoredWorkers
from tilework.core.storage.history.entries import StoredHistory
from tilework.core.storage.jobs.batches import StoredBatches
from tilework.core.storage.jobs.clients import StoredClients
from tilework.core.storage.jobs.deadlines import StoredDeadlines
from tilework.core.storage.jobs.events import StoredEvents
from tilework.core.storage.jobs.idempotency import StoredIdempotency
from tilework.core.storage.jobs.job_runs import StoredJobRuns
from tilework.core.storage.jobs.jobs import StoredJobs
from tilework.core.storage.retention import StoredRetention
from tilework.core.storage.statistics import StoredStatistics
from tilework.core.storage.tallies import StoredTallies
from tilework.core.storage.tasks.comparisons import ComparisonRepository
from tilework.core.storage.tasks.tasks import TaskRepository


class Session:
    """The repositories over one connection, made as they are asked for.

    It lives as long as its transaction.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    @cached_property
    def solves(self) -> StoredSolves:
        """One row a canonical puzzle."""
        return StoredSolves(self._connection)

    @cached_property
    def damage(self) -> StoredDamage:
        """Damaged rows."""
        return StoredDamage(self._connection)

    @cached_property
    def solutions(self) -> StoredSolutions:
        """The best solution of each solve."""
        return StoredSolutions(self._connection)

    @cached_property
    def lives(self) -> StoredLives:
        """Where solves stand, and what was decided of them."""
        return StoredLives(self._connection)

    @cached_property
    def job_runs(self) -> StoredJobRuns:
        """Jobs that runs of the lab answer."""
        return StoredJobRuns(self._connection)

    @cached_property
    def jobs(self) -> StoredJobs:
        """One row a request."""
        return StoredJobs(self._connection)

    @cached_property
    def deadlines(self) -> StoredDeadlines:
        """When unfinished jobs end."""
        return StoredDeadlines(self._connection)

    @cached_property
    def slices(self) -> StoredSlices:
        """One row a piece of work."""
        return StoredSlices(self._connection)

    @cached_property
    def proofs(self) -> StoredProofs:
        """Done slices as the proof of a bound."""
        return StoredProofs(self._connection)

    @cached_property
    def workers(self) -> StoredWorkers:
        """Who works, and what goes on."""
        return StoredWorkers(self._connection)

    @cached_property
    def events(self) -> StoredEvents:
        """How bounds improved over time."""
        return StoredEvents(self._connection)

    @cached_property
    def clients(self) -> StoredClients:
        """Clients and their keys."""
        return StoredClients(self._connection)

    @cached_property
    def batches(self) -> StoredBatches:
        """Batches, and jobs as their lines."""
        return StoredBatches(self._connection)

    @cached_property
    def idempotency(self) -> StoredIdempotency:
        """Which request a key stands for."""
        return StoredIdempotency(self._connection)

    @cached_property
    def tasks(self) -> TaskRepository:
        """One row a run of the lab, a question or a call."""
        return TaskRepository(self._connection)

    @cached_property
    def comparisons(self) -> ComparisonRepository:
        """One row a comparison, and one for each place in it."""
        return ComparisonRepository(self._connection)

    @cached_property
    def history(self) -> StoredHistory:
        """What clients asked for, and how they call it."""
        return StoredHistory(self._connection)

    @cached_property
    def tallies(self) -> StoredTallies:
        """What went wrong and was overcome, counted."""
        return StoredTallies(self._connection)

    @cached_property
    def statistics(self) -> StoredStatistics:
        """Counts over whole tables."""
        return StoredStatistics(self._connection)

    @cached_property
    def retention(self) -> StoredRetention:
        """What is kept no longer."""
        return StoredRetention(self._connection)
