"""Damage: rows with wrong bounds or moves, and pattern databases overwritten while in use."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Final

from tools.chaos.system.records import Records

_COLUMNS: Final = (
    *("solve.lower_bound", "solve.upper_bound", "solve.moves"),
    *("job.lower_bound", "job.upper_bound"),
)
_NEWEST: Final = 200
_HEADER_BYTES: Final = 4_096
_PIECE_BYTES: Final = 4_096


def damage_row(records: Records, choose: random.Random, mark: Callable[[str], None]) -> str:
    """Change a value of a row; return a description of the change."""
    column = choose.choice(_COLUMNS)
    table, _, name = column.partition(".")
    # The newest rows: their jobs may still be read.
    rows = records.rows(
        f"SELECT id, {name} AS value FROM {table} WHERE {name} IS NOT NULL "
        f"ORDER BY created_at DESC LIMIT {_NEWEST}"
    )
    if not rows:
        return "there is no row to damage"
    row = choose.choice(rows)
    mark(row.id)
    before = row.value
    if name == "moves":
        before = bytes(before)
        after: object = _flip_bit(before, choose)
    else:
        off = choose.choice((-2, -1, 1, 2, 40))
        after = before + (off if before + off >= 0 else -off)
    # A value that has changed meanwhile stays as it is.
    records.change(
        f"UPDATE {table} SET {name} = :after WHERE id = :id AND {name} = :before",
        after=after,
        id=row.id,
        before=before,
    )
    return f"{column} of {row.id}: {before!r} → {after!r}"


def _flip_bit(data: bytes, choose: random.Random) -> bytes:
    if not data:
        return b"\x01"
    index = choose.randrange(len(data))
    return data[:index] + bytes([data[index] ^ 1 << choose.randrange(8)]) + data[index + 1 :]


def damage_database(folder: Path, choose: random.Random) -> None:
    """Overwrite pieces of a pattern database in place."""
    files = sorted(folder.glob("*.pdb"))
    if not files:
        return
    file = choose.choice(files)
    file.chmod(0o644)  # they are stored read-only
    size = file.stat().st_size
    with file.open("r+b") as entries:
        for _ in range(choose.randint(1, 200)):
            entries.seek(choose.randrange(_HEADER_BYTES, size - _PIECE_BYTES))
            entries.write(choose.randbytes(_PIECE_BYTES))
