"""Sending tickets from a thread of its own, for a process whose requests must not wait.

A request only notes that a queue has new work. While one ticket is on its way, the notes of other
requests are collected, and one more ticket stands for all of them: the busier the web, the fewer
tickets per job. Notes that are lost when the process dies are made up for by the reconciler.
"""

from __future__ import annotations

import threading
from collections import Counter

from tilework.core.services.ports import Tickets


class Messenger:
    """Tickets that are sent a moment later; for use by any number of threads.

    Parameters
    ----------
    tickets : Tickets
        Sends them; must not raise.
    """

    def __init__(self, tickets: Tickets) -> None:
        self._tickets = tickets
        self._noted: Counter[str] = Counter()
        self._news = threading.Condition()
        self._thread: threading.Thread | None = None

    def send(self, queue: str, count: int = 1) -> None:
        """Note that a queue has work; a ticket leaves as soon as the one before has."""
        with self._news:
            self._noted[queue] += count
            if self._thread is None:
                # Not before the first use: a thread does not live on in a forked child.
                self._thread = threading.Thread(target=self._run, name="messenger", daemon=True)
                self._thread.start()
            self._news.notify()

    def depth(self, queue: str) -> int | None:
        """Tickets waiting in a queue; None if the broker does not answer."""
        return self._tickets.depth(queue)

    def arrive(self) -> bool:
        """Whether the broker answers."""
        return self._tickets.arrive()

    def _run(self) -> None:
        while True:
            with self._news:
                while not self._noted:
                    self._news.wait()
                noted, self._noted = self._noted, Counter()
            for queue, count in noted.items():
                self._tickets.send(queue, count)
