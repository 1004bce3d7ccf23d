"""Waiting for other threads and processes."""

import time
from collections.abc import Callable

TIMEOUT_S = 240.0
"""Much longer than anything takes, so that no test fails on a busy machine."""


def wait_until(condition: Callable[[], object]) -> None:
    """Return once a condition is true."""
    deadline = time.monotonic() + TIMEOUT_S
    while not condition():
        assert time.monotonic() < deadline, "timed out"
        time.sleep(0.02)
