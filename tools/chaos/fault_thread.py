"""Injects one random fault after another while the system works."""

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
    """Injects one fault after another until it is stopped, and then undoes all of them."""

    def __init__(
        self,
        system: System,
        records: Records,
        history: History,
        *,
        fault_names: Sequence[str],
        interval_s: float,
        seed: int,
    ) -> None:
        super().__init__(name="faults")
        self._history = history
        self._fault_names = fault_names
        self._interval_s = interval_s
        self._rng = random.Random(f"{seed}/faults")
        self._undos: list[tuple[float, int, Undo]] = []
        self._numbers = count()
        self._stopping = threading.Event()
        self._actions = FaultActions(system, records, history, self._rng, self._undo_later)

    def run(self) -> None:
        next_fault_at = time.monotonic() + self._draw_pause()
        try:
            while not self._stopping.wait(_TICK_S):
                self._undo_due(time.monotonic())
                if time.monotonic() >= next_fault_at:
                    weights = [FAULTS[name].weight for name in self._fault_names]
                    [name] = self._rng.choices(self._fault_names, weights)
                    self._history.faults[name] += 1
                    self._history.log(name)
                    FAULTS[name].inject(self._actions)
                    next_fault_at = time.monotonic() + self._draw_pause()
        except Exception as error:
            self._history.add_error(f"the fault thread raised {error!r}")
            raise
        finally:
            while self._undos:
                self._undo_due(float("inf"))
            self._actions.close()

    def stop(self) -> None:
        self._stopping.set()

    def _draw_pause(self) -> float:
        return self._rng.uniform(0.5, 1.5) * self._interval_s

    def _undo_later(self, seconds: float, undo: Undo) -> None:
        heapq.heappush(self._undos, (time.monotonic() + seconds, next(self._numbers), undo))

    def _undo_due(self, now: float) -> None:
        undos = []
        while self._undos and self._undos[0][0] <= now:
            undos.append(heapq.heappop(self._undos)[2])
        # An undo that must be retried is run after the others, on which it may depend.
        for undo in undos:
            undo()
            self._history.log("a fault was undone")
