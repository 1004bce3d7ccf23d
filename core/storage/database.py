"""Connections, transactions and the clock of a database, for SQLite and PostgreSQL.

There are two SQLAlchemy engines: one reads in autocommit mode, so that a single SELECT is one round
trip, and the other writes in transactions. Both are created on first use, after any fork. The
number of their connections is limited, because PostgreSQL allows only a hundred for all processes.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, make_url
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from tilework.core.errors import BoundsError, DamagedSolveError, SchemaError, UnavailableError
from tilework.core.messages import plural
from tilework.core.storage import engines
from tilework.core.storage.engines import is_unavailability, unavailable_error
from tilework.core.storage.session import Session

# Next to the package ``core``, both in a checkout and in a wheel.
MIGRATIONS = Path(__file__).resolve().parents[2] / "migrations"

# Enough connections for a process with few threads, such as a worker.
FEW_CONNECTIONS = 4

# The maximum wait for a connection while all are in use (seconds).
WAIT_S = 5.0

# SQLite reads the clock of its host, the only one that uses the database.
_NOW = {
    "postgresql": "SELECT extract(epoch FROM clock_timestamp())",
    "sqlite": "SELECT (julianday('now') - 2440587.5) * 86400.0",
}

Clock = Callable[[], float]
"""Returns seconds since 1970 by the clock of the database."""

OnDamage = Callable[[DamagedSolveError | BoundsError], object]
"""Starts the solve of an error again."""

MEASURE_EVERY_S = 10.0
"""How often the database's clock is read. In between, the monotonic clock is used."""

REPORTED_SKEW_S = 2.0
"""Larger differences between the host's clock and the database's are logged."""

_log = logging.getLogger(__name__)


class DatabaseClock:
    """The database's time, in seconds since 1970.

    Leases and deadlines are written by one host and read by another, so the clock of a single host
    cannot be used. A reading is wrong by at most the time it takes, which is milliseconds; the
    monotonic clock drifts by a few milliseconds per minute, and stops while its host sleeps.

    ``read``: reads the time from the database. If it fails, the last reading is extrapolated.
    """

    def __init__(self, read: Callable[[], float]) -> None:
        self._read = read
        self._offset: float | None = None
        self._due = 0.0
        self._reported = False
        self._reading = threading.Lock()

    def __call__(self) -> float:
        """Return the time; raise the driver's error if it has never been read."""
        if self._offset is None:
            with self._reading:
                if self._offset is None:
                    self._measure()
        elif time.monotonic() >= self._due and self._reading.acquire(blocking=False):
            try:
                with suppress(Exception):  # an unreachable database is reported elsewhere
                    self._measure()
            finally:
                self._due = time.monotonic() + MEASURE_EVERY_S
                self._reading.release()
        return time.monotonic() + (self._offset or 0.0)

    @property
    def skew_s(self) -> float:
        """Seconds by which this host's wall clock is ahead of the database's."""
        return time.time() - self()

    def _measure(self) -> None:
        start = time.monotonic()
        database_time = self._read()
        end = time.monotonic()
        self._offset = database_time - (start + end) / 2
        self._due = end + MEASURE_EVERY_S
        skew = time.time() - end - self._offset
        if abs(skew) >= REPORTED_SKEW_S and not self._reported:
            _log.warning(
                "this host's clock is %.1f s %s the database's; the database's is used",
                abs(skew),
                "ahead of" if skew > 0 else "behind",
            )
        self._reported = abs(skew) >= REPORTED_SKEW_S


