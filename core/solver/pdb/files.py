"""The files of pattern databases: one for each table, memory-mapped by all processes.

A file consists of a header of one page, which is a line of JSON padded with spaces, and the
entries. The header describes the entries and contains their checksum; a file with an unexpected
header is damaged.

Computing the checksum of a gigabyte takes a second, so this is done once per file: a small stamp
file stores the checksum with the file's identity (size, inode and times of change). After any
change to the file, it is computed again. A file is only replaced by renaming, so processes that
have mapped the old file are not affected. It is read-only, even for its owner.
"""

from __future__ import annotations

import errno
import json
import logging
import mmap
import os
import shutil
import threading
import time
import weakref
import zlib
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, Literal, Protocol

import numpy as np

from tilework.core.compiling import loading
from tilework.core.errors import DamagedFileError
from tilework.core.machine import user_databases
from tilework.core.solver.kernels.constants import VALUE

if TYPE_CHECKING:
    from tilework.core.solver.pdb.partitions import Entries


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


VERSION = 1
HEADER_BYTES = 4096  # one page, so that the entries are page-aligned
READ_ONLY = 0o444
_SAMPLE_SIZE = 2  # entries per pattern to check by a search, while a file is in use
_partial_files: set[Path] = set()


class StoredTable(Hashable, Protocol):
    """The contents of a file of pattern databases; equal tables have the same entries."""

    @property
    def title(self) -> str:
        """A unique name, as in ``5x5 6-6-6-6``."""

    @property
    def length(self) -> int:
        """The number of entries, one byte each."""

    def header(self) -> dict[str, Any]:
        """Return the table's description for the file's header, as JSON in a fixed order."""

    def build(self, report: Callable[[float], object] = float) -> Entries:
        """Compute all entries; report the completed fraction, from 0 to 1."""

    def check_sample(self, entries: Entries, count: int) -> None:
        """Check random entries of each pattern; raise `DamagedFileError` if one is wrong."""


def table_name(table: StoredTable) -> str:
    """Return a table's name in commands and file names, as in ``5x5-6-6-6-6``."""
    return table.title.replace(" ", "-")


def database_path(table: StoredTable, folder: Path) -> Path:
    return folder / f"{table_name(table)}.pdb"


def file_state(table: StoredTable, folder: Path) -> Literal["built", "missing", "damaged"]:
    try:
        load(table, database_path(table, folder))
    except FileNotFoundError:
        return "missing"
    except (DamagedFileError, OSError):
        return "damaged"
    return "built"


def database_bytes(table: StoredTable) -> int:
    return HEADER_BYTES + table.length


def load(table: StoredTable, path: Path, *, verify: bool = False) -> Entries:
    """Map a file after checking its header and checksum."""
    with path.open("rb") as file:
        entries, _ = _map_and_check(table, file, path, verify=verify)
    return entries


def map_databases(table: StoredTable, path: Path) -> MappedDatabases:
    """Map a file after checking its header and checksum; its integrity can be checked later."""
    with path.open("rb") as file:
        entries, checksum = _map_and_check(table, file, path, verify=False)

        def check_sample() -> None:
            table.check_sample(entries, _SAMPLE_SIZE)

        inode = os.fstat(file.fileno()).st_ino

        def discard() -> None:
            # Another process may have replaced the file.
            with suppress(OSError):
                if path.stat().st_ino == inode:
                    delete_database(path)

        return MappedDatabases(
            path, file.fileno(), entries, checksum, check_sample, discard=discard
        )


def delete_database(path: Path) -> bool:
    """Delete a file and its stamp, if it exists; return whether it did."""
    _get_stamp_path(path).unlink(missing_ok=True)
    exists = path.exists()
    path.unlink(missing_ok=True)
    return exists


def _map_and_check(
    table: StoredTable, file: IO[bytes], path: Path, *, verify: bool
) -> tuple[Entries, int]:
    """Return the mapped entries of an open file, and their checksum."""
    size = os.fstat(file.fileno()).st_size
    if size != database_bytes(table):
        raise DamagedFileError(
            "file-size",
            "{name}: {size} B, expected {expected} B",
            name=path.name,
            size=size,
            expected=database_bytes(table),
        )
    header = file.read(HEADER_BYTES)
    # The checksum is not needed to detect another table, version or kind of file.
    if header.split(b'"crc32"')[0] != _format_header(table, 0).split(b'"crc32"')[0]:
        raise DamagedFileError("file-header", "{name}: wrong header", name=path.name)
    entries = np.frombuffer(_map(file), VALUE, table.length, HEADER_BYTES)
    checksum = _get_checksum(file, entries, path, verify=verify)
    if header != _format_header(table, checksum):
        raise DamagedFileError("file-checksum", "{name}: wrong checksum", name=path.name)
    return entries, checksum


def _map(file: IO[bytes]) -> mmap.mmap:
    """Map a file, in huge pages if possible, for faster access to the entries.

    The operating system uses huge pages if no page of the file is cached yet, or if all of it is
    already cached in huge pages.
    """
    mapping = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    if hasattr(mmap, "MADV_HUGEPAGE"):
        with suppress(OSError):
            mapping.madvise(mmap.MADV_HUGEPAGE)
    return mapping


