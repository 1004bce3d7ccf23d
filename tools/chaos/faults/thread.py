"""One fault after the other, drawn from a seed, while the system works."""

from __future__ import annotations

import heapq
import random
import threading
import time
from collections.abc import Sequence
from itertools import count
from typing import Final

from tools.chaos.faults.deeds import FAULTS, Deeds, Undo
from tools.chaos.load.history import History
from tools.chaos.system.database import Records
from tools.chaos.system.whole import System

_TICK_S: Final = 0.05


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
                    weights = [FAULTS[name].weight for name in self._chosen]
                    [name] = self._choose.choices(self._chosen, weights)
                    self._history.faults[name] += 1
                    self._history.tell(name)
                    FAULTS[name].do(self._deeds)
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
