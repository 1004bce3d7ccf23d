"""One connection's repositories."""

from __future__ import annotations

from sqlalchemy import Connection

from core.storage.batches import StoredBatches
from core.storage.clients import StoredClients
from core.storage.comparisons import StoredComparisons
from core.storage.events import StoredEvents
from core.storage.idempotency import StoredIdempotency
from core.storage.jobs import StoredJobs
from core.storage.lives import StoredLives
from core.storage.proofs import StoredProofs
from core.storage.search_runs import StoredSearchRuns
from core.storage.slices import StoredSlices
from core.storage.solves import StoredSolves
from core.storage.statistics import StoredStatistics
from core.storage.workers import StoredWorkers


class StoredSession:
    """The repositories over one connection; lives as long as its transaction."""

    def __init__(self, connection: Connection) -> None:
        self.solves = StoredSolves(connection)
        self.lives = StoredLives(connection)
        self.jobs = StoredJobs(connection)
        self.slices = StoredSlices(connection)
        self.proofs = StoredProofs(connection)
        self.workers = StoredWorkers(connection)
        self.events = StoredEvents(connection)
        self.clients = StoredClients(connection)
        self.batches = StoredBatches(connection)
        self.idempotency = StoredIdempotency(connection)
        self.runs = StoredSearchRuns(connection)
        self.comparisons = StoredComparisons(connection)
        self.statistics = StoredStatistics(connection)
