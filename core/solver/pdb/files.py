"""The files of pattern databases: one a partition, memory-mapped, shared by all processes.

A file is a page of header, one line of JSON padded with spaces, then the entries. The header
says what the entries are and their checksum; a file that says anything else than what is
expected is damaged.

Computing the checksum of a gigabyte takes a second. It is done once per file: beside it, a small
file keeps the sum, with what identifies the file (its size, inode and times of change). Any change
to the file so causes it to be computed again. A file is only ever replaced, by another name: who
has mapped the old one keeps it as it was. Nobody may write to it, not even its owner.
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
HEADER_BYTES = 4096  # one page, so that the entries are mapped aligned
READ_ONLY = 0o444
_SAMPLE = 2  # entries of each pattern that are searched for each time a file in use is checked
_being_saved: set[Path] = set()


class StoredTable(Hashable, Protocol):
    """What a file of pattern databases holds; equal ones have the same entries."""

    @property
    def title(self) -> str:
        """What they are called, as in ``5x5 6-6-6-6``: no others are called so."""

    @property
    def length(self) -> int:
        """How many entries there are, one byte each."""

    def header(self) -> dict[str, Any]:
        """Return what the file's header says of them, in JSON's types and always in one order."""

    def build(self, tell: Callable[[float], object] = float) -> Entries:
        """Compute every entry; the function is told the share that is done, from 0 to 1."""

    def check_some(self, entries: Entries, count: int) -> None:
        """Check some random entries of each pattern; raise `DamagedFileError` at a wrong one."""


def default_folder() -> Path:
    return user_cache() / "databases"


def partition_name(partition: StoredTable) -> str:
    """Return what a partition is called in a command and its file, as in ``5x5-6-6-6-6``."""
    return partition.title.replace(" ", "-")


def database_path(partition: StoredTable, folder: Path) -> Path:
    return folder / f"{partition_name(partition)}.pdb"


def file_state(partition: StoredTable, folder: Path) -> Literal["built", "missing", "damaged"]:
    try:
        load(partition, database_path(partition, folder))
    except FileNotFoundError:
        return "missing"
    except (DamagedFileError, OSError):
        return "damaged"
    return "built"


def database_bytes(partition: StoredTable) -> int:
    return HEADER_BYTES + partition.length


def load(partition: StoredTable, path: Path, *, anew: bool = False) -> Entries:
    """Map a file after checking its header and checksum."""
    with path.open("rb") as file:
        entries, _ = _checked(partition, file, path, anew=anew)
    return entries


def map_watched(partition: StoredTable, path: Path) -> MappedDatabases:
    """Map a file after checking its header and checksum, and keep an eye on it."""
    with path.open("rb") as file:
        entries, checksum = _checked(partition, file, path, anew=False)

        def check_some() -> None:
            partition.check_some(entries, _SAMPLE)

        return MappedDatabases(path, file.fileno(), entries, checksum, check_some)


def _checked(
    partition: StoredTable, file: IO[bytes], path: Path, *, anew: bool
) -> tuple[Entries, int]:
    """Return the mapped entries of an open file, and their checksum."""
    size = os.fstat(file.fileno()).st_size
    if size != database_bytes(partition):
        raise DamagedFileError(
            "file-size",
            "{name}: {size} B, expected {expected} B",
            name=path.name,
            size=size,
            expected=database_bytes(partition),
        )
    header = file.read(HEADER_BYTES)
    # Of another partition or version, or another kind of file: no checksum needed.
    if header.split(b'"crc32"')[0] != _header(partition, 0).split(b'"crc32"')[0]:
        raise DamagedFileError("file-header", "{name}: wrong header", name=path.name)
    entries = np.frombuffer(_mapped(file), VALUE, partition.length, HEADER_BYTES)
    checksum = _checksum(file, entries, path, anew=anew)
    if header != _header(partition, checksum):
        raise DamagedFileError("file-checksum", "{name}: wrong checksum", name=path.name)
    return entries, checksum


def _mapped(file: IO[bytes]) -> mmap.mmap:
    """Map a file, in huge pages where the kernel has any: a search then waits less for each entry.

    It gets them where none of the file is in memory yet, or all of it is in such pages.
    """
    mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    if hasattr(mmap, "MADV_HUGEPAGE"):
        with suppress(OSError):
            mapped.madvise(mmap.MADV_HUGEPAGE)
    return mapped


def _release(file: IO[bytes]) -> None:
    """Let a file leave memory: what was just written is there in small pages, and would stay so."""
    if hasattr(os, "posix_fadvise"):
        with suppress(OSError):
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def save(partition: StoredTable, entries: Entries, path: Path) -> None:
    """Write a file completely or not at all: under another name first, read back, then renamed."""
    partial = path.with_suffix(".partial")
    checksum = zlib.crc32(entries.data)
    _discard(partial)
    _being_saved.add(partial)
    try:
        with partial.open("wb") as file:
            file.write(_header(partition, checksum))
            file.write(entries.data)
            file.flush()
            os.fsync(file.fileno())
            _release(file)
        with partial.open("rb") as file:
            _checked(partition, file, partial, anew=True)
        partial.chmod(READ_ONLY)
        os.replace(partial, path)
        with path.open("rb") as file:
            _write_stamp(file, path, checksum)
    except BaseException:
        _discard(partial)
        raise
    finally:
        _being_saved.discard(partial)
        _stamp_path(partial).unlink(missing_ok=True)


def discard_partial_files() -> None:
    """Remove this process's partial file: for one that is stopped in the middle of a `save`."""
    for partial in tuple(_being_saved):
        _discard(partial)


def _discard(partial: Path) -> None:
    partial.unlink(missing_ok=True)
    _stamp_path(partial).unlink(missing_ok=True)


def _header(partition: StoredTable, checksum: int) -> bytes:
    words = json.dumps(
        {
            "format": "tilework pattern databases",
            "version": VERSION,
            **partition.header(),
            "entries": partition.length,
            "crc32": checksum,
        }
    )
    return words.encode().ljust(HEADER_BYTES - 1) + b"\n"


def _checksum(file: IO[bytes], entries: Entries, path: Path, *, anew: bool) -> int:
    """Return the sum of the entries, from the stamp if it is about this very file."""
    if not anew:
        try:
            known = json.loads(_stamp_path(path).read_bytes())
            checksum = int(known.pop("crc32"))
        except (OSError, ValueError, KeyError, AttributeError, TypeError):
            known = None
        if known == asdict(Identity.of(file.fileno())):
            return checksum
    checksum = zlib.crc32(entries.data)
    _write_stamp(file, path, checksum)
    return checksum


def _write_stamp(file: IO[bytes], path: Path, checksum: int) -> None:
    # If the folder cannot be written, the next process only loses a second.
    with suppress(OSError):
        write_atomically(
            _stamp_path(path), json.dumps(asdict(Identity.of(file.fileno())) | {"crc32": checksum})
        )


def _stamp_path(path: Path) -> Path:
    return path.with_name(f"{path.name}.checked")
