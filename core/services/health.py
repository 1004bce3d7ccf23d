"""Whether this system can handle requests."""

from __future__ import annotations

import logging

from core.services.jobs.views import HealthView
from core.services.ports import Storage
from core.settings import Settings

_log = logging.getLogger(__name__)


class Health:
    """Checks the database, its schema, and whether waiting work is being claimed."""

    def __init__(self, storage: Storage, settings: Settings) -> None:
        self._storage = storage
        self._settings = settings
        self._clock = storage.clock

    def check(self) -> HealthView:
        """Return whether all is well; an unreachable database is a reason, not an error."""
        try:
            if not self._storage.current():
                return HealthView(False, ("the database has not the schema of this version",))
            now = self._clock()
            with self._storage.reading() as session:
                queues = session.statistics.queues(now)
        except Exception:  # whatever a driver may raise
            _log.warning("the database does not answer", exc_info=True)
            return HealthView(False, ("the database does not answer",))
        reasons = tuple(
            f"work waits in queue {queue} and nothing claims it"
            for queue, counts in queues.items()
            if counts.oldest is not None
            and now - counts.oldest > self._settings.unclaimed_s
            and not counts.leased
        )
        return HealthView(not reasons, reasons)