def _drop_from_page_cache(file: IO[bytes]) -> None:
    """Drop a written file from the page cache, where it is in small pages."""
    if hasattr(os, "posix_fadvise"):
        with suppress(OSError):
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def save(table: StoredTable, entries: Entries, path: Path) -> None:
    """Write a file atomically: write it under another name, read it back, then rename it."""
    partial_path = path.with_suffix(".partial")
    checksum = zlib.crc32(entries.data)
    _discard(partial_path)
    _partial_files.add(partial_path)
    try:
        with partial_path.open("wb") as file:
            file.write(_format_header(table, checksum))
            file.write(entries.data)
            file.flush()
            os.fsync(file.fileno())
            _drop_from_page_cache(file)
        with partial_path.open("rb") as file:
            _map_and_check(table, file, partial_path, verify=True)
        partial_path.chmod(READ_ONLY)
        os.replace(partial_path, path)
        with path.open("rb") as file:
            _write_stamp(file, path, checksum)
    except BaseException:
        _discard(partial_path)
        raise
    finally:
        _partial_files.discard(partial_path)
        _get_stamp_path(partial_path).unlink(missing_ok=True)


def discard_partial_files() -> None:
    """Remove the partial files of this process, in case it is stopped during `save`."""
    for partial_path in tuple(_partial_files):
        _discard(partial_path)


def _discard(partial_path: Path) -> None:
    partial_path.unlink(missing_ok=True)
    _get_stamp_path(partial_path).unlink(missing_ok=True)


def _format_header(table: StoredTable, checksum: int) -> bytes:
    text = json.dumps(
        {
            "format": "tilework pattern databases",
            "version": VERSION,
            **table.header(),
            "entries": table.length,
            "crc32": checksum,
        }
    )
    return text.encode().ljust(HEADER_BYTES - 1) + b"\n"


def _get_checksum(file: IO[bytes], entries: Entries, path: Path, *, verify: bool) -> int:
    """Return the checksum of the entries, from the stamp if it has the file's identity."""
    if not verify:
        try:
            stamp = json.loads(_get_stamp_path(path).read_bytes())
            checksum = int(stamp.pop("crc32"))
        except (OSError, ValueError, KeyError, AttributeError, TypeError):
            stamp = None
        if stamp == asdict(Identity.read(file.fileno())):
            return checksum
    checksum = zlib.crc32(entries.data)
    _write_stamp(file, path, checksum)
    return checksum


def _write_stamp(file: IO[bytes], path: Path, checksum: int) -> None:
    # Without a stamp, the next process only loses a second.
    with suppress(OSError):
        write_atomically(
            _get_stamp_path(path),
            json.dumps(asdict(Identity.read(file.fileno())) | {"crc32": checksum}).encode(),
        )


def _get_stamp_path(path: Path) -> Path:
    return path.with_name(f"{path.name}.checked")


logger = logging.getLogger(__name__)
FOLDER_MODE = 0o755  # only the owner can add or remove files


def open_existing(table: StoredTable, folder: Path | None = None) -> MappedDatabases | None:
    """Map a table's file; return None if it is missing or damaged, and log damage."""
    try:
        return map_databases(table, database_path(table, folder or user_databases()))
    except FileNotFoundError:
        return None
    except (DamagedFileError, OSError) as error:
        _warn_once(f"{error}; ignoring the file")
        return None


def open_cached(table: StoredTable, folder: Path | None = None) -> MappedDatabases | None:
    """Like `open_existing`, but a file that has not changed stays mapped."""
    folder = folder or user_databases()
    try:
        databases = _open_cached(table, folder, Identity.read(database_path(table, folder)))
    except FileNotFoundError:
        return None
    except OSError as error:
        _warn_once(f"{error}; ignoring the file for now")
        return None
    return None if databases is None or databases.is_damaged else databases


@lru_cache(maxsize=8)
@loading
def _open_cached(table: StoredTable, folder: Path, _identity: Identity) -> MappedDatabases | None:
    try:
        return map_databases(table, database_path(table, folder))
    except DamagedFileError as error:
        _warn_once(f"{error}; ignoring the file")
        return None


@loading
def open_or_build(table: StoredTable, folder: Path | None = None) -> Databases:
    """Map a table's file; build it first if it is missing or damaged."""
    folder = folder or user_databases()
    path = database_path(table, folder)
    try:
        ensure_built(table, folder)
        return map_databases(table, path)
    except OSError as error:
        _warn_once(f"{path.name} cannot be stored ({error}); building it in memory")
        return _build_in_memory(table)


def ensure_built(
    table: StoredTable, folder: Path, report: Callable[[float], object] = float
) -> bool:
    """Build a table's file if it is missing or damaged; return whether it was built."""
    path = database_path(table, folder)
    if _is_valid(table, path):
        return False
    folder.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
    with _lock(path.with_suffix(".lock")):
        # Another process may have built it in the meantime, so check again.
        if _is_valid(table, path):
            return False
        if shutil.disk_usage(folder).free < database_bytes(table):
            raise OSError(errno.ENOSPC, f"{folder} has no room for {database_bytes(table)} bytes")
        started = time.perf_counter()
        save(table, table.build(report), path)
        logger.info("built %s in %.1f s", path.name, time.perf_counter() - started)
        return True


def _is_valid(table: StoredTable, path: Path) -> bool:
    try:
        load(table, path)
    except FileNotFoundError:
        return False
    except DamagedFileError as error:
        logger.warning("%s; rebuilding it", error)
        return False
    return True


@lru_cache(maxsize=2)
def _build_in_memory(table: StoredTable) -> Databases:
    entries = table.build()
    entries.flags.writeable = False
    return Databases(entries)


@cache
def _warn_once(message: str) -> None:
    logger.warning(message)


@contextmanager
def _lock(path: Path) -> Iterator[None]:
    # Imported here, so that only builds load it.
    from filelock import FileLock

    # Nothing is stored in a folder that does not support file locks.
    with FileLock(path, fallback_to_soft=False):
        yield


def write_atomically(path: Path, contents: bytes) -> None:
    """Replace a file's contents atomically."""
    temporary = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        temporary.write_bytes(contents)
        os.replace(temporary, path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise
