"""PostgreSQL engines."""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import URL, Engine, ExceptionContext, create_engine, event

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


def make_engine(url: URL, options: dict[str, Any]) -> Engine:
    """Create an engine whose lost connections are noticed and replaced."""
    engine = create_engine(
        url, pool_pre_ping=True, pool_recycle=_RECYCLE_S, connect_args=_TIMEOUTS, **options
    )
    event.listen(engine, "connect", _prepare)
    event.listen(engine, "handle_error", _hide_values)
    return engine


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
