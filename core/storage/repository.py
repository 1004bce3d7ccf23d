"""The base of repositories, and inserting rows that may already exist."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite


class Repository:
    """Access to some tables over one connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection


@cache
def _statement(table: Table, dialect: str) -> sqlite.Insert | postgresql.Insert:
    insert = sqlite.insert if dialect == "sqlite" else postgresql.insert
    # Without this option, inserts have no row count.
    return insert(table).on_conflict_do_nothing().execution_options(preserve_rowcount=True)


def insert_if_absent(connection: Connection, table: Table, values: dict[str, object]) -> bool:
    """Insert a row; return False if it already exists.

    PostgreSQL waits for other transactions that are inserting the same row.
    """
    statement = _statement(table, connection.dialect.name)
    return connection.execute(statement, values).rowcount == 1


def insert_all_if_absent(
    connection: Connection, table: Table, rows: Sequence[dict[str, object]]
) -> None:
    """Insert the rows that do not exist yet, in order."""
    connection.execute(_statement(table, connection.dialect.name), list(rows))
