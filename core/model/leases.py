"""Leases decide which worker may report the end of a slice or a task.

A claim stores its owner and its end, and increments the attempts. Every later change compares owner
and attempts, so that neither a late worker nor a reconciler with outdated rows can change a row
after its lease was lost.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from tilework.core.logs import FailureLog

IDLE_S = 5.0
"""How long a thread without leases is kept (seconds)."""

_failures = FailureLog("renewing leases")


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


class HeldLeases:
    """Leases to check and renew.

    ``check``: checks the leases; returns the seconds until the next check.
    ``renew``: called whenever a third of the lease has passed.
    ``lease_s``, ``first_pause_s``: duration of a lease, and the time of the first check.
    """

    def __init__(
        self,
        check: Callable[[], float],
        renew: Callable[[], None],
        *,
        lease_s: float,
        first_pause_s: float,
    ) -> None:
        self._check = check
        self._renew = renew
        self._lease_s = lease_s
        # The host's clock only sets the interval; timestamps come from the database.
        self._renewed_at = time.monotonic()
        self._pause = first_pause_s
        self.due = self._renewed_at + first_pause_s
        self._lock = threading.Lock()
        self._has_ended = False

    def check(self) -> None:
        with self._lock:
            if self._has_ended:
                return
            try:
                self._pause = self._check()
                if time.monotonic() - self._renewed_at > self._lease_s / 3:
                    self._renew()
                    self._renewed_at = time.monotonic()
            except Exception as error:  # drivers raise various exceptions
                _failures.fail(error)
            else:
                _failures.succeed()
            self.due = time.monotonic() + self._pause

    def end(self) -> None:
        """Wait for a check under way, and prevent further ones."""
        with self._lock:
            self._has_ended = True


class LeaseThread:
    """Checks and renews leases in a thread, because searches block their own.

    The thread is kept for a while: starting one takes longer than solving a small board.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._held: list[HeldLeases] = []
        self._wakes_at = math.inf
        self._thread: threading.Thread | None = None

    @contextmanager
    def hold(self, leases: HeldLeases) -> Iterator[None]:
        """Renew leases until the end of the block."""
        with self._changed:
            self._held.append(leases)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="leases", daemon=True)
                self._thread.start()
            elif leases.due < self._wakes_at:
                self._changed.notify()
        try:
            yield
        finally:
            with self._changed:
                self._held.remove(leases)
            leases.end()

    def _run(self) -> None:
        while True:
            with self._changed:
                is_idle = not self._held
                self._wakes_at = min((leases.due for leases in self._held), default=math.inf)
                pause = IDLE_S if is_idle else self._wakes_at - time.monotonic()
                is_new = pause > 0 and self._changed.wait(pause)
                if is_idle and not is_new and not self._held:
                    self._thread = None
                    return
                now = time.monotonic()
                due = [leases for leases in self._held if leases.due <= now]
            for leases in due:
                leases.check()
