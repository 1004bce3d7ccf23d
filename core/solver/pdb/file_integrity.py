"""Pattern databases in use: the entries of one partition, and whether they can still be trusted."""

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

from tilework.core.errors import DamagedFileError
from tilework.core.solver.pdb.parts import Entries

_LEAST_PAUSE_S: Final = 60.0
# The whole is checked anew once the last time it took is a two-hundredth of the time since
_SHARE: Final = 200


@dataclass(frozen=True, slots=True)
class Identity:
    """What is different after any write to a file.

    Nobody can set the time of change: also a file that was written in place and then given its old
    time of modification is told apart.
    """

    size: int
    modified_ns: int
    inode: int
    changed_ns: int

    @classmethod
    def of(cls, file: int | Path) -> Identity:
        about = os.stat(file)
        return cls(about.st_size, about.st_mtime_ns, about.st_ino, about.st_ctime_ns)


class Databases:
    """Entries that were built here and that nobody else can reach."""

    def __init__(self, entries: Entries) -> None:
        self.entries = entries

    def confirm(self) -> None:
        """Check that what was read so far was sound: here there is nothing to check."""


class MappedDatabases(Databases):
    """The mapped entries of a file that stays open, so that it can be told whether they changed."""

    def __init__(
        self,
        path: Path,
        descriptor: int,
        entries: Entries,
        checksum: int,
        check_some: Callable[[], None],
    ) -> None:
        super().__init__(entries)
        self._name = path.name
        self._descriptor = os.dup(descriptor)
        weakref.finalize(self, os.close, self._descriptor)
        self._checksum = checksum
        self._check_some = check_some
        self._identity = Identity.of(self._descriptor)
        self._due = time.monotonic() + _LEAST_PAUSE_S
        self._lock = threading.Lock()

    def confirm(self) -> None:
        """Check that what was read since the file was opened was sound.

        Takes a microsecond as long as nobody has touched the file; now and then all entries are
        added up again, and a few of them are searched for.
        """
        now = Identity.of(self._descriptor)
        if (now.size, now.modified_ns) != (self._identity.size, self._identity.modified_ns):
            raise DamagedFileError(
                "file-changed", "{name} was changed while it was in use", name=self._name
            )
        # Another name or other rights change the file's record, but need not change the file.
        if now == self._identity and time.monotonic() < self._due:
            return
        with self._lock:
            self._check()
            self._identity = now

    def _check(self) -> None:
        began = time.monotonic()
        if zlib.crc32(self.entries.data) != self._checksum:
            raise DamagedFileError("file-checksum", "{name}: wrong checksum", name=self._name)
        self._check_some()
        ended = time.monotonic()
        self._due = ended + max(_LEAST_PAUSE_S, _SHARE * (ended - began))
