"""Sends tickets in a thread, so that no request waits for the broker."""

from __future__ import annotations

import threading
from collections import Counter

from tilework.core.services.tickets import Tickets


class TicketSender:
    """Sends tickets asynchronously. Thread-safe."""

    def __init__(self, tickets: Tickets) -> None:
        self._tickets = tickets
        self._pending: Counter[str] = Counter()
        self._added = threading.Condition()
        self._thread: threading.Thread | None = None

    def send(self, queue: str, count: int = 1) -> None:
        """Send tickets to a queue as soon as the previous ones have been sent."""
        with self._added:
            self._pending[queue] += count
            if self._thread is None:
                # Started on first use, because threads do not survive a fork.
                self._thread = threading.Thread(target=self._run, name="tickets", daemon=True)
                self._thread.start()
            self._added.notify()

    def depth(self, queue: str) -> int | None:
        return self._tickets.depth(queue)

    def is_available(self) -> bool:
        return self._tickets.is_available()

    def _run(self) -> None:
        while True:
            with self._added:
                while not self._pending:
                    self._added.wait()
                pending, self._pending = self._pending, Counter()
            for queue, count in pending.items():
                self._tickets.send(queue, count)
