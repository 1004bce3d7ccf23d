"""Logs failures of what is tried again and again: once, then how often, then when it is over."""

from __future__ import annotations

import math
import threading
import time
from typing import Final

import structlog

from tilework.core.errors import TileworkError

FIRST_PAUSE_S: Final = 60.0
_MAX_PAUSE_S: Final = 3_600.0
_MAX_REASON: Final = 200

log = structlog.get_logger()


class Repetition:
    """Decides which occurrences to report: the first, and others after growing pauses."""

    def __init__(self) -> None:
        self._times = 0
        self._pause_s = FIRST_PAUSE_S
        self._quiet_until = -math.inf

    def count(self) -> int:
        """Count an occurrence; return how many there were since the last report, or 0 for none."""
        self._times += 1
        now = time.monotonic()
        if now < self._quiet_until:
            return 0
        is_over = now > self._quiet_until + self._pause_s
        self._pause_s = FIRST_PAUSE_S if is_over else min(2 * self._pause_s, _MAX_PAUSE_S)
        self._quiet_until = now + self._pause_s
        times, self._times = self._times, 0
        return times


class FailureLog:
    """Logs the failures of an action, such as "sending tickets". Thread-safe.

    Failures that alternate with successes are not logged more often than others.
    """

    def __init__(self, action: str) -> None:
        self._action = action
        self._repetition = Repetition()
        self._is_reported = False
        self._lock = threading.Lock()

    def fail(self, reason: Exception | str) -> None:
        """Log a failure, an unexpected error with its call stack."""
        with self._lock:
            times = self._repetition.count()
            if not times:
                return
            self._is_reported = True
        event = f"{self._action} failed; will try again"
        details: dict[str, object] = {"times": times} if times > 1 else {}
        if isinstance(reason, str | TileworkError):
            log.warning(event, reason=shorten(str(reason)), **details)
        else:
            log.error(event, exc_info=reason, **details)

    def succeed(self) -> None:
        """Log that the action works again, if a failure was logged since it last did."""
        if self._is_reported:
            with self._lock:
                is_reported, self._is_reported = self._is_reported, False
            if is_reported:
                log.info(f"{self._action} works again")


def shorten(text: str) -> str:
    """Return a text as one line of limited length."""
    line = " ".join(text.split())
    return line if len(line) <= _MAX_REASON else f"{line[:_MAX_REASON]}…"
