"""The clock that limits of time go by: it stands still while kernels are compiled."""

from __future__ import annotations

import time

from tilework.core import compiling


def search_clock() -> float:
    """Return seconds since some moment, without those that passed in compiling and loading."""
    return time.perf_counter() - stood_still_s()


def stood_still_s() -> float:
    """Return for how many seconds it has stood still."""
    return compiling.waited_s()
