"""Health checks of the system, and counters of problems from which it recovered."""

from __future__ import annotations

import shutil
import threading
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tilework.core.errors import SchemaError
from tilework.core.logs import FailureLog
from tilework.core.model.farm.workload import WORKER_TIMEOUT_S
from tilework.core.model.states import CounterName
from tilework.core.services.tickets import Tickets
from tilework.core.settings import Settings
from tilework.core.storage.database import Database

CACHE_S: Final = 1.0
"""Minimum time between two checks of the database, because a check writes to it."""

LEAST_FREE_BYTES: Final = 32 * 2**20
"""Free space on the disk of a SQLite database below which the service is not ready."""

UNCLAIMED_S: Final = 30.0
"""Waiting time of work that nothing claims, after which the service is not ready."""


@dataclass(frozen=True)
class HealthView:
    """Whether the system is ready, and if not, why.

    ``preparing_s``: approximate time until a worker has compiled the kernels of larger boards.
    """

    ready: bool
    reasons: tuple[str, ...]
    preparing_s: float | None = None


class Health:
    """Checks the database, its disk space, the broker, and whether workers claim waiting work."""

    def __init__(self, storage: Database, tickets: Tickets, settings: Settings) -> None:
        self._storage = storage
        self._tickets = tickets
        self._settings = settings
        self._clock = storage.clock
        self._failures = FailureLog("checking the database")
        self._lock = threading.Lock()
        self._problems: list[str] = []
        self._valid_until = 0.0

    def check(self) -> HealthView:
        """Return the state of the system; an unreachable database is a reason, not an error."""
        with self._lock:
            if time.monotonic() >= self._valid_until:
                self._problems = self._check_database()
                self._valid_until = time.monotonic() + CACHE_S
            problems = self._problems
        if problems:
            return HealthView(False, tuple(problems))
        reasons, preparing_s = self._check_queues()
        if (remedy := self._tickets.find_problem()) is not None:
            reasons.insert(0, f"the broker does not answer; {remedy}")
        return HealthView(not reasons, tuple(reasons), preparing_s)

    def free_bytes(self) -> int | None:
        """Return the free space on the disk of a SQLite database, or of the data folder.

        None if it is unknown.
        """
        return free_bytes(self._settings.database_folder or self._settings.data_dir)

    def _check_database(self) -> list[str]:
        try:
            self._storage.check_schema()
        except SchemaError as error:
            return [str(error)]
        except Exception as error:  # drivers raise various exceptions
            self._failures.fail(str(error))
            return ["the database does not answer"]
        free = self.free_bytes() if self._settings.database_folder else None
        if free is not None and free < LEAST_FREE_BYTES:
            return ["the disk of the database is full"]
        try:
            with self._storage.writing() as session:
                session.operation.add_to_counter(CounterName.PROBES, "", 1)
        except Exception as error:
            self._failures.fail(str(error))
            return ["the database cannot be written to"]
        self._failures.succeed()
        return []

    def _check_queues(self) -> tuple[list[str], float | None]:
        """Return reasons for queues that wait too long, and the time until workers are ready."""
        try:
            now = self._clock()
            with self._storage.reading() as session:
                queues = session.operation.queues(now)
                suspended = session.operation.suspended_queues()
                ready_at = session.workers.ready_at(now - WORKER_TIMEOUT_S)
        except Exception as error:
            self._failures.fail(str(error))
            return ["the database does not answer"], None
        unclaimed = [
            f"work waits in queue {queue} and nothing claims it"
            for queue, counts in queues.items()
            if counts.oldest is not None
            and now - counts.oldest > UNCLAIMED_S
            and not counts.leased
            and queue not in suspended
        ]
        return unclaimed, None if ready_at is None else max(1.0, ready_at - now)


def free_bytes(folder: Path) -> int | None:
    """Return the space that this user can write on a folder's disk; None if unknown."""
    path = folder.resolve()
    while not path.exists() and path != path.parent:
        path = path.parent
    try:
        return shutil.disk_usage(path).free
    except OSError:
        return None


class Counters:
    """The counts of one process. Thread-safe.

    A process counts in memory, whatever the state of the database, and adds its counts to the
    database from time to time. Counts that were not added yet are lost with the process.
    """

    def __init__(self, storage: Database) -> None:
        self._storage = storage
        self._lock = threading.Lock()
        self._counts: Counter[tuple[CounterName, str]] = Counter()

    def increment(self, name: CounterName, label: str) -> None:
        with self._lock:
            self._counts[name, label] += 1

    def save(self) -> None:
        """Add the counts to the database; if that raises, they are kept for the next time."""
        with self._lock:
            counts, self._counts = self._counts, Counter()
        if not counts:
            return
        try:
            with self._storage.writing() as session:
                for (name, label), count in sorted(counts.items()):
                    session.operation.add_to_counter(name, label, count)
        except BaseException:
            with self._lock:
                self._counts += counts
            raise
