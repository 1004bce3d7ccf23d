"""Recognizes the database errors that mean an unavailable database. All others are bugs."""

from __future__ import annotations

import sqlite3
from typing import Final

from sqlalchemy.exc import DBAPIError

from tilework.core.errors import DatabaseUnavailableError

_SQLITE: Final = {
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
_POSTGRESQL: Final = ("08", "53", "57", "58", "25006", "25P03", "25P04", "40", "55P03")


def is_unavailability(error: DBAPIError) -> bool:
    """Whether an error is caused by the database and not by the statement."""
    if error.connection_invalidated:
        return True
    if isinstance(error.orig, sqlite3.Error):
        return sqlite_code(error.orig) in _SQLITE
    return (getattr(error.orig, "sqlstate", None) or "").startswith(_POSTGRESQL)


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
