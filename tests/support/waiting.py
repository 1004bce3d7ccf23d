"""Waiting for what other threads and processes do."""

from __future__ import annotations

import time
from collections.abc import Callable

TIMEOUT_S = 240.0
"""Much longer than anything waited for takes, so that a busy machine fails no test."""


def wait_until(condition: Callable[[], object]) -> None:
    """Return once a condition holds."""
    deadline = time.monotonic() + TIMEOUT_S
    while not condition():
        assert time.monotonic() < deadline, "the time is over"
        time.sleep(0.02)
