"""Looking after a run's lease while it runs.

A thread does it: the search holds the worker's own thread for seconds.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from core.services.lab.records import RunLease
from core.services.ports import Storage

# Seconds between two looks at the database; a run that is done by then costs none.
TICK_S = 0.4

_log = logging.getLogger(__name__)


class RunHold:
    """One run's lease.

    Parameters
    ----------
    lease_s : float
        How long the lease lasts unless it is renewed, in seconds.
    """

    def __init__(self, storage: Storage, lease_s: float, lease: RunLease) -> None:
        self._storage = storage
        self._clock = storage.clock
        self._lease_s = lease_s
        self._lease = lease
        self._over = threading.Event()
        self._lost = threading.Event()

    @property
    def lost(self) -> bool:
        """Whether nobody asks for the run any more, or somebody else has taken it over."""
        return self._lost.is_set()

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Look after the lease until the end of the block."""
        thread = threading.Thread(target=self._keep, name="lab-keeper", daemon=True)
        thread.start()
        try:
            yield
        finally:
            self._over.set()
            thread.join()

    def _keep(self) -> None:
        renewed = self._clock()
        while not self._over.wait(TICK_S):
            try:
                renewed = self._tick(renewed)
            except Exception:  # whatever a driver may raise: the next tick tries again
                _log.warning("a run's lease could not be looked after", exc_info=True)

    def _tick(self, renewed: float) -> float:
        now = self._clock()
        with self._storage.reading() as session:
            if not session.runs.held(self._lease):
                self._lost.set()
                return renewed
        if now - renewed <= self._lease_s / 3:
            return renewed
        with self._storage.writing() as session:
            session.runs.renew(self._lease, now + self._lease_s)
        return now
