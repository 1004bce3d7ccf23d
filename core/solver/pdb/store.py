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

from tilework.core.compiling import loading
from tilework.core.errors import DamagedFileError
from tilework.core.solver.pdb.building.breadth_first import ProgressListener
from tilework.core.solver.pdb.file_integrity import Databases, Identity, MappedDatabases
from tilework.core.solver.pdb.files import (
    StoredTable,
    database_bytes,
    database_path,
    default_folder,
    load,
    map_databases,
    save,
)

logger = logging.getLogger(__name__)
FOLDER_MODE = 0o755  # only the owner can add or remove files


def open_existing(table: StoredTable, folder: Path | None = None) -> MappedDatabases | None:
    """Map a table's file; return None if it is missing or damaged, and log damage."""
    try:
        return map_databases(table, database_path(table, folder or default_folder()))
    except FileNotFoundError:
        return None
    except (DamagedFileError, OSError) as error:
        _warn_once(f"{error}; ignoring the file")
        return None


def open_cached(table: StoredTable, folder: Path | None = None) -> MappedDatabases | None:
    """Like `open_existing`, but a file that has not changed stays mapped."""
    folder = folder or default_folder()
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
    folder = folder or default_folder()
    path = database_path(table, folder)
    try:
        ensure_built(table, folder)
        return map_databases(table, path)
    except OSError as error:
        _warn_once(f"{path.name} cannot be stored ({error}); building it in memory")
        return _build_in_memory(table)


def ensure_built(table: StoredTable, folder: Path, report: ProgressListener = float) -> bool:
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
