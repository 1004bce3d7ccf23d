"""SQLite engines, and reclaiming the space of deleted rows and of the write-ahead log."""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path
from typing import Any, Final

from sqlalchemy import URL, Connection, Engine, ExceptionContext, create_engine, event
from sqlalchemy.exc import OperationalError

from tilework.core.storage.failures import sqlite_code

BUSY_TIMEOUT_MS: Final = 15_000
"""How long to wait for writes of other processes."""

_RETRY_MS: Final = 3
"""How long SQLite itself waits to begin a write; its pauses would grow from 1 to 100 ms."""

LOG_BYTES: Final = 16 * 2**20
"""The size to which the write-ahead log is truncated. It grows beyond that during long reads."""

# Free pages are reused, so some of them can stay.
_MIN_FREE: Final = 1_000
_FREE_SHARE: Final = 0.1

# Pages moved per transaction, which takes some milliseconds, and transactions per call.
_PAGES_PER_STEP: Final = 100
_STEPS: Final = 10

_INCREMENTAL: Final = 2

# How long reclaiming space waits for other writers; it is repeated later anyway.
_RECLAIM_TIMEOUT_MS: Final = 10

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
    """Create an engine, and the folder of its file."""
    if url.database:
        Path(url.database).parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(url, **options)
    event.listen(engine, "connect", _prepare)
    event.listen(engine, "handle_error", _leave_read_only)
    if writes:
        event.listen(engine, "connect", _retry_often)
        event.listen(engine, "begin", _begin_immediate)
    return engine


def _prepare(connection: Any, _record: object) -> None:
    # Otherwise the driver begins transactions itself, too late for BEGIN IMMEDIATE.
    connection.isolation_level = None
    if connection.execute("PRAGMA page_count").fetchone() == (0,):
        # Setting this later would require a VACUUM.
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
    for pragma in _PRAGMAS:
        connection.execute(pragma)


def _retry_often(connection: Any, _record: object) -> None:
    connection.execute(f"PRAGMA busy_timeout = {_RETRY_MS}")


def _leave_read_only(context: ExceptionContext) -> None:
    # A connection to a file that was read-only stays read-only, even if the file becomes writable.
    if sqlite_code(context.original_exception) == sqlite3.SQLITE_READONLY:
        context.is_disconnect = True


def _begin_immediate(connection: Connection) -> None:
    # A transaction that reads before it writes can find its snapshot outdated, which is an error
    # that waiting does not resolve.
    deadline = time.monotonic() + BUSY_TIMEOUT_MS / 1_000
    while True:
        try:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
            return
        except OperationalError as error:
            is_busy = sqlite_code(error.orig) == sqlite3.SQLITE_BUSY
            if not is_busy or time.monotonic() >= deadline:
                raise


def reclaim_space(connection: Connection) -> None:
    """Truncate the log if it is long, and the file if much of it is unused; in autocommit."""
    run = connection.exec_driver_sql
    run(f"PRAGMA busy_timeout = {_RECLAIM_TIMEOUT_MS}")
    try:
        if _log_bytes(connection) > LOG_BYTES:
            # A passive checkpoint copies most of the log while others write.
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
        if free <= max(_MIN_FREE, pages * _FREE_SHARE):
            break
        # Executed as a query, the statement would stop after the first page.
        try:
            driver.executescript(f"PRAGMA incremental_vacuum({_PAGES_PER_STEP})")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                raise
            break  # others are writing


def _log_bytes(connection: Connection) -> int:
    log = Path(f"{connection.engine.url.database}-wal")
    return log.stat().st_size if log.exists() else 0
