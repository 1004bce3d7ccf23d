"""The base of repositories, reading rows, and inserting rows that may already exist."""

from __future__ import annotations

import logging
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, wraps
from typing import Any, Final, ParamSpec, TypeVar

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite

from tilework.core.errors import DamagedRowError, InputError

_UNREADABLE: Final = (ValueError, TypeError, LookupError, ArithmeticError, zlib.error, InputError)

Arguments = ParamSpec("Arguments")
Record = TypeVar("Record")

_log = logging.getLogger(__name__)


class Repository:
    """Access to some tables over one connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection


def reads(read: Callable[Arguments, Record]) -> Callable[Arguments, Record]:
    """Decorate a function that converts a row; it raises DamagedRowError if that is impossible."""

    @wraps(read)
    def checked(*arguments: Arguments.args, **options: Arguments.kwargs) -> Record:
        try:
            return read(*arguments, **options)
        except _UNREADABLE as error:
            raise DamagedRowError from error

    return checked


def readable(read: Callable[[Any], Record], rows: Iterable[Any]) -> Iterator[Record]:
    """Yield the records of rows without those that cannot be read."""
    for row in rows:
        try:
            yield read(row)
        except DamagedRowError as error:
            _log.error("a row cannot be read (%s): %s", error.__cause__, row[0])


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
