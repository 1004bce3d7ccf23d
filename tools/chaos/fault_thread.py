"""Inject one random fault after another while the system works."""

from __future__ import annotations

import heapq
import random
import threading
import time
from collections.abc import Sequence
from itertools import count
from typing import Final

from tools.chaos.fault_actions import FAULTS, FaultActions, Undo
from tools.chaos.history import History
from tools.chaos.system.records import Records
from tools.chaos.system.system import System

_TICK_S: Final = 0.05


class FaultThread(threading.Thread):
    """Injects one fault after another until it is stopped; then undoes all of them."""

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
        self._undos: list[tuple[float, int, Undo]] = []
        self._numbers = count()
        self._stopping = threading.Event()
        self._actions = FaultActions(system, records, history, self._choose, self._undo_later)

    def run(self) -> None:
        due = time.monotonic() + self._pause()
        try:
            while not self._stopping.wait(_TICK_S):
                self._undo(time.monotonic())
                if time.monotonic() >= due:
                    weights = [FAULTS[name].weight for name in self._chosen]
                    [name] = self._choose.choices(self._chosen, weights)
                    self._history.faults[name] += 1
                    self._history.log(name)
                    FAULTS[name].inject(self._actions)
                    due = time.monotonic() + self._pause()
        except Exception as error:
            self._history.add_error(f"the fault thread raised {error!r}")
            raise
        finally:
            while self._undos:
                self._undo(float("inf"))
            self._actions.close()

    def stop(self) -> None:
        self._stopping.set()

    def _pause(self) -> float:
        return self._choose.uniform(0.5, 1.5) * self._every

    def _undo_later(self, seconds: float, undo: Undo) -> None:
        heapq.heappush(self._undos, (time.monotonic() + seconds, next(self._numbers), undo))

    def _undo(self, until: float) -> None:
        due = []
        while self._undos and self._undos[0][0] <= until:
            due.append(heapq.heappop(self._undos)[2])
        # An undo that must be retried comes after the others, which it may depend on.
        for undo in due:
            undo()
            self._history.log("a fault is undone")
