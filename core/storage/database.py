"""Connections and transactions, for SQLite and PostgreSQL alike.

Two SQLAlchemy engines over one database: one reads in autocommit, so that a lone SELECT is one
round trip; the other writes in transactions. Both are made at first use, after any fork. Together
they open no more connections than their role may have: PostgreSQL allows a hundred in all, to all
processes.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Engine, make_url
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from tilework.core.errors import UnavailableError
from tilework.core.messages import plural
from tilework.core.storage.clock import Clock, DatabaseClock
from tilework.core.storage.engines import postgresql, sqlite
from tilework.core.storage.failures import is_unavailability, unavailable_error
from tilework.core.storage.revisions import Schema, read_schema
from tilework.core.storage.session import Session

if TYPE_CHECKING:
    from tilework.core.storage.engines.connection_watchdog import ConnectionWatchdog

# Most connections of a process of a few threads, such as a worker: its search, the renewer of its
# leases, the reconciler and the calls take turns.
FEW_CONNECTIONS = 4

# Longest wait for a connection while all are in use (seconds).
WAIT_S = 5.0

# SQLite serves one host only, whose clock it reads.
_NOW = {
    "postgresql": "SELECT extract(epoch FROM clock_timestamp())",
    "sqlite": "SELECT (julianday('now') - 2440587.5) * 86400.0",
}


class Database:
    """A database by its URL: transactions, and the one clock for all timestamps.

    ``url``: ``sqlite:///file`` (a file: every connection must see the same data) or
        ``postgresql://…``, which is taken to mean psycopg 3.
    ``connections``: most that are ever open at once, 2 or more; half of them, rounded down, write,
        and of SQLite one.
    ``waits``: whether a PostgreSQL that hangs is waited for. Else it is taken for one that is away,
        a second after it has begun to hang.
    ``clock``: another clock than the database's own.
    """

    def __init__(
        self,
        url: str,
        connections: int = FEW_CONNECTIONS,
        clock: Clock | None = None,
        *,
        waits: bool = True,
    ) -> None:
        parsed = make_url(url)
        if parsed.drivername in {"postgresql", "postgres"}:
            parsed = parsed.set(drivername="postgresql+psycopg")
        self._url = parsed
        self._connections = connections
        self._waits = waits
        self._watchdog: ConnectionWatchdog | None = None
        self._was_current = False
        self._lock = threading.Lock()
        self._engines: dict[bool, Engine] = {}
        self.clock: Clock = clock or DatabaseClock(self._read_clock)

    @property
    def dialect(self) -> str:
        """``sqlite`` or ``postgresql``."""
        return self._url.get_backend_name()

    def engine(self, writes: bool) -> Engine:
        """Return SQLAlchemy's engine for transactions, or the one for lone reads."""
        engine = self._engines.get(writes)
        if engine is None:
            with self._lock:
                if writes not in self._engines:
                    self._engines[writes] = self._make_engine(writes)
                engine = self._engines[writes]
        return engine

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """Open a session for statements that stand alone and change nothing.

        Raises UnavailableError here and below, if all connections stay in use, or the database does
        not answer.
        """
        with self._connected(writes=False) as connection:
            yield Session(connection)

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """Open a transaction: committed at the end, rolled back by an exception."""
        with self._connected(writes=True) as connection:
            yield Session(connection)

    def current(self) -> bool:
        """Whether the database answers and its schema is the one this code expects.

        A process that has seen it so goes on with a later one, to which others have migrated it:
        migrations keep what the version before needs.
        """
        schema = self.schema()
        self._was_current |= schema is Schema.CURRENT
        return schema is Schema.CURRENT or (schema is Schema.NEWER and self._was_current)

    def schema(self) -> Schema:
        """Return how the database's schema stands to the one that this code expects."""
        with self._connected(writes=False) as connection:
            return read_schema(connection)

    def reclaim_space(self) -> None:
        """Give some space back that a SQLite file does not use; PostgreSQL does so by itself."""
        if self.dialect == "sqlite":
            with self._connected(writes=False) as connection:
                sqlite.reclaim_space(connection)

    def _read_clock(self) -> float:
        with self._connected(writes=False) as connection:
            return float(connection.exec_driver_sql(_NOW[self.dialect]).scalar_one())

    def dispose(self) -> None:
        """Close every connection."""
        with self._lock:
            for engine in self._engines.values():
                engine.dispose()
            self._engines.clear()

    @contextmanager
    def _connected(self, writes: bool) -> Iterator[Connection]:
        connection = self._connect(writes)
        try:
            with connection:
                yield connection
                if writes:
                    connection.commit()
        except DBAPIError as error:
            if is_unavailability(error):
                raise unavailable_error(error) from None
            raise

    def _connect(self, writes: bool) -> Connection:
        connection = None
        try:
            engine = self.engine(writes)
            if self._watchdog is not None and self._watchdog.still_hangs():
                raise TimeoutError("the server does not answer")
            connection = engine.connect()
            if writes:
                connection.begin()
        except PoolTimeoutError:
            raise UnavailableError(
                plural(
                    "connections",
                    "the database connection reserved for this is in use; try again in a moment",
                    "all {count} database connections reserved for this are in use; "
                    "try again in a moment",
                    count=self._share(writes),
                )
            ) from None
        except DBAPIError as error:
            if connection is not None:
                connection.close()
            raise unavailable_error(error) from None
        except OSError as error:  # such as a folder that cannot be made
            raise unavailable_error(error) from None
        return connection

    def _share(self, writes: bool) -> int:
        # SQLite lets one write at a time, and who finds it busy looks again after ever longer
        # pauses; threads of a process are served in turn by a pool of one.
        writers = 1 if self.dialect == "sqlite" else self._connections // 2
        return writers if writes else self._connections - writers

    def _make_engine(self, writes: bool) -> Engine:
        # Who has SQLite's one connection that writes may wait for other processes' writes.
        waits_twice = writes and self.dialect == "sqlite"
        options: dict[str, Any] = {
            "pool_size": self._share(writes),
            "max_overflow": 0,
            "pool_timeout": sqlite.BUSY_TIMEOUT_MS / 1_000 if waits_twice else WAIT_S,
        }
        if not writes:
            # No transaction is started, so there is nothing to roll back when a connection is
            # returned.
            options |= {
                "isolation_level": "AUTOCOMMIT",
                "pool_reset_on_return": None,
                "skip_autocommit_rollback": True,
            }
        if self.dialect == "sqlite":
            return sqlite.make_engine(self._url, options, writes=writes)
        engine = postgresql.make_engine(self._url, options, waits=self._waits)
        if not self._waits:
            self._watchdog = postgresql.install_watchdog(engine, self._watchdog)
        return engine
