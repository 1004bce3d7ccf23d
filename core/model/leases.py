"""Leases: who may say how a piece of work ended, for slices and for tasks alike.

A claim writes its owner, a time after which it is over, and one attempt more. Whatever the holder
does later compares all three, so that nobody changes a row after losing its lease: neither a late
worker nor a reconciler that has read outdated rows.
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
    """A claim to one row; ``attempts`` tells it from the claims before and after."""

    id: str
    owner: str
    attempts: int


@dataclass(frozen=True, slots=True)
class Holder:
    """Who holds leases, and until when in epoch seconds."""

    owner: str
    until: float


@contextmanager
def hold_leases(
    look: Callable[[], float], renew: Callable[[], None], *, lease_s: float, first_pause_s: float
) -> Iterator[None]:
    """Look after leases in a thread until the end of the block: searches hold their own.

    Parameters
    ----------
    look : callable
        Checks the leases; returns the seconds until it is called again.
    renew : callable
        Called whenever a third of the lease is over.
    lease_s, first_pause_s : float
        How long a lease lasts, and when to look first.
    """
    over = threading.Event()

    def keep() -> None:
        # The host's own clock only sets the pace; timestamps are the database's.
        renewed = time.monotonic()
        pause = first_pause_s
        while not over.wait(pause):
            try:
                pause = look()
                if time.monotonic() - renewed > lease_s / 3:
                    renew()
                    renewed = time.monotonic()
            except Exception:  # whatever a driver may raise: the next look tries again
                _log.warning("leases could not be checked or renewed", exc_info=True)

    thread = threading.Thread(target=keep, name="lease-renewer", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
