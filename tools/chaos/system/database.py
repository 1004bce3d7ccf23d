"""What the database holds, read past the proxies and without the product's code."""

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

_PATIENCE_S: Final = 1.0

_ENDED: Final = "('optimal', 'bounded', 'cancelled', 'expired', 'failed')"


class Records:
    def __init__(self, url: str) -> None:
        changed = url.replace("postgresql://", "postgresql+psycopg://")
        # Whoever waits for a lock of a process that stands still would keep others waiting.
        patience: dict[str, object] = {"options": "-c lock_timeout=1s", "connect_timeout": 2}
        if changed == url:
            patience = {"timeout": 30.0}
        self._engine = create_engine(
            changed, isolation_level="AUTOCOMMIT", poolclass=NullPool, connect_args=patience
        )

    def held_since(self, pid: int) -> list[float]:
        """Return since when a process has been at each slice of a search that it holds."""
        statement = (
            "SELECT updated_at FROM slice WHERE state = 'leased' AND kind = 'search' "
            "AND owner LIKE :owner"
        )
        # The database may be away.
        with suppress(DBAPIError):
            return [row[0] for row in self.rows(statement, owner=f"%:{pid}:%")]
        return []

    def unfinished(self) -> int:
        statement = f"SELECT count(*) FROM job WHERE state NOT IN {_ENDED}"
        return int(self.rows(statement)[0][0])

    def rows(self, statement: str, **values: object) -> list[Any]:
        with self._engine.connect() as connection:
            return list(connection.execute(text(statement), values).all())

    def change(self, *statements: str, **values: object) -> None:
        """Do some statements, all or none."""
        with self._engine.connect() as connection:
            connection.exec_driver_sql("BEGIN")
            try:
                for statement in statements:
                    used = {name: values[name] for name in values if f":{name}" in statement}
                    connection.execute(text(statement), used)
            except DBAPIError:
                with suppress(DBAPIError):
                    connection.exec_driver_sql("ROLLBACK")
                raise
            connection.exec_driver_sql("COMMIT")

    def kill_backend(self, choose: random.Random) -> None:
        """Kill a process of PostgreSQL that is in a transaction, or else any that serves."""
        with suppress(DBAPIError, ProcessLookupError):
            rows = self.rows(
                "SELECT pid, state LIKE '%transaction%' OR state = 'active' FROM pg_stat_activity "
                "WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
            )
            busy = [row[0] for row in rows if row[1]] or [row[0] for row in rows]
            if busy:
                os.kill(choose.choice(busy), signal.SIGKILL)

    def await_that(self, condition: Callable[[], bool], seconds: float) -> bool:
        """Wait until something holds; return whether it does."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            with suppress(DBAPIError):
                if condition():
                    return True
            time.sleep(_PATIENCE_S / 4)
        return False

    def dispose(self) -> None:
        self._engine.dispose()
