"""Leases decide which worker may report the end of a slice or a task.

A claim stores its owner and its end, and increments the attempts. Every later change compares owner
and attempts, so that neither a late worker nor a reconciler with outdated rows can change a row
after its lease was lost.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Lease:
    """A claim to a row; ``attempts`` distinguishes it from earlier and later claims."""

    id: str
    owner: str
    attempts: int


@dataclass(frozen=True, slots=True)
class Holder:
    """The owner of leases, and their end in epoch seconds."""

    owner: str
    until: float


@contextmanager
def hold_leases(
    check: Callable[[], float], renew: Callable[[], None], *, lease_s: float, first_pause_s: float
) -> Iterator[None]:
    """Renew leases in a thread until the end of the block, because searches block their own.

    ``check``: checks the leases; returns the seconds until the next check.
    ``renew``: called whenever a third of the lease has passed.
    ``lease_s``, ``first_pause_s``: duration of a lease, and the time of the first check.
    """
    stop = threading.Event()

    def run() -> None:
        # The host's clock only sets the interval; timestamps come from the database.
        renewed_at = time.monotonic()
        pause = first_pause_s
        while not stop.wait(pause):
            try:
                pause = check()
                if time.monotonic() - renewed_at > lease_s / 3:
                    renew()
                    renewed_at = time.monotonic()
            except Exception:  # drivers raise various exceptions; the next check tries again
                _log.warning("leases could not be checked or renewed", exc_info=True)

    thread = threading.Thread(target=run, name="lease-renewer", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()
