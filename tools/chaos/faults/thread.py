"""One fault after the other, drawn from a seed, while the system works."""

from __future__ import annotations

import heapq
import random
import threading
import time
from collections.abc import Sequence
from itertools import count
from typing import Final

from tools.chaos.faults.deeds import Deeds, Undo
from tools.chaos.load.history import History
from tools.chaos.system.database import Records
from tools.chaos.system.whole import System

WEIGHTS: Final = {
    "kill-worker": 8,
    "kill-web": 3,
    "kill-broker": 2,
    "forget-broker": 1,
    "flush-broker": 1,
    "stop-worker": 1,
    "hang-broker": 1,
    "hang-database": 1,
    "delay": 1,
    "stall": 1,
    "cut": 1,
    "half-open": 1,
    "kill-backend": 2,
    "restart-database": 1,
    "damage-pdb": 1,
    "damage-row": 2,
    "poison": 1,
    "later-schema": 1,
    "later-work": 1,
    "read-only": 1,
    "full-disk": 1,
    "step-clock": 2,
}
"""Every fault there is, and how often it comes beside the others."""

_ON_POSTGRESQL: Final = ("kill-backend", "restart-database", "hang-database", "step-clock")
_ON_SQLITE: Final = ("full-disk", "read-only")
"""A disk that is full or read-only ends PostgreSQL's server, which is the fault before."""

_TICK_S: Final = 0.05


def faults_of(database: str) -> list[str]:
    """Return the names of the faults that a kind of database can have."""
    others = _ON_SQLITE if database == "postgresql" else _ON_POSTGRESQL
    return [name for name in WEIGHTS if name not in others]


class Faults(threading.Thread):
    """Does one fault after the other until it is told to stop; then it puts all right."""

    def __init__(
        self,
        system: System,
        records: Records,
        history: History,
        *,
        chosen: Sequence[str],
        every: float,
        seed: int,
    ) -> None:
        super().__init__(name="faults")
        self._history = history
        self._chosen = chosen
        self._every = every
        self._choose = random.Random(f"{seed}/faults")
        self._undoing: list[tuple[float, int, Undo]] = []
        self._numbers = count()
        self._ending = threading.Event()
        self._deeds = Deeds(system, records, history, self._choose, self._later)

    def run(self) -> None:
        due = time.monotonic() + self._pause()
        try:
            while not self._ending.wait(_TICK_S):
                self._undo(time.monotonic())
                if time.monotonic() >= due:
                    weights = [WEIGHTS[name] for name in self._chosen]
                    [name] = self._choose.choices(self._chosen, weights)
                    self._history.faults[name] += 1
                    self._history.tell(name)
                    self._deeds.do(name)
                    due = time.monotonic() + self._pause()
        except Exception as error:
            self._history.wrong(f"the faults met {error!r}")
            raise
        finally:
            while self._undoing:
                self._undo(float("inf"))
            self._deeds.close()

    def stop(self) -> None:
        self._ending.set()

    def _pause(self) -> float:
        return self._choose.uniform(0.5, 1.5) * self._every

    def _later(self, seconds: float, undo: Undo) -> None:
        heapq.heappush(self._undoing, (time.monotonic() + seconds, next(self._numbers), undo))

    def _undo(self, until: float) -> None:
        due = []
        while self._undoing and self._undoing[0][0] <= until:
            due.append(heapq.heappop(self._undoing)[2])
        # One that has to be tried again comes after the others, for which it may wait.
        for undo in due:
            undo()
            self._history.tell("something is put right")