class Database:
    """A database: its transactions, and the clock for all timestamps.

    ``url``: ``sqlite:///file`` or ``postgresql://…``, which uses psycopg 3.
    ``connections``: the maximum number of open connections, 2 or more. Half of them, rounded down,
        write; with SQLite only one does.
    ``clock``: a clock to use instead of the database's.

    The attribute ``on_damage`` is called with each DamagedSolveError or BoundsError that leaves a
    session, after its end.
    """

    def __init__(
        self,
        url: str,
        connections: int = FEW_CONNECTIONS,
        clock: Clock | None = None,
    ) -> None:
        parsed = make_url(url)
        if parsed.drivername in {"postgresql", "postgres"}:
            parsed = parsed.set(drivername="postgresql+psycopg")
        self._url = parsed
        self._connections = connections
        self._was_current = False
        self._lock = threading.Lock()
        self._engines: dict[bool, Engine] = {}
        self.clock: Clock = clock or DatabaseClock(self._read_clock)
        self.on_damage: OnDamage = lambda _error: None

    @property
    def dialect(self) -> str:
        """``sqlite`` or ``postgresql``."""
        return self._url.get_backend_name()

    def engine(self, writes: bool) -> Engine:
        """Return the engine for transactions, or the one for reads."""
        engine = self._engines.get(writes)
        if engine is None:
            with self._lock:
                if writes not in self._engines:
                    self._engines[writes] = self._make_engine(writes)
                engine = self._engines[writes]
        return engine

    def reading(self) -> AbstractContextManager[Session]:
        """Open a session for single statements that change nothing.

        Here and below, UnavailableError is raised if all connections are in use or the database
        does not answer.
        """
        return self._session(writes=False)

    def writing(self) -> AbstractContextManager[Session]:
        """Open a transaction: committed at the end, rolled back after an exception."""
        return self._session(writes=True)

    @contextmanager
    def handling_damage(self) -> Iterator[None]:
        """Start a solve again that turns out to be damaged, and raise the error nevertheless."""
        try:
            yield
        except (DamagedSolveError, BoundsError) as error:
            self.on_damage(error)
            raise

    def check_schema(self) -> None:
        """Raise SchemaError unless the database has the schema that this code uses.

        A process that has once found that schema also accepts a later one: migrations keep
        everything that the previous version needs.
        """
        revision, known = self.read_revision(), known_revisions()
        self._was_current |= revision == known[0]
        is_later = revision is not None and revision not in known
        if revision != known[0] and not (self._was_current and is_later):
            raise schema_error(revision)

    def read_revision(self) -> str | None:
        """Return the revision of the database's schema; None if it has none."""
        with self.reading() as session:
            return read_revision(session.connection)

    def reclaim_space(self) -> None:
        """Shrink a SQLite file. PostgreSQL reclaims space automatically."""
        if self.dialect == "sqlite":
            with self.reading() as session:
                engines.reclaim_space(session.connection)

    def _read_clock(self) -> float:
        with self.reading() as session:
            return float(session.connection.exec_driver_sql(_NOW[self.dialect]).scalar_one())

    def dispose(self) -> None:
        """Close all connections."""
        with self._lock:
            for engine in self._engines.values():
                engine.dispose()
            self._engines.clear()

    @contextmanager
    def _session(self, *, writes: bool) -> Iterator[Session]:
        connection = self._connect(writes)
        try:
            with connection:
                try:
                    yield Session(connection)
                except BaseException:
                    if self.dialect == "sqlite":
                        # An unfinished read would keep its snapshot for the next user. Even a
                        # closed connection keeps its lock until the read is garbage-collected.
                        connection.rollback()
                        connection.invalidate()
                    raise
                if writes:
                    connection.commit()
        except (DamagedSolveError, BoundsError) as error:
            self.on_damage(error)
            raise
        except DBAPIError as error:
            if is_unavailability(error):
                raise unavailable_error(error) from None
            raise

    def _connect(self, writes: bool) -> Connection:
        connection = None
        try:
            engine = self.engine(writes)
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
                    count=self._pool_size(writes),
                )
            ) from None
        except DBAPIError as error:
            if connection is not None:
                connection.close()
            raise unavailable_error(error) from None
        except OSError as error:  # such as a folder that cannot be created
            raise unavailable_error(error) from None
        return connection

    def _pool_size(self, writes: bool) -> int:
        # SQLite allows one write at a time, and a blocked writer retries after ever longer pauses.
        # So only one connection writes; its pool is fair among the threads of a process.
        writers = 1 if self.dialect == "sqlite" else self._connections // 2
        return writers if writes else self._connections - writers

    def _make_engine(self, writes: bool) -> Engine:
        # The thread with SQLite's only writing connection may wait for other processes, so the
        # other threads wait as long.
        waits_long = writes and self.dialect == "sqlite"
        options: dict[str, Any] = {
            "hide_parameters": True,
            "pool_size": self._pool_size(writes),
            "max_overflow": 0,
            "pool_timeout": engines.BUSY_TIMEOUT_MS / 1_000 if waits_long else WAIT_S,
        }
        if not writes:
            # Without a transaction there is nothing to roll back, so no round trip is needed.
            options |= {
                "isolation_level": "AUTOCOMMIT",
                "pool_reset_on_return": None,
                "skip_autocommit_rollback": True,
            }
        if self.dialect == "sqlite":
            return engines.make_sqlite_engine(self._url, options, writes=writes)
        return engines.make_postgresql_engine(self._url, options)


@cache
def known_revisions() -> tuple[str, ...]:
    """Return the revisions of the migrations, newest first."""
    from alembic.script import ScriptDirectory

    scripts = ScriptDirectory(str(MIGRATIONS)).walk_revisions()
    return tuple(script.revision for script in scripts)


def read_revision(connection: Connection) -> str | None:
    """Return the revision of a database's schema, or None if it has none."""
    try:
        statement = "SELECT version_num FROM alembic_version"
        revision: str | None = connection.exec_driver_sql(statement).scalar()
    except DBAPIError as error:
        if is_unavailability(error):
            raise
        return None
    return revision


def schema_error(revision: str | None) -> SchemaError:
    """Return the error for a database with another revision than the newest."""
    return SchemaError(
        "schema",
        "the database has the schema {found!r}, and this version of Tilework uses {known!r}; "
        "upgrade the older of the two: the database with `tilework db upgrade`, or Tilework",
        found=revision or "none",
        known=known_revisions()[0],
    )
