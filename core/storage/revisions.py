"""Which revision of the schema there is, and which this code wants."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

# Beside the package ``core``, in a checkout as in a wheel.
MIGRATIONS = Path(__file__).resolve().parents[2] / "migrations"


@cache
def head_revision() -> str | None:
    """Return the newest revision that the migrations lead to."""
    from alembic.script import ScriptDirectory

    return ScriptDirectory(str(MIGRATIONS)).get_current_head()


def revision_of(connection: Connection) -> str | None:
    """Return the revision a database is at; None where it has no schema."""
    try:
        found: str | None = connection.exec_driver_sql(
            "SELECT version_num FROM alembic_version"
        ).scalar()
    except DBAPIError as error:
        if error.connection_invalidated:
            raise
        return None
    return found
