"""One connection's repositories."""

from __future__ import annotations

from sqlalchemy import Connection

from core.storage.damage.rows import StoredDamage
from core.storage.farm.lives import StoredLives
from core.storage.farm.proofs import StoredProofs
from core.storage.farm.slices import StoredSlices
from core.storage.farm.solutions import StoredSolutions
from core.storage.farm.solves import StoredSolves
from core.storage.farm.workers import StoredWorkers
from core.storage.jobs.batches import StoredBatches
from core.storage.jobs.callbacks import StoredCallbacks
from core.storage.jobs.clients import StoredClients
from core.storage.jobs.events import StoredEvents
from core.storage.jobs.idempotency import StoredIdempotency
from core.storage.jobs.jobs import StoredJobs
from core.storage.lab.comparisons import StoredComparisons
from core.storage.lab.runs import StoredSearchRuns
from core.storage.retention import StoredRetention
from core.storage.statistics import StoredStatistics
from core.storage.tallies import StoredTallies


class StoredSession:
    """The repositories over one connection; lives as long as its transaction."""

    def __init__(self, connection: Connection) -> None:
        self.solves = StoredSolves(connection)
        self.damage = StoredDamage(connection)
        self.solutions = StoredSolutions(connection)
        self.lives = StoredLives(connection)
        self.jobs = StoredJobs(connection)
        self.slices = StoredSlices(connection)
        self.proofs = StoredProofs(connection)
        self.workers = StoredWorkers(connection)
        self.callbacks = StoredCallbacks(connection)
        self.events = StoredEvents(connection)
        self.clients = StoredClients(connection)
        self.batches = StoredBatches(connection)
        self.idempotency = StoredIdempotency(connection)
        self.runs = StoredSearchRuns(connection)
        self.comparisons = StoredComparisons(connection)
        self.tallies = StoredTallies(connection)
        self.statistics = StoredStatistics(connection)
        self.retention = StoredRetention(connection)
