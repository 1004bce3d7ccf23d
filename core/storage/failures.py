"""Which errors of a driver mean that the database cannot be used for now.

All others are mistakes of this program.
"""

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
# Extended codes have the kind of error in their last byte.
_SQLITE_KIND: Final = 0xFF

# Classes of SQLSTATE: no connection, too few resources (as a full disk), ended by an operator,
# errors of the system; a server that only reads, as a standby does; and one that has ended a
# transaction whose process was stopped for too long.
_POSTGRESQL: Final = ("08", "53", "57P", "58", "25006", "25P03")


def is_unavailability(error: DBAPIError) -> bool:
    """Whether the database, and not the statement, is the reason for an error."""
    if error.connection_invalidated:
        return True
    if isinstance(error.orig, sqlite3.Error):
        return sqlite_code(error.orig) in _SQLITE
    return (getattr(error.orig, "sqlstate", None) or "").startswith(_POSTGRESQL)


def sqlite_code(error: BaseException | None) -> int:
    """Return the primary result code of an error, SQLITE_ERROR where it is not SQLite's."""
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & _SQLITE_KIND


def unavailable_error(error: DBAPIError | OSError) -> DatabaseUnavailableError:
    """Say so in one line."""
    words = str(error.orig if isinstance(error, DBAPIError) else error)
    reason = words.strip().partition("\n")[0]
    return DatabaseUnavailableError(
        "database", "the database cannot be used: {reason}", reason=reason
    )
