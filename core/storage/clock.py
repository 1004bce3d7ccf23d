"""One clock for all hosts: the database's.

Leases and deadlines are written by one host and read by another. A host whose own clock is wrong
must neither take what others hold nor end what others wait for, so no wall clock of a host is used.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from contextlib import suppress

Clock = Callable[[], float]
"""Epoch seconds. The database's, so that all hosts agree: never a host's own."""

MEASURE_EVERY_S = 10.0
"""Between two readings the process's own monotonic clock extrapolates.

It drifts by some milliseconds a minute at worst, and stands still while its host sleeps.
"""

WORTH_TELLING_S = 2.0
"""How far a host's wall clock may be off before its log says so."""

_log = logging.getLogger(__name__)


class DatabaseClock:
    """The database's time in epoch seconds.

    ``read``: asks the database for its time; may raise anything. While it does, the last reading is
        extrapolated.

    Notes
    -----
    A reading is off by at most the time it took; of the last few, that is milliseconds.
    """

    def __init__(self, read: Callable[[], float]) -> None:
        self._read = read
        self._offset: float | None = None
        self._due = 0.0
        self._told = False
        self._reading = threading.Lock()

    def __call__(self) -> float:
        """Return the database's time, in seconds since 1970.

        Raises whatever the driver raises if the database has never answered yet.
        """
        if self._offset is None:
            with self._reading:
                if self._offset is None:
                    self._measure()
        elif time.monotonic() >= self._due and self._reading.acquire(blocking=False):
            try:
                with suppress(Exception):  # an unreachable database is reported elsewhere
                    self._measure()
            finally:
                self._due = time.monotonic() + MEASURE_EVERY_S
                self._reading.release()
        return time.monotonic() + (self._offset or 0.0)

    @property
    def skew_s(self) -> float:
        """Seconds by which this host's wall clock is ahead of the database's."""
        return time.time() - self()

    def _measure(self) -> None:
        before = time.monotonic()
        told = self._read()
        after = time.monotonic()
        self._offset = told - (before + after) / 2
        self._due = after + MEASURE_EVERY_S
        skew = time.time() - after - self._offset
        if abs(skew) >= WORTH_TELLING_S and not self._told:
            _log.warning(
                "this host's clock is %.1f s %s the database's; the database's is used",
                abs(skew),
                "ahead of" if skew > 0 else "behind",
            )
        self._told = abs(skew) >= WORTH_TELLING_S
