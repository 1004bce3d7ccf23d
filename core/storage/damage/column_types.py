"""Checks the types, lengths and nulls of values against their columns.

SQLite stores anything; PostgreSQL rejects wrong values itself.
"""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, Final, TypeVar

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    Connection,
    Double,
    Integer,
    LargeBinary,
    String,
    Table,
    select,
    type_coerce,
)
from sqlalchemy.types import NullType

from tilework.core.errors import DamagedRowError, InputError
from tilework.core.messages import Message
from tilework.core.storage.models.columns import MessageText

UNREADABLE: Final = (ValueError, TypeError, LookupError, ArithmeticError, zlib.error, InputError)
"""Errors that reading a damaged value can raise."""

LATEST_S: Final = 1e11
"""Latest valid time in epoch seconds, which is in the year 5138."""

Record = TypeVar("Record")


def reads(
    table: Table, columns: Sequence[ColumnElement[Any]]
) -> Callable[[Callable[..., Record]], Callable[..., Record]]:
    """Decorate a function that converts values of these columns, the id first, to a record.

    The decorated function raises `DamagedRowError` if a value is invalid in its column or cannot be
    converted.
    """
    plain = [(index, column) for index, column in enumerate(columns) if isinstance(column, Column)]

    def decorate(read: Callable[..., Record]) -> Callable[..., Record]:
        @wraps(read)
        def checked(values: Sequence[Any], *more: Any) -> Record:
            if all(fits(column, values[index]) for index, column in plain):
                try:
                    return read(values, *more)
                except UNREADABLE:
                    pass
            raise DamagedRowError((table.name, str(values[0])))

        return checked

    return decorate


def raw_row(connection: Connection, table: Table, row_id: str) -> dict[str, Any] | None:
    """Return a row without type conversion, which can fail on damaged values."""
    columns = [type_coerce(column, NullType()).label(column.name) for column in table.columns]
    row = connection.execute(select(*columns).where(table.c.id == row_id)).mappings().first()
    return None if row is None else dict(row)


def mismatched_column(connection: Connection, table: Table, row_id: str) -> str | None:
    """Return the first column of a row with an invalid value; None if all are valid."""
    row = raw_row(connection, table, row_id)
    if row is None:
        return None
    return next(
        (column.name for column in table.columns if not fits(column, row[column.name])), None
    )


def fits(column: Column[Any], value: object) -> bool:
    """Whether a value, raw or converted, is valid in a column."""
    if value is None:
        return bool(column.nullable)
    kind = column.type
    if isinstance(kind, Boolean):
        return isinstance(value, int) and value in (0, 1)
    if isinstance(kind, Integer):
        bits = 63 if isinstance(kind, BigInteger) else 31
        return type(value) is int and -(1 << bits) <= value < 1 << bits
    if isinstance(kind, Double):
        if not isinstance(value, int | float) or not math.isfinite(value):
            return False
        return not column.name.endswith("_at") or 0 <= value <= LATEST_S
    if isinstance(kind, LargeBinary):
        return isinstance(value, bytes)
    if isinstance(kind, MessageText):
        return isinstance(value, Message) or (isinstance(value, str) and _is_object(value))
    return isinstance(value, str) and (
        not isinstance(kind, String) or kind.length is None or len(value) <= kind.length
    )


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except ValueError:
        return False
