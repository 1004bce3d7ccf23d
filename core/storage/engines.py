"""Engines for SQLite and PostgreSQL, and which of their errors mean an unavailable database."""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path
from typing import Any, Final

from sqlalchemy import URL, Connection, Engine, ExceptionContext, create_engine, event
from sqlalchemy.exc import DBAPIError, OperationalError

from tilework.core.errors import DatabaseUnavailableError

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


def make_sqlite_engine(url: URL, options: dict[str, Any], *, writes: bool) -> Engine:
    """Create an engine, and the folder of its file."""
    if url.database:
        Path(url.database).parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(url, **options)
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "handle_error", _leave_read_only)
    if writes:
        event.listen(engine, "connect", _retry_often)
        event.listen(engine, "begin", _begin_immediate)
    return engine


def _prepare_sqlite(connection: Any, _record: object) -> None:
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


IDLE_MS = 15_000
"""Without this limit, the server keeps the locks of a lost host's transaction for two hours.
Transactions here take only milliseconds between two statements."""

# How long a process waits for a lost host, or for packets to get through, before it connects again.
_TIMEOUTS: Final = {
    "connect_timeout": 5,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
}

_RECYCLE_S: Final = 1_800


def make_postgresql_engine(url: URL, options: dict[str, Any]) -> Engine:
    """Create an engine whose lost connections are noticed and replaced."""
    engine = create_engine(
        url, pool_pre_ping=True, pool_recycle=_RECYCLE_S, connect_args=_TIMEOUTS, **options
    )
    event.listen(engine, "connect", _prepare_postgresql)
    event.listen(engine, "handle_error", _hide_values)
    return engine


def _prepare_postgresql(connection: Any, _record: object) -> None:
    from psycopg.types.string import StrDumper

    class TextDumper(StrDumper):
        """Replaces NUL, which no text in PostgreSQL contains: what it stands in is not found."""

        def dump(self, obj: str) -> Any:
            return super().dump(obj.replace("\0", "\ufffd"))

    connection.adapters.register_dumper(str, TextDumper)
    # Connection poolers reject this as an option of the connection.
    with connection.cursor() as cursor:
        cursor.execute(f"SET idle_in_transaction_session_timeout = {IDLE_MS}")
    connection.commit()


def _hide_values(context: ExceptionContext) -> None:
    # All lines of the server's message but the first quote the row.
    for error in (context.original_exception, context.sqlalchemy_exception):
        if error is not None:
            error.args = (str(error.args[0]).partition("\n")[0], *error.args[1:])


_SQLITE_UNAVAILABLE: Final = {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_NOMEM,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_PROTOCOL,
    sqlite3.SQLITE_NOTADB,
}
# The last byte of an extended result code is the primary one.
_PRIMARY_CODE: Final = 0xFF

# Prefixes of SQLSTATE: connection errors, insufficient resources (such as a full disk), operator
# intervention (such as a cancelled statement), system errors, a read-only server (such as a
# standby), a transaction or a wait for a lock that took too long, and one that another transaction
# ended (a deadlock): repeated, it succeeds.
_POSTGRESQL_UNAVAILABLE: Final = ("08", "53", "57", "58", "25006", "25P03", "25P04", "40", "55P03")


def is_unavailability(error: DBAPIError) -> bool:
    """Whether an error is caused by the database and not by the statement."""
    if error.connection_invalidated:
        return True
    if isinstance(error.orig, sqlite3.Error):
        return sqlite_code(error.orig) in _SQLITE_UNAVAILABLE
    return (getattr(error.orig, "sqlstate", None) or "").startswith(_POSTGRESQL_UNAVAILABLE)


def sqlite_code(error: BaseException | None) -> int:
    """Return the primary result code of an error, or SQLITE_ERROR if it is not from SQLite."""
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & _PRIMARY_CODE


def unavailable_error(error: DBAPIError | OSError) -> DatabaseUnavailableError:
    """Return an error with the first line of the driver's message."""
    message = str(error.orig if isinstance(error, DBAPIError) else error)
    reason = message.strip().partition("\n")[0]
    return DatabaseUnavailableError(
        "database", "the database cannot be used: {reason}", reason=reason
    )
