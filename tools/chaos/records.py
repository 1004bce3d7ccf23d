"""The rows of the database, read without the proxies and without the product's code."""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from sqlalchemy import create_engine, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import NullPool

_POLL_S: Final = 0.25

_ENDED: Final = "('optimal', 'bounded', 'cancelled', 'expired', 'failed')"


class Records:
    def __init__(self, url: str) -> None:
        driver_url = url.replace("postgresql://", "postgresql+psycopg://")
        # A lock that a suspended process holds must not block the faults.
        timeouts: dict[str, object] = {"options": "-c lock_timeout=1s", "connect_timeout": 2}
        if driver_url == url:
            timeouts = {"timeout": 30.0}
        self._engine = create_engine(
            driver_url, isolation_level="AUTOCOMMIT", poolclass=NullPool, connect_args=timeouts
        )

    def read_lease_times(self, name: str) -> list[float]:
        """Return the times at which a worker leased its search slices."""
        statement = (
            "SELECT updated_at FROM slice WHERE state = 'leased' AND kind = 'search' "
            "AND owner LIKE :owner"
        )
        with suppress(DBAPIError):  # the database may be down
            return [row[0] for row in self.rows(statement, owner=f"{name}@%")]
        return []

    def count_unfinished(self) -> int:
        statement = f"SELECT count(*) FROM job WHERE state NOT IN {_ENDED}"
        return int(self.rows(statement)[0][0])

    def rows(self, statement: str, **values: object) -> list[Any]:
        with self._engine.connect() as connection:
            return list(connection.execute(text(statement), values).all())

    def kill_backend(self, rng: random.Random) -> None:
        """Kill a PostgreSQL process that is in a transaction, or else any client backend."""
        with suppress(DBAPIError, ProcessLookupError):
            rows = self.rows(
                "SELECT pid, state LIKE '%transaction%' OR state = 'active' FROM pg_stat_activity "
                "WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
            )
            pids = [row[0] for row in rows if row[1]] or [row[0] for row in rows]
            if pids:
                os.kill(rng.choice(pids), signal.SIGKILL)

    def wait_until(self, condition: Callable[[], bool], seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            with suppress(DBAPIError):
                if condition():
                    return
            time.sleep(_POLL_S)

    def dispose(self) -> None:
        self._engine.dispose()
