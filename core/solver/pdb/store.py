"""Opens stored pattern databases, and builds missing ones."""

from __future__ import annotations

import errno
import logging
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, lru_cache
from pathlib import Path

from tilework.core.errors import DamagedFileError
from tilework.core.solver.pdb.building.breadth_first import ShareListener
from tilework.core.solver.pdb.file_integrity import Databases, Identity, MappedDatabases
from tilework.core.solver.pdb.files import (
    StoredTable,
    database_bytes,
    database_path,
    default_folder,
    load,
    map_watched,
    save,
)

logger = logging.getLogger(__name__)
FOLDER_MODE = 0o755  # only the owner can add or remove files


def open_existing(partition: StoredTable, folder: Path | None = None) -> MappedDatabases | None:
    """Map a partition's databases; None if they are missing or damaged, which is logged."""
    try:
        return map_watched(partition, database_path(partition, folder or default_folder()))
    except FileNotFoundError:
        return None
    except (DamagedFileError, OSError) as error:
        _warn_once(f"{error}; it is not used")
        return None


def open_cached(partition: StoredTable, folder: Path | None = None) -> MappedDatabases | None:
    """Like `open_existing`, but a file that has not changed stays mapped."""
    folder = folder or default_folder()
    try:
        return _open_cached(partition, folder, Identity.of(database_path(partition, folder)))
    except OSError:
        return None


@lru_cache(maxsize=8)
def _open_cached(
    partition: StoredTable, folder: Path, _identity: Identity
) -> MappedDatabases | None:
    return open_existing(partition, folder)


def open_or_build(partition: StoredTable, folder: Path | None = None) -> Databases:
    """Map a partition's databases; build them first if they are missing or damaged."""
    folder = folder or default_folder()
    path = database_path(partition, folder)
    try:
        ensure_built(partition, folder)
        return map_watched(partition, path)
    except OSError as error:
        _warn_once(f"{path.name} cannot be stored ({error}); building it in memory")
        return _in_memory(partition)


def ensure_built(partition: StoredTable, folder: Path, report: ShareListener = float) -> bool:
    """Build a partition's file if it is missing or damaged; return whether it was built."""
    path = database_path(partition, folder)
    if _is_valid(partition, path):
        return False
    folder.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
    with _locked(path.with_suffix(".lock")):
        # Another process may have built it in the meantime, so check again.
        if _is_valid(partition, path):
            return False
        if shutil.disk_usage(folder).free < database_bytes(partition):
            raise OSError(
                errno.ENOSPC, f"{folder} has no room for {database_bytes(partition)} bytes"
            )
        started = time.perf_counter()
        save(partition, partition.build(report), path)
        logger.info("built %s in %.1f s", path.name, time.perf_counter() - started)
        return True


def _is_valid(partition: StoredTable, path: Path) -> bool:
    try:
        load(partition, path)
    except FileNotFoundError:
        return False
    except DamagedFileError as error:
        logger.warning("%s; rebuilding it", error)
        return False
    return True


@lru_cache(maxsize=2)
def _in_memory(partition: StoredTable) -> Databases:
    entries = partition.build()
    entries.flags.writeable = False
    return Databases(entries)


@cache
def _warn_once(message: str) -> None:
    logger.warning(message)


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    # Imported here, so that only builds load it.
    from filelock import FileLock

    # Nothing is stored in a folder without file locks.
    with FileLock(path, fallback_to_soft=False):
        yield
