"""PostgreSQL engines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import URL, Engine, ExceptionContext, create_engine, event

if TYPE_CHECKING:
    from tilework.core.storage.engines.connection_watchdog import ConnectionWatchdog

IDLE_MS = 15_000
"""Without this limit, the server keeps the locks of a lost host's transaction for two hours.
Transactions here take only milliseconds between two statements."""

# How long a process waits for a lost host before it connects again.
_KEEPALIVES: Final = {
    "keepalives_idle": 5,
    "keepalives_interval": 5,
    "keepalives_count": 2,
    "tcp_user_timeout": 15_000,
}

_RECYCLE_S: Final = 1_800


def make_engine(url: URL, options: dict[str, Any], *, waits: bool) -> Engine:
    """Create an engine that waits for a hanging server, or that times out."""
    # Two seconds: the driver's shortest timeout.
    arguments = _KEEPALIVES if waits else _KEEPALIVES | {"connect_timeout": 2}
    engine = create_engine(
        url, pool_pre_ping=True, pool_recycle=_RECYCLE_S, connect_args=arguments, **options
    )
    event.listen(engine, "connect", _prepare)
    event.listen(engine, "handle_error", _hide_values)
    return engine


def install_watchdog(engine: Engine, watchdog: ConnectionWatchdog | None) -> ConnectionWatchdog:
    """Time out when the server hangs; return the watchdog.

    ``watchdog``: that of another engine for the same server.
    """
    # Imported only for PostgreSQL, because loading the driver takes a while.
    from tilework.core.storage.engines.connection_watchdog import (
        ConnectionWatchdog,
        connect,
        parse_addresses,
    )

    watchdog = watchdog or ConnectionWatchdog(
        parse_addresses(engine.dialect.create_connect_args(engine.url)[1])
    )

    def check_out(connection: Any, _record: object, _fairy: object) -> None:
        connection.is_checked_out = True

    def check_in(connection: Any, _record: object) -> None:
        if connection is not None:
            connection.is_checked_out = False

    event.listen(
        engine,
        "do_connect",
        lambda _dialect, _record, _arguments, parameters: connect(watchdog, parameters),
    )
    event.listen(engine, "checkout", check_out)
    event.listen(engine, "checkin", check_in)
    return watchdog


def _prepare(connection: Any, _record: object) -> None:
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
