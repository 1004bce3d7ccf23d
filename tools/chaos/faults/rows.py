"""A row that nobody may write to is: bounds that are off, moves of which a bit is turned."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Final

from tools.chaos.system.database import Records

_NUMBERS: Final = ("solve.lower_bound", "solve.upper_bound", "job.lower_bound", "job.upper_bound")

_MOST: Final = 200


def damage_row(records: Records, choose: random.Random, touched: Callable[[str], None]) -> str:
    """Alter a value of a row that somebody asked for; return what was done.

    Parameters
    ----------
    touched : callable
        Is told the id of the row before anything is done to it.
    """
    column = choose.choice((*_NUMBERS, "solve.moves"))
    table, _, name = column.partition(".")
    # By an index, and the newest: their jobs may still be asked for.
    rows = records.rows(
        f"SELECT id, {name} AS held FROM {table} WHERE {name} IS NOT NULL "
        f"ORDER BY created_at DESC LIMIT {_MOST}"
    )
    if not rows:
        return "there is no row to damage"
    row = choose.choice(rows)
    touched(row.id)
    if name == "moves":
        before = bytes(row.held)
        after: object = _turned(before, choose)
    else:
        before = row.held
        off = choose.choice((-2, -1, 1, 2, 40))
        after = before + (off if before + off >= 0 else -off)
    # What was improved meanwhile is somebody else's.
    records.change(
        f"UPDATE {table} SET {name} = :after WHERE id = :id AND {name} = :before",
        after=after,
        id=row.id,
        before=before,
    )
    return f"{column} of {row.id}: {before!r} → {after!r}"


def _turned(data: bytes, choose: random.Random) -> bytes:
    if not data:
        return b"\x01"
    place = choose.randrange(len(data))
    return data[:place] + bytes([data[place] ^ 1 << choose.randrange(8)]) + data[place + 1 :]
