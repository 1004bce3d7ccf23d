"""Damage: rows whose bounds are off or moves turned, pattern databases written to while in use."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Final

from tools.chaos.system.database import Records

_NUMBERS: Final = ("solve.lower_bound", "solve.upper_bound", "job.lower_bound", "job.upper_bound")

_MOST: Final = 200

_HEADER_BYTES: Final = 4_096
_PIECE: Final = 4_096


def damage_row(records: Records, choose: random.Random, touched: Callable[[str], None]) -> str:
    """Alter a value of a row that somebody asked for; return what was done."""
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


def damage_database(folder: Path, choose: random.Random) -> None:
    """Overwrite some pieces of a file in place, its size as it was."""
    files = sorted(folder.glob("*.pdb"))
    if not files:
        return
    file = choose.choice(files)
    # Nobody may write to it, not even its owner; root may all the same.
    file.chmod(0o644)
    size = file.stat().st_size
    with file.open("r+b") as entries:
        for _ in range(choose.randint(1, 200)):
            entries.seek(choose.randrange(_HEADER_BYTES, size - _PIECE))
            entries.write(choose.randbytes(_PIECE))
