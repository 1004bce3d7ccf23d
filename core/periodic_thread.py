"""A thread that repeats an action: reconciling, deadlines, callbacks."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from typing import Final

from tilework.core.logs import FailureLog

_JITTER: Final = 0.25


class PeriodicThread(threading.Thread):
    """Calls ``run_once`` repeatedly until stopped; errors are logged and do not end the thread."""

    def __init__(self, name: str, run_once: Callable[[], object], interval_s: float) -> None:
        super().__init__(name=name, daemon=True)
        self._run_once = run_once
        self._interval_s = interval_s
        self._stopping = threading.Event()
        self._failures = FailureLog(name)

    def run(self) -> None:
        """Run in the thread; call ``start`` instead."""
        while not self._stopping.wait(self._interval_s * random.uniform(1 - _JITTER, 1 + _JITTER)):
            self._run_round()

    def stop(self) -> None:
        """Stop the thread, and wait up to a second for a round in progress."""
        self._stopping.set()
        if self.is_alive():
            self.join(timeout=1.0)

    def _run_round(self) -> None:
        try:
            self._run_once()
        except Exception as error:
            self._failures.fail(error)
        else:
            self._failures.succeed()
