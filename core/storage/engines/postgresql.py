"""Engines over a PostgreSQL server."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import URL, Engine, create_engine, event

if TYPE_CHECKING:
    from tilework.core.storage.engines.connection_watchdog import ConnectionWatchdog

IDLE_MS = 15_000
"""A host that is lost amid a transaction cannot end it, and the server would keep its locks for two
hours, all others waiting; ours think for milliseconds between two statements."""

# As long waits a process for a server whose host is lost, before it connects anew.
_LIVELY: Final = {
    "keepalives_idle": 5,
    "keepalives_interval": 5,
    "keepalives_count": 2,
    "tcp_user_timeout": 15_000,
}

_RECYCLE_S: Final = 1_800


def make_engine(url: URL, options: dict[str, Any], *, waits: bool) -> Engine:
    """Make an engine that waits for a server that hangs, or gives up connecting to it."""
    # The driver takes two seconds at least to give up connecting.
    lively = _LIVELY if waits else _LIVELY | {"connect_timeout": 2}
    engine = create_engine(
        url, pool_pre_ping=True, pool_recycle=_RECYCLE_S, connect_args=lively, **options
    )
    event.listen(engine, "connect", _prepare)
    return engine


def install_watchdog(engine: Engine, watchdog: ConnectionWatchdog | None) -> ConnectionWatchdog:
    """Have an engine's connections give up where the server hangs; return its watchdog.

    ``watchdog``: the one that another engine of the same server has.
    """
    # Not where the database is SQLite: the driver takes a while to load.
    from tilework.core.storage.engines.connection_watchdog import (
        ConnectionWatchdog,
        connect,
        parse_addresses,
    )

    watchdog = watchdog or ConnectionWatchdog(
        parse_addresses(engine.dialect.create_connect_args(engine.url)[1])
    )

    def lend(connection: Any, _record: object, _fairy: object) -> None:
        connection.is_lent = True

    def take_back(connection: Any, _record: object) -> None:
        if connection is not None:
            connection.is_lent = False

    event.listen(
        engine, "do_connect", lambda _dialect, _record, _words, found: connect(watchdog, found)
    )
    event.listen(engine, "checkout", lend)
    event.listen(engine, "checkin", take_back)
    return watchdog


def _prepare(connection: Any, _record: object) -> None:
    # Not as an option of the connection, which poolers in between refuse.
    with connection.cursor() as cursor:
        cursor.execute(f"SET idle_in_transaction_session_timeout = {IDLE_MS}")
    connection.commit()
