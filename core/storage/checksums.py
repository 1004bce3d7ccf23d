"""Checksums of solves and slices, which reveal damaged rows that no replay can reveal.

They have no key, because anybody who can write to the database can write a checksum as well. They
reveal damage done by a disk, a broken restore or a careless statement.

A checksum covers the columns on which proofs depend and that nothing else can check. Moves are
replayed, and the boards of a solve must match its key. Columns that only order work are not
covered.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sqlalchemy import Column, Double, Integer, LargeBinary

from tilework.core.errors import DamagedRowError, DamagedSolveError
from tilework.core.storage.models import slice_, solve

DIGEST_BYTES = 16

BURIED = "damaged:"
"""Before the id of a solve whose puzzle is unknown, the key that it has instead of its own."""


class Checksum:
    """The checksum of some columns of a table, in this order."""

    def __init__(self, *columns: Column[Any]) -> None:
        self.columns = columns
        self._kinds = [(column.name, _kind(column)) for column in columns]

    def compute(self, values: Mapping[str, Any]) -> str:
        """Return the checksum of values to be written, by column name; missing values are null."""
        get = values.get
        return self._digest(
            [None if get(name) is None else convert(get(name)) for name, convert in self._kinds]
        )

    def matches(self, values: Sequence[Any], stored: object) -> bool:
        """Whether values that were read match the stored checksum."""
        return self._digest(values) == stored

    def _digest(self, values: Sequence[Any]) -> str:
        blobs: list[bytes] = []
        if bytes in map(type, values):
            # Blobs are represented by their lengths among the numbers and texts.
            values = list(values)
            for index, value in enumerate(values):
                if isinstance(value, bytes):
                    blobs.append(value)
                    values[index] = len(value)
        # A single call formats all values.
        text = repr(tuple(values)).encode("utf-8", "surrogatepass")
        return hashlib.blake2b(b"".join((text, *blobs)), digest_size=DIGEST_BYTES).hexdigest()


def _kind(column: Column[Any]) -> Callable[[Any], Any]:
    if isinstance(column.type, Double):
        return float
    if isinstance(column.type, Integer):
        return int
    return bytes if isinstance(column.type, LargeBinary) else str


SOLVE = Checksum(
    solve.c.id,
    solve.c.canonical_key,
    solve.c.width,
    solve.c.height,
    solve.c.lower_bound,
    solve.c.upper_bound,
    solve.c.state,
    solve.c.threshold,
    solve.c.next_threshold,
    solve.c.covered,
    solve.c.epoch,
    solve.c.nodes,
    solve.c.seconds,
    solve.c.client_id,
    solve.c.engine,
    solve.c.wall_s,
    solve.c.recent_nodes,
    solve.c.recent_s,
    solve.c.rate_at,
    solve.c.pending,
    solve.c.iterations,
    solve.c.tried,
    solve.c.improvement,
)
SOLVE_COLUMNS = (*SOLVE.columns, solve.c.checksum)
SLICE = Checksum(
    slice_.c.id,
    slice_.c.solve_id,
    slice_.c.epoch,
    slice_.c.kind,
    slice_.c.threshold,
    slice_.c.algorithm,
    slice_.c.heuristic,
    slice_.c.target,
    slice_.c.gap,
    slice_.c.share,
    slice_.c.parent_id,
    slice_.c.cursor,
)
SLICE_END = Checksum(
    slice_.c.id, slice_.c.nodes, slice_.c.next_threshold, slice_.c.engine, slice_.c.seconds
)
_LOWER = SOLVE.columns.index(solve.c.lower_bound)
_UPPER = SOLVE.columns.index(solve.c.upper_bound)


def check_solve(values: Sequence[Any]) -> None:
    """Check values of `SOLVE_COLUMNS`.

    Raises DamagedSolveError if they are damaged, and DamagedRowError if nothing identifies the
    puzzle any more.
    """
    if str(values[1]).startswith(BURIED):
        raise DamagedRowError
    *columns, stored = values
    upper = values[_UPPER]
    if not SOLVE.matches(columns, stored) or (upper is not None and values[_LOWER] > upper):
        raise DamagedSolveError(str(values[0]))
