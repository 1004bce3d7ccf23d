"""Damages solves, with wrong bounds or moves, and overwrites pattern databases that are in use."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Final

from tools.chaos.system.records import Records

_COLUMNS: Final = ("lower_bound", "upper_bound", "moves")
_NEWEST_ROWS: Final = 200
_HEADER_BYTES: Final = 4_096
_PART_BYTES: Final = 4_096


def damage_row(records: Records, rng: random.Random, mark: Callable[[str], None]) -> str:
    """Change a value of a solve; return a description of the change."""
    name = rng.choice(_COLUMNS)
    # Damage one of the newest rows, whose jobs may still be read.
    rows = records.rows(
        f"SELECT id, {name} AS value FROM solve WHERE {name} IS NOT NULL "
        f"ORDER BY created_at DESC LIMIT {_NEWEST_ROWS}"
    )
    if not rows:
        return "there is no row to damage"
    row = rng.choice(rows)
    mark(row.id)
    value = row.value
    if name == "moves":
        value = bytes(value)
        new_value: object = _flip_bit(value, rng)
    else:
        change = rng.choice((-2, -1, 1, 2, 40))
        new_value = value + (change if value + change >= 0 else -change)
    # A value that has changed in the meantime is kept.
    records.change(
        f"UPDATE solve SET {name} = :new_value WHERE id = :id AND {name} = :value",
        new_value=new_value,
        id=row.id,
        value=value,
    )
    return f"{name} of {row.id}: {value!r} → {new_value!r}"


def _flip_bit(data: bytes, rng: random.Random) -> bytes:
    if not data:
        return b"\x01"
    index = rng.randrange(len(data))
    return data[:index] + bytes([data[index] ^ 1 << rng.randrange(8)]) + data[index + 1 :]


def damage_database(folder: Path, rng: random.Random) -> None:
    """Overwrite parts of a pattern database in place."""
    files = sorted(folder.glob("*.pdb"))
    if not files:
        return
    file = rng.choice(files)
    file.chmod(0o644)  # they are stored read-only
    size = file.stat().st_size
    with file.open("r+b") as entries:
        for _ in range(rng.randint(1, 200)):
            entries.seek(rng.randrange(_HEADER_BYTES, size - _PART_BYTES))
            entries.write(rng.randbytes(_PART_BYTES))
