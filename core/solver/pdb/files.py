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

import json
import mmap
import os
import zlib
from collections.abc import Callable, Hashable
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Literal, Protocol

import numpy as np

from tilework.core.errors import DamagedFileError
from tilework.core.machine import user_cache
from tilework.core.solver.kernels.constants import VALUE
from tilework.core.solver.pdb.file_integrity import Identity, MappedDatabases
from tilework.core.solver.pdb.progress import write_atomically

if TYPE_CHECKING:
    from tilework.core.solver.pdb.parts import Entries

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


def default_folder() -> Path:
    return user_cache() / "databases"


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
