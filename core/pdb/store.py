"""Pattern databases on disk: one file a partition, memory-mapped, shared by all processes.

A file is a page of header, one line of JSON padded with spaces, then the entries. The header
says what the entries are and their checksum; a file that says anything else than what is
expected is damaged, and is built again.
"""

from __future__ import annotations

import fcntl
import json
import logging
import os
import tempfile
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from core.errors import DamagedFileError
from core.kernels.constants import VALUE
from core.pdb.build import build
from core.pdb.distances import Entries
from core.pdb.patterns import Partition

logger = logging.getLogger(__name__)

VERSION = 1
HEADER_BYTES = 4096
"""One page, so that the entries are mapped aligned."""


def default_folder() -> Path:
    """Where databases lie when nobody says: the user's cache folder."""
    cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(cache) / "tilework" / "databases"


def path_of(partition: Partition, folder: Path) -> Path:
    """Return the file of a partition in a folder."""
    width, height = partition.size
    return folder / f"{width}x{height}-{partition.name}.pdb"


def open_or_build(partition: Partition, folder: Path | None = None) -> Entries:
    """Map a partition's databases, building them first where they are missing or damaged.

    Only one process builds; the others wait for it. Where the folder cannot be written, the
    databases are built in memory.

    Returns
    -------
    uint8 array, shape (partition.length,), read-only
    """
    folder = folder or default_folder()
    path = path_of(partition, folder)
    try:
        if (entries := _load_if_whole(partition, path)) is not None:
            return entries
        folder.mkdir(parents=True, exist_ok=True)
        with _locked(path.with_suffix(".lock")):
            # Somebody else may have built it while this process waited.
            if (entries := _load_if_whole(partition, path)) is not None:
                return entries
            began = time.perf_counter()
            save(partition, build(partition), path)
            logger.info("built %s in %.1f s", path.name, time.perf_counter() - began)
            return load(partition, path)
    except OSError as error:
        logger.warning("%s cannot be kept (%s); it is built in memory", path.name, error)
        entries = build(partition)
        entries.flags.writeable = False
        return entries


def _load_if_whole(partition: Partition, path: Path) -> Entries | None:
    try:
        return load(partition, path)
    except FileNotFoundError:
        return None
    except DamagedFileError as error:
        logger.warning("%s; it is built again", error)
        return None


def load(partition: Partition, path: Path) -> Entries:
    """Map a file after checking its header and checksum.

    Raises
    ------
    DamagedFileError
        If the file is not exactly what `save` writes for this partition.
    FileNotFoundError
        If there is none.
    """
    with path.open("rb") as file:
        header = file.read(HEADER_BYTES)
    if path.stat().st_size != HEADER_BYTES + partition.length:
        raise DamagedFileError(
            f"{path.name} has {path.stat().st_size} bytes, not {HEADER_BYTES + partition.length}"
        )
    entries = np.asarray(
        np.memmap(path, dtype=VALUE, mode="r", offset=HEADER_BYTES, shape=(partition.length,))
    )
    if header != _header(partition, zlib.crc32(entries.data)):
        raise DamagedFileError(f"{path.name} does not match its header or checksum")
    return entries


def save(partition: Partition, entries: Entries, path: Path) -> None:
    """Write a file whole or not at all: to a temporary name first, then renamed."""
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=path.name, delete=False) as file:
        try:
            file.write(_header(partition, zlib.crc32(entries.data)))
            file.write(entries.data)
            file.flush()
            os.fsync(file.fileno())
            os.chmod(file.fileno(), 0o644)
            os.replace(file.name, path)
        except BaseException:
            os.unlink(file.name)
            raise


def _header(partition: Partition, checksum: int) -> bytes:
    words = json.dumps(
        {
            "format": "tilework pattern databases",
            "version": VERSION,
            "width": partition.size.width,
            "height": partition.size.height,
            "partition": partition.name,
            "patterns": partition.patterns,
            "entries": partition.length,
            "crc32": checksum,
        }
    )
    return words.encode().ljust(HEADER_BYTES - 1) + b"\n"


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
