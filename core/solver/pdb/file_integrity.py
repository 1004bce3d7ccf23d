"""Pattern databases in use, and checks that their files have not changed."""

from __future__ import annotations

import os
import threading
import time
import weakref
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tilework.core.compiling import loading
from tilework.core.errors import DamagedFileError
from tilework.core.solver.pdb.parts import Entries

_MIN_PAUSE_S: Final = 60.0
_PAUSE_FACTOR: Final = 200  # pause between complete checks, as a multiple of their duration


@dataclass(frozen=True, slots=True)
class Identity:
    """Metadata that changes with every write to a file.

    The change time cannot be set, so this also detects a file that was overwritten and then given
    its old modification time.
    """

    size: int
    modified_ns: int
    inode: int
    changed_ns: int

    @classmethod
    def read(cls, file: int | Path) -> Identity:
        status = os.stat(file)
        return cls(status.st_size, status.st_mtime_ns, status.st_ino, status.st_ctime_ns)


class Databases:
    """Entries in the memory of this process."""

    def __init__(self, entries: Entries) -> None:
        self.entries = entries

    def confirm(self) -> None:
        """Do nothing: entries in memory cannot change."""


class MappedDatabases(Databases):
    """The entries in a mapped file, which stays open to detect changes.

    ``is_damaged``: whether a complete check failed. Then, ``discard`` is called to delete the file,
    so that it is built again.
    """

    def __init__(
        self,
        path: Path,
        descriptor: int,
        entries: Entries,
        checksum: int,
        check_sample: Callable[[], None],
        *,
        discard: Callable[[], None],
    ) -> None:
        super().__init__(entries)
        self.is_damaged = False
        self._name = path.name
        self._descriptor = os.dup(descriptor)
        weakref.finalize(self, os.close, self._descriptor)
        self._checksum = checksum
        self._check_sample = check_sample
        self._discard = discard
        self._identity = Identity.read(self._descriptor)
        self._next_check = time.monotonic() + _MIN_PAUSE_S
        self._lock = threading.Lock()

    def confirm(self) -> None:
        """Check that the file has not changed since it was opened.

        This takes a microsecond if its metadata is unchanged. From time to time, the checksum of
        all entries is verified, and some entries are checked by a search.
        """
        now = Identity.read(self._descriptor)
        if (now.size, now.modified_ns) != (self._identity.size, self._identity.modified_ns):
            raise DamagedFileError(
                "file-changed", "{name} was changed while it was in use", name=self._name
            )
        # A new name or new permissions change the metadata, but not the entries.
        if now == self._identity and time.monotonic() < self._next_check:
            return
        with self._lock:
            try:
                self._check()
            except DamagedFileError:
                self.is_damaged = True
                self._discard()
                raise
            self._identity = now

    @loading
    def _check(self) -> None:
        started = time.monotonic()
        if zlib.crc32(self.entries.data) != self._checksum:
            raise DamagedFileError("file-checksum", "{name}: wrong checksum", name=self._name)
        self._check_sample()
        ended_at = time.monotonic()
        self._next_check = ended_at + max(_MIN_PAUSE_S, _PAUSE_FACTOR * (ended_at - started))
