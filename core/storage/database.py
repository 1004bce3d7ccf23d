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
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from core.errors import UnavailableError
from core.messages import plural
from core.services.ports import Clock
from core.storage.clock import DatabaseClock
from core.storage.failures import is_unavailability, unavailable
from core.storage.revisions import Schema, schema_of
from core.storage.session import StoredSession
from core.storage.sqlite_space import LOG_BYTES, give_back

if TYPE_CHECKING:
    from core.storage.pulse import Pulse

BUSY_TIMEOUT_MS = 15_000

# Most connections of a process of a few threads, such as a worker: its search, the keeper of its
# leases, the reconciler and the calls take turns.
FEW_CONNECTIONS = 4

# Longest wait for a connection while all are in use (seconds).
WAIT_S = 5.0

# A host that is lost amid a transaction cannot end it, and PostgreSQL would keep its locks for two
# hours, all others waiting; ours think for milliseconds between two statements.
IDLE_MS = 15_000

# As long waits a process for a PostgreSQL whose host is lost, before it connects anew.
_LIVELY = {
    "keepalives_idle": 5,
    "keepalives_interval": 5,
    "keepalives_count": 2,
    "tcp_user_timeout": 15_000,
}

_PRAGMAS = (
    f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}",
    "PRAGMA journal_mode = WAL",
    f"PRAGMA journal_size_limit = {LOG_BYTES}",
    "PRAGMA synchronous = NORMAL",
    "PRAGMA foreign_keys = ON",
    "PRAGMA temp_store = MEMORY",
    "PRAGMA cache_size = -16384",
)

# SQLite serves one host only, whose clock it reads.
_NOW = {
    "postgresql": "SELECT extract(epoch FROM clock_timestamp())",
    "sqlite": "SELECT (julianday('now') - 2440587.5) * 86400.0",
}


class Database:
    """A database by its URL; implements ``core.services.ports.Storage``.

    Parameters
    ----------
    url : str
        ``sqlite:///file`` (a file: every connection must see the same data) or
        ``postgresql://…``, which is taken to mean psycopg 3.
    connections : int
        Most that are ever open at once, 2 or more; half of them, rounded down, write, and of
        SQLite one.
    waits : bool
        Whether a PostgreSQL that hangs is waited for. Else it is taken for one that is away, a
        second after it has begun to hang.
    clock : callable, optional
        Another clock than the database's own.
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
        self._pulse: Pulse | None = None
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
    def reading(self) -> Iterator[StoredSession]:
        """Open a session for statements that stand alone and change nothing.

        Raises
        ------
        UnavailableError
            Here and below, if all connections stay in use, or the database does not answer.
        """
        with self._connected(writes=False) as connection:
            yield StoredSession(connection)

    @contextmanager
    def writing(self) -> Iterator[StoredSession]:
        """Open a transaction: committed at the end, rolled back by an exception."""
        with self._connected(writes=True) as connection:
            yield StoredSession(connection)

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
            return schema_of(connection)

    def tidy(self) -> None:
        """Give some space back that a SQLite file does not use; PostgreSQL does so by itself."""
        if self.dialect == "sqlite":
            with self._connected(writes=False) as connection:
                give_back(connection, BUSY_TIMEOUT_MS)

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
                raise unavailable(error) from None
            raise

    def _connect(self, writes: bool) -> Connection:
        connection = None
        try:
            engine = self.engine(writes)
            if self._pulse is not None and self._pulse.still_hangs():
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
            raise unavailable(error) from None
        except OSError as error:  # such as a folder that cannot be made
            raise unavailable(error) from None
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
            "pool_timeout": BUSY_TIMEOUT_MS / 1_000 if waits_twice else WAIT_S,
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
            _make_folder(self._url.database)
        else:
            # The driver takes two seconds at least to give up connecting.
            lively = _LIVELY if self._waits else _LIVELY | {"connect_timeout": 2}
            options |= {"pool_pre_ping": True, "pool_recycle": 1_800, "connect_args": lively}
        engine = create_engine(self._url, **options)
        if self.dialect == "postgresql":
            if not self._waits:
                self._watch(engine)
            event.listen(engine, "connect", _prepare_postgresql)
        if self.dialect == "sqlite":
            event.listen(engine, "connect", _prepare_sqlite)
            if writes:
                event.listen(engine, "begin", _begin_immediate)
        return engine

    def _watch(self, engine: Engine) -> None:
        """Have an engine's connections give up where the server hangs."""
        # Not where the database is SQLite: the driver takes a while to load.
        from core.storage.pulse import Pulse, addresses_of, connect

        pulse = self._pulse = self._pulse or Pulse(
            addresses_of(engine.dialect.create_connect_args(self._url)[1])
        )

        def lend(connection: Any, _record: object, _fairy: object) -> None:
            connection.is_lent = True

        def take_back(connection: Any, _record: object) -> None:
            if connection is not None:
                connection.is_lent = False

        event.listen(
            engine, "do_connect", lambda _dialect, _record, _words, found: connect(pulse, found)
        )
        event.listen(engine, "checkout", lend)
        event.listen(engine, "checkin", take_back)


def _make_folder(path: str | None) -> None:
    if path:
        Path(path).parent.mkdir(parents=True, exist_ok=True)


def _prepare_sqlite(connection: Any, _record: object) -> None:
    # Without this the driver begins transactions by itself, and too late for BEGIN IMMEDIATE.
    connection.isolation_level = None
    if connection.execute("PRAGMA page_count").fetchone() == (0,):
        # Later it would take a VACUUM; and where it is so already, it would write.
        connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
    for pragma in _PRAGMAS:
        connection.execute(pragma)


def _prepare_postgresql(connection: Any, _record: object) -> None:
    # Not as an option of the connection, which poolers in between refuse.
    with connection.cursor() as cursor:
        cursor.execute(f"SET idle_in_transaction_session_timeout = {IDLE_MS}")
    connection.commit()


def _begin_immediate(connection: Connection) -> None:
    # A transaction that reads first and writes later could find its snapshot outdated, which SQLite
    # answers with an error that waiting does not resolve.
    connection.exec_driver_sql("BEGIN IMMEDIATE")
