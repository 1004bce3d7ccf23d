"""The revision of a database's schema, compared to the one that this code expects."""

from __future__ import annotations

from enum import Enum, auto
from functools import cache
from pathlib import Path

from sqlalchemy import Connection
from sqlalchemy.exc import DBAPIError

from tilework.core.errors import SchemaError
from tilework.core.storage.failures import is_unavailability

# Next to the package ``core``, both in a checkout and in a wheel.
MIGRATIONS = Path(__file__).resolve().parents[2] / "migrations"


@cache
def head_revision() -> str | None:
    """Return the newest revision of the migrations."""
    from alembic.script import ScriptDirectory

    return ScriptDirectory(str(MIGRATIONS)).get_current_head()


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


class Schema(Enum):
    """How a database's schema compares to the one that this code expects."""

    NONE = auto()
    OLDER = auto()
    CURRENT = auto()
    NEWER = auto()
    """A revision that this code does not know."""
    TOO_OLD = auto()
    """A revision before the first one that this code knows."""


def read_schema(connection: Connection) -> Schema:
    """Return how a database's schema compares to the one that this code expects."""
    revision = read_revision(connection)
    if revision is None:
        return Schema.NONE
    if revision == head_revision():
        return Schema.CURRENT
    if revision in _known_revisions():
        return Schema.OLDER
    return Schema.TOO_OLD if revision < min(_known_revisions()) else Schema.NEWER


@cache
def _known_revisions() -> frozenset[str]:
    from alembic.script import ScriptDirectory

    scripts = ScriptDirectory(str(MIGRATIONS)).walk_revisions()
    return frozenset(script.revision for script in scripts)


def schema_error(schema: Schema) -> SchemaError | None:
    """Return the error for a schema that this code can neither use nor upgrade."""
    if schema is Schema.TOO_OLD:
        return SchemaError(
            "schema-too-old",
            "the database was written by an early build of Tilework, with a schema older than "
            "{first}; run `tilework db upgrade` from Tilework 0.1.0 first",
            first=min(_known_revisions()),
        )
    if schema is not Schema.NEWER:
        return None
    return SchemaError(
        "schema-newer",
        "the database was written by a later version of Tilework; this version supports schemas "
        "up to {known}. Install the later version",
        known=head_revision(),
    )
