"""Engines over a SQLite file, and the space that it gives back.

That is space of its write-ahead log, and of rows that were deleted.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any, Final
from weakref import WeakSet

from sqlalchemy import URL, Connection, Engine, ExceptionContext, create_engine, event
from sqlalchemy.pool import ConnectionPoolEntry

from tilework.core.storage.failures import sqlite_code

BUSY_TIMEOUT_MS: Final = 15_000
"""For other processes' writes."""

LOG_BYTES: Final = 16 * 2**20
"""Of the write-ahead log that stay on the disk; it grows beyond while a long read lasts."""

# Free pages are used again, so a share of them may stay.
_LEAST_FREE: Final = 1_000
_FREE_SHARE: Final = 0.1

# Moved in one transaction, some milliseconds; and such transactions at a time.
_PAGES_A_STEP: Final = 100
_STEPS: Final = 10

_INCREMENTAL: Final = 2

# Rather than wait for others, and have them wait, it is tried again later.
_PATIENCE_MS: Final = 10

_CURSORS: Final = "cursors"
_PRAGMAS: Final = (
    f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}",
    "PRAGMA journal_mode = WAL",
    f"PRAGMA journal_size_limit = {LOG_BYTES}",
    "PRAGMA synchronous = NORMAL",
    "PRAGMA foreign_keys = ON",
    "PRAGMA temp_store = MEMORY",
    "PRAGMA cache_size = -16384",
)


def make_engine(url: URL, options: dict[str, Any], *, writes: bool) -> Engine:
    """Make an engine, and the folder of its file.

    Raises OSError if the folder cannot be made.
    """
    if url.database:
        Path(url.database).parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(url, **options)
    event.listen(engine, "connect", _prepare)
    event.listen(engine, "handle_error", _leave_read_only)
    event.listen(engine, "before_cursor_execute", _note_cursor)
    event.listen(engine, "checkin", _close_cursors)
    if writes:
        event.listen(engine, "begin", _begin_immediate)
    return engine


def _prepare(connection: Any, _record: object) -> None:
    # Without this the driver begins transactions by itself, and too late for BEGIN IMMEDIATE.
    connection.isolation_level = None
    if connection.execute("PRAGMA page_count").fetchone() == (0,):
        # Later it would take a VACUUM; and where it is so already, it would write.
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
    for pragma in _PRAGMAS:
        connection.execute(pragma)


def _leave_read_only(context: ExceptionContext) -> None:
    # A file that could only be read when it was opened is read-only to that connection for ever,
    # also once the file can be written to again.
    if sqlite_code(context.original_exception) == sqlite3.SQLITE_READONLY:
        context.is_disconnect = True


def _note_cursor(connection: Connection, cursor: sqlite3.Cursor, *_: object) -> None:
    connection.info.setdefault(_CURSORS, WeakSet()).add(cursor)


def _close_cursors(connection: object | None, record: ConnectionPoolEntry) -> None:
    # Where an error ends a read, rows that are not fetched hold the connection to the database as
    # it was then: who gets it next would not see what was written since.
    for cursor in record.info.pop(_CURSORS, ()):
        if connection is not None:  # else it is closed
            cursor.close()


def _begin_immediate(connection: Connection) -> None:
    # A transaction that reads first and writes later could find its snapshot outdated, which SQLite
    # answers with an error that waiting does not resolve.
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def reclaim_space(connection: Connection) -> None:
    """Shorten the log where it is long, and the file where much of it is unused; in autocommit."""
    run = connection.exec_driver_sql
    run(f"PRAGMA busy_timeout = {_PATIENCE_MS}")
    try:
        if _log_bytes(connection) > LOG_BYTES:
            # What can be copied while others write; what is left is little.
            run("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
            run("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        if run("PRAGMA auto_vacuum").scalar_one() == _INCREMENTAL:
            _shorten(connection)
    finally:
        run(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")


def _shorten(connection: Connection) -> None:
    driver: Any = connection.connection.driver_connection
    for _ in range(_STEPS):
        free = connection.exec_driver_sql("PRAGMA freelist_count").scalar_one()
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        if free <= max(_LEAST_FREE, pages * _FREE_SHARE):
            break
        # As a script, which runs to its end: as a query it would stop after the first page.
        try:
            driver.executescript(f"PRAGMA incremental_vacuum({_PAGES_A_STEP})")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                raise
            break  # others write; later


def _log_bytes(connection: Connection) -> int:
    log = Path(f"{connection.engine.url.database}-wal")
    return log.stat().st_size if log.exists() else 0
