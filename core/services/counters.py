"""Counters of problems from which the system recovered, shared by all processes.

A process counts in memory, whatever the state of the database, and adds its counts to the database
from time to time. Counts that were not added yet are lost with the process.
"""

from __future__ import annotations

import threading
from collections import Counter

from tilework.core.model.states import CounterName
from tilework.core.storage.database import Database


class Counters:
    """The counts of one process. Thread-safe."""

    def __init__(self, storage: Database) -> None:
        self._storage = storage
        self._lock = threading.Lock()
        self._counts: Counter[tuple[CounterName, str]] = Counter()

    def increment(self, name: CounterName, label: str) -> None:
        with self._lock:
            self._counts[name, label] += 1

    def save(self) -> None:
        """Add the counts to the database; if that raises, they are kept for the next time."""
        with self._lock:
            counts, self._counts = self._counts, Counter()
        if not counts:
            return
        try:
            with self._storage.writing() as session:
                for (name, label), count in sorted(counts.items()):
                    session.counters.add(name, label, count)
        except BaseException:
            with self._lock:
                self._counts += counts
            raise
