"""Waits for a version to change, for long polling."""

from __future__ import annotations

import time
from collections.abc import Callable

# The database is polled at intervals that grow from the first to the last (seconds). They are about
# a tenth of the time since the last change.
FIRST_PAUSE_S = 0.003
LAST_PAUSE_S = 0.2
PAUSE_GROWTH = 1.1


def wait_for_change(read_version: Callable[[], str], version: str, seconds: float) -> None:
    """Return once the current version differs from `version`, or after this many seconds."""
    deadline = time.monotonic() + seconds
    pause = FIRST_PAUSE_S
    while read_version() == version:
        remaining = deadline - time.monotonic()
        if remaining <= 0:
            return
        time.sleep(min(pause, remaining))
        pause = min(pause * PAUSE_GROWTH, LAST_PAUSE_S)
