"""Digests of rows, kept in the rows: damage is found before it is believed.

They are not keyed: who can write to the database can also write a digest. What they find is what a
disk, a broken restore or a careless statement does.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sqlalchemy import Column, ColumnElement, Double, Integer, LargeBinary, Text, type_coerce

from tilework.core.messages import Message
from tilework.core.storage.messages import StoredMessage

DIGEST_BYTES = 16


def digest(values: Sequence[Any]) -> str:
    """Return a digest of a row's values, in their order."""
    blobs: Sequence[bytes] = ()
    if bytes in map(type, values):
        blobs = [value for value in values if isinstance(value, bytes)]
        values = [len(value) if isinstance(value, bytes) else value for value in values]
    # Numbers and texts as Python writes them: one call for all of them.
    text = repr(tuple(values))
    made = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=DIGEST_BYTES)
    for blob in blobs:
        made.update(blob)
    return made.hexdigest()


class Seal:
    """A digest of some columns of a table.

    Parameters
    ----------
    columns : Column
        What it is made of, in this order.
    later : sequence of Column
        More of them, that rows were without when they were first sealed: the digest has none of
        them where they are empty.

    Attributes
    ----------
    columns : tuple of ColumnElement
        What to select for `fits`: messages as they are stored.
    """

    def __init__(self, *columns: Column[Any], later: Sequence[Column[Any]] = ()) -> None:
        self._first = len(columns)
        columns += tuple(later)
        self.columns = tuple(map(_as_stored, columns))
        self._as: list[tuple[str, Callable[[Any], Any]]] = [
            (column.name, _kind(column)) for column in columns
        ]

    def of_values(self, values: Mapping[str, Any]) -> str:
        """Return the digest of values that are about to be written, by the names of columns.

        A value that is missing is one that the database leaves empty.
        """
        return self._digest(
            [
                None if (value := values.get(name)) is None else kind(value)
                for name, kind in self._as
            ]
        )

    def fits(self, values: Sequence[Any], seal: object) -> bool:
        """Whether values, as they were read, are those that were sealed."""
        return self._digest(values) == seal

    def _digest(self, values: Sequence[Any]) -> str:
        if any(value is not None for value in values[self._first :]):
            return digest(values)
        return digest(values[: self._first])


def _as_stored(column: Column[Any]) -> ColumnElement[Any]:
    return type_coerce(column, Text) if isinstance(column.type, StoredMessage) else column


def _kind(column: Column[Any]) -> Callable[[Any], Any]:
    """Return what makes of a value the one that the column gives back."""
    if isinstance(column.type, Double):
        return float
    if isinstance(column.type, Integer):
        return int
    if isinstance(column.type, StoredMessage):
        return Message.to_json
    return bytes if isinstance(column.type, LargeBinary) else str
