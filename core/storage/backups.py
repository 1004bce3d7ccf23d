"""Backing up a SQLite database while it is in use, and restoring it."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Final

from tilework.core.errors import InputError, OptionError, UnavailableError
from tilework.core.storage.database import (
    Database,
    known_revisions,
    read_revision,
    schema_error,
)

# Read for a few milliseconds, and then pause for others.
_PAGES_PER_STEP: Final = 512
_PAUSE_S: Final = 0.002

_TIMEOUT_S: Final = 15.0


def check_exists(database: Path) -> None:
    """Raise UnavailableError if there is no such file, which SQLite would create."""
    if not database.exists():
        raise UnavailableError(
            "no-database",
            "there is no database {path!r}; `tilework db upgrade` creates it",
            path=database,
        )


def back_up(database: Path, target: Path, on_progress: Callable[[float], object] = float) -> None:
    """Copy a database atomically, while others read and write it.

    ``target``: a new file, which only this user can read.
    ``on_progress``: called with the share that has been copied.

    Raises OptionError if the target exists, and UnavailableError if the database cannot be read or
    the target cannot be written.
    """
    if target.exists():
        raise OptionError(
            "backup-exists", "the file {path!r} already exists; choose another name", path=target
        )
    check_exists(database)

    def report(_status: int, remaining: int, total: int) -> None:
        on_progress(1 - remaining / max(total, 1))

    try:
        with new_file(target) as partial:
            with (
                closing(_open(database)) as source,
                closing(sqlite3.connect(partial, isolation_level=None)) as copy,
            ):
                # Without a snapshot, the copy would restart after each change by others.
                source.execute("BEGIN")
                source.execute("SELECT count(*) FROM sqlite_schema").fetchone()
                source.backup(copy, pages=_PAGES_PER_STEP, progress=report, sleep=_PAUSE_S)
                copy.execute("PRAGMA journal_mode = DELETE")
            _examine(partial, database)
    except (OSError, sqlite3.Error) as error:
        raise UnavailableError(
            "backup-failed", "the database cannot be copied: {reason}", reason=error
        ) from None


def restore(backup: Path, database: Path) -> Path | None:
    """Replace a database that is not in use with a backup.

    Return the new path of the replaced database.

    Raises InputError if the backup is damaged or has another version, and UnavailableError if the
    database is in use or the folder cannot be written.
    """
    if not backup.exists():
        raise InputError("no-backup", "there is no file {path!r}", path=backup)
    try:
        database.parent.mkdir(parents=True, exist_ok=True)
        with new_file(database) as partial:
            shutil.copyfile(backup, partial)
            try:
                _examine(partial, backup)
            except sqlite3.Error as error:
                raise InputError(
                    "backup-damaged",
                    "the backup {path!r} is damaged: {reason}",
                    path=backup,
                    reason=error,
                ) from None
            _merge_log(database)
            return _set_aside(database)
    except OSError as error:
        raise UnavailableError(
            "restore-failed", "the backup cannot be restored: {reason}", reason=error
        ) from None


@contextmanager
def new_file(target: Path) -> Iterator[Path]:
    """Yield a new file that only this user can read, and rename it to `target` at the end."""
    descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=f"{target.name}.partial-")
    os.close(descriptor)
    partial = Path(name)
    try:
        yield partial
        with partial.open("rb") as file:
            os.fsync(file.fileno())
        os.replace(partial, target)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise


def _open(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None, timeout=_TIMEOUT_S)
    connection.execute("PRAGMA query_only = ON")
    return connection


def _examine(path: Path, original: Path) -> None:
    """Check that a copy of a file is intact, and of this or an earlier version."""
    with closing(_open(path)) as copy:
        [(first, *_), *_] = copy.execute("PRAGMA integrity_check(1)").fetchall()
        if first != "ok":
            raise sqlite3.DatabaseError(first)
        if copy.execute("PRAGMA foreign_key_check").fetchone() is not None:
            raise sqlite3.DatabaseError("a foreign key refers to a missing row")
    database = Database(f"sqlite:///{path}")
    try:
        with database.engine(writes=False).connect() as connection:
            revision = read_revision(connection)
            # Keep the database in a single file, without a log next to it.
            connection.exec_driver_sql("PRAGMA journal_mode = DELETE")
    finally:
        database.dispose()
    if revision is None:
        raise InputError("backup-foreign", "{path!r} is not a Tilework database", path=original)
    if revision not in known_revisions():
        raise InputError(schema_error(revision).message)


def _merge_log(database: Path) -> None:
    """Merge the log into the file, which succeeds only if no other process has it open."""
    if not database.exists():
        return
    with closing(sqlite3.connect(database, isolation_level=None, timeout=0.1)) as connection:
        try:
            connection.execute("PRAGMA journal_mode = DELETE").fetchall()
        except sqlite3.DatabaseError as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
                raise UnavailableError(
                    "database-in-use",
                    "the database {path!r} is in use; stop Tilework first",
                    path=database,
                ) from None
            # A damaged database can be replaced.


def _set_aside(database: Path) -> Path | None:
    if not database.exists():
        return None
    aside = database.with_name(f"{database.name}.before-{time.strftime('%Y%m%dT%H%M%S')}")
    # A link, so that a database exists at any time.
    os.link(database, aside)
    for suffix in ("-wal", "-shm"):
        with suppress(FileNotFoundError):
            os.rename(f"{database}{suffix}", f"{aside}{suffix}")
    return aside
