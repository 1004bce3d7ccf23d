"""Space that a SQLite file gives back: of its write-ahead log, and of rows that were deleted."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection

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


def give_back(connection: Connection, busy_timeout_ms: int) -> None:
    """Shorten the log where it is long, and the file where much of it is unused.

    Parameters
    ----------
    connection : Connection
        In autocommit.
    busy_timeout_ms : int
        How long it otherwise waits for others.
    """
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
        run(f"PRAGMA busy_timeout = {busy_timeout_ms}")


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
