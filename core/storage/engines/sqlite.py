"""Engines over a SQLite file."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any, Final
from weakref import WeakSet

from sqlalchemy import URL, Connection, Engine, ExceptionContext, create_engine, event
from sqlalchemy.pool import ConnectionPoolEntry

from tilework.core.storage.engines.sqlite_space import LOG_BYTES
from tilework.core.storage.failures import sqlite_code

BUSY_TIMEOUT_MS: Final = 15_000
"""For other processes' writes."""

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

    Raises
    ------
    OSError
        If the folder cannot be made.
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
