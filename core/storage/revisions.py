"""The revision of a database's schema, compared to the one that this code uses."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from tilework.core.errors import SchemaError
from tilework.core.storage.failures import is_unavailability

# Next to the package ``core``, both in a checkout and in a wheel.
MIGRATIONS = Path(__file__).resolve().parents[2] / "migrations"


@cache
def known_revisions() -> tuple[str, ...]:
    """Return the revisions of the migrations, newest first."""
    from alembic.script import ScriptDirectory

    scripts = ScriptDirectory(str(MIGRATIONS)).walk_revisions()
    return tuple(script.revision for script in scripts)


def read_revision(connection: Connection) -> str | None:
    """Return the revision of a database, or None if it has no schema."""
    try:
        revision: str | None = connection.exec_driver_sql(
            "SELECT version_num FROM alembic_version"
        ).scalar()
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
