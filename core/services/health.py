"""Whether this system can handle requests."""

from __future__ import annotations

import logging
import shutil
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tilework.core.model.states import CounterName
from tilework.core.model.workload import WORKER_TIMEOUT_S
from tilework.core.services.ports import Tickets
from tilework.core.settings import Settings
from tilework.core.storage.database import Database

KEPT_S: Final = 1.0
"""Whether the database works is looked at no more often: it takes a write."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class HealthView:
    """Whether this system can serve, and the reasons why not.

    Attributes
    ----------
    preparing_s : float or None
        How long it takes about until a worker has compiled what larger boards need.
    """

    ready: bool
    reasons: tuple[str, ...]
    preparing_s: float | None = None


class Health:
    """Checks the database, its room, the broker, and whether waiting work is being claimed."""

    def __init__(self, storage: Database, tickets: Tickets, settings: Settings) -> None:
        self._storage = storage
        self._tickets = tickets
        self._settings = settings
        self._clock = storage.clock
        self._checking = threading.Lock()
        self._found: list[str] = []
        self._until = 0.0

    def check(self) -> HealthView:
        """Return whether all is well; an unreachable database is a reason, not an error."""
        with self._checking:
            if time.monotonic() >= self._until:
                self._found = self._database()
                self._until = time.monotonic() + KEPT_S
            found = self._found
        if found:
            return HealthView(False, tuple(found))
        waiting, preparing_s = self._work()
        reasons = self._broker() + waiting
        return HealthView(not reasons, tuple(reasons), preparing_s)

    def free_bytes(self) -> int | None:
        """Return the room on the disk of the data folder, None where that cannot be told."""
        return free_bytes(self._settings.data_dir)

    def _database(self) -> list[str]:
        try:
            if not self._storage.current():
                return ["the database has not the schema of this version"]
        except Exception as error:  # whatever a driver may raise
            _log.warning("the database does not answer: %s", error)
            return ["the database does not answer"]
        free = self.free_bytes() if self._settings.database.startswith("sqlite") else None
        if free is not None and free < self._settings.least_free_bytes:
            return ["the disk of the database is full"]
        try:
            with self._storage.writing() as session:
                session.counters.add(CounterName.PROBES, "", 1)
        except Exception as error:
            _log.warning("the database cannot be written to: %s", error)
            return ["the database cannot be written to"]
        return []

    def _broker(self) -> list[str]:
        return [] if self._tickets.arrive() else ["the broker does not answer"]

    def _work(self) -> tuple[list[str], float | None]:
        """Return what waits for too long, and for how long workers are not ready yet."""
        try:
            now = self._clock()
            with self._storage.reading() as session:
                queues = session.statistics.queues(now)
                ready_at = session.workers.ready_at(now - WORKER_TIMEOUT_S)
        except Exception as error:
            _log.warning("the database does not answer: %s", error)
            return ["the database does not answer"], None
        unclaimed = [
            f"work waits in queue {queue} and nothing claims it"
            for queue, counts in queues.items()
            if counts.oldest is not None
            and now - counts.oldest > self._settings.unclaimed_s
            and not counts.leased
        ]
        return unclaimed, None if ready_at is None else max(1.0, ready_at - now)


def free_bytes(folder: Path) -> int | None:
    """Return what this user may still write on a folder's disk; None where that cannot be told."""
    place = folder.resolve()
    while not place.exists() and place != place.parent:
        place = place.parent
    try:
        return shutil.disk_usage(place).free
    except OSError:
        return None
