"""Upgrading the schema of a database with Alembic."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from sqlalchemy import event

from tilework.core.storage.database import MIGRATIONS, Database, known_revisions, schema_error
from tilework.core.storage.models import metadata

# An arbitrary number, to run one upgrade of a PostgreSQL database at a time.
_ADVISORY_LOCK = 715_517


Change = tuple[str | None, str | None]
"""The revisions before and after; None is that of an empty database."""


def upgrade(url: str, revision: str = "head") -> Change:
    """Run the migrations up to a revision, in one transaction."""
    return _run(url, lambda config: command.upgrade(config, revision))


def downgrade(url: str, revision: str) -> Change:
    """Run the migrations down to a revision; ``base`` is an empty database."""
    return _run(url, lambda config: command.downgrade(config, revision))


def check(url: str) -> list[str]:
    """Return descriptions of the differences between a database and the models."""
    database = Database(url)
    try:
        with database.engine(writes=False).connect() as connection:
            context = MigrationContext.configure(connection, opts={"compare_type": True})
            return [str(difference) for difference in compare_metadata(context, metadata)]
    finally:
        database.dispose()


def _run(url: str, step: Callable[[Config], None]) -> Change:
    database = Database(url)
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    engine = database.engine(writes=True)
    if database.dialect == "sqlite":
        event.listen(engine, "connect", _disable_foreign_keys)
    try:
        with engine.begin() as connection:
            if database.dialect == "postgresql":
                connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_ADVISORY_LOCK})")
            before = MigrationContext.configure(connection).get_current_revision()
            if before is not None and before not in known_revisions():
                raise schema_error(before)
            config.attributes["connection"] = connection
            step(config)
            return before, MigrationContext.configure(connection).get_current_revision()
    finally:
        database.dispose()


def _disable_foreign_keys(connection: Any, _record: object) -> None:
    # Alembic changes a SQLite table by replacing it with a copy. References to it remain valid, but
    # would be rejected while the table is missing.
    connection.execute("PRAGMA foreign_keys = OFF")
