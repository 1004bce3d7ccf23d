"""Counting what went wrong and was overcome, for all processes together.

A process notes what happens at once and whatever happens to the database; from time to time it adds
its counts to the database's. What was noted and not added yet is lost with the process.
"""

from __future__ import annotations

import threading
from collections import Counter

from tilework.core.model.states import CounterName
from tilework.core.storage.database import Database


class Counters:
    """The counts of one process; for use by any number of threads."""

    def __init__(self, storage: Database) -> None:
        self._storage = storage
        self._lock = threading.Lock()
        self._noted: Counter[tuple[CounterName, str]] = Counter()

    def note(self, name: CounterName, label: str) -> None:
        """Count one more."""
        with self._lock:
            self._noted[name, label] += 1

    def save(self) -> None:
        """Add what was noted to the storage; may raise whatever that raises, and loses nothing."""
        with self._lock:
            noted, self._noted = self._noted, Counter()
        if not noted:
            return
        try:
            with self._storage.writing() as session:
                for (name, label), count in sorted(noted.items()):
                    session.counters.add(name, label, count)
        except BaseException:
            with self._lock:
                self._noted += noted
            raise
