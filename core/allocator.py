"""The C library's memory: what a process no longer needs should not stay with it.

Of glibc; with another library nothing happens.
"""

from __future__ import annotations

import ctypes
from contextlib import suppress

_M_ARENA_MAX = -8


def share_arenas() -> None:
    """Let threads share memory: glibc keeps what each of them once needed."""
    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).mallopt(_M_ARENA_MAX, 2)


def give_back() -> None:
    """Return freed memory to the system, within some milliseconds."""
    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).malloc_trim(0)
