"""Answers to those who ask for jobs that have ended, as they were once written.

Such a job is told again and again in the same words. That they are still true is asked of the
database each time, by the version; what is saved is reading, checking and writing all the rest.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Final

_MOST_BYTES: Final = 4 << 20
_ENTRY: Final = 500
"""Bytes that an answer takes beside its body."""

_LONGEST: Final = 1 << 16
"""Bytes of an answer that is kept: larger ones take their time on the way to the client anyway."""


@dataclass(frozen=True, slots=True)
class Told:
    """What was answered of a job's version."""

    version: str
    body: bytes


Key = tuple[str, bool, str]
"""A job's id, whether it is without boards, and the language."""


class EndedJobs:
    """Answers of this process, none of them once they are too many."""

    def __init__(self) -> None:
        self._told: dict[Key, Told] = {}
        self._bytes = 0
        self._lock = threading.Lock()

    def get(self, key: Key) -> Told | None:
        """Return what was answered; it holds if the job is still of that version."""
        return self._told.get(key)

    def keep(self, key: Key, told: Told) -> None:
        """Keep an answer."""
        if len(told.body) > _LONGEST:
            return
        with self._lock:
            before = self._told.pop(key, None)
            if before is not None:
                self._bytes -= _size(before)
            if self._bytes + _size(told) > _MOST_BYTES:
                self._told.clear()
                self._bytes = 0
            self._bytes += _size(told)
            self._told[key] = told


def _size(told: Told) -> int:
    return _ENTRY + len(told.body)
